"""Why a bot can't play at all."""


class CannotPlay(Exception):
    """Why a bot can't play, in a sentence that names the mend. Trying again would change nothing."""
