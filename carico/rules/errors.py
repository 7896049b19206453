"""What can be wrong in the rules room. Every message names the offending thing and the mend."""


class RulesError(ValueError):
    """Something that the rules do not allow; its text is fit for a user's eyes."""


class BadNotation(RulesError):
    """A text that should name a card or an action and does not."""


class UnknownGame(RulesError):
    """A game that this version does not play."""


class OptionError(RulesError):
    """An option that the game does not have, or a value that it does not take."""


class IllegalAction(RulesError):
    """An action that the seat to act may not take now."""
