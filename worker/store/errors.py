"""What the store refuses, and how it says so."""


class StoreError(Exception):
    """Anything that the store refuses or cannot do; the text is a sentence for people."""


class StoreUnavailable(StoreError):
    """The server cannot be reached or cannot write. Nothing is known of the last call; every call may be repeated."""


class UnknownSeason(StoreError, LookupError):
    """There is no season of this id."""

    def __init__(self, season: str) -> None:
        super().__init__(f"there is no season {season!r} in this store")


class SeasonExists(StoreError):
    """The id is taken: a season is never overwritten."""

    def __init__(self, season: str) -> None:
        super().__init__(f"there is a season {season!r} already: give the new one another id")


class WrongStatus(StoreError):
    """The season's status does not allow this."""

    def __init__(self, season: str, status: str, wanted: str) -> None:
        super().__init__(f"season {season!r} is {status}: it cannot be {wanted}")
        self.status = status


class NotInSeason(StoreError):
    """The season has no such entrant or deal set; the text says which."""


class FixtureClosed(StoreError):
    """A deal set can't be void: its fixture was closed, or one of its entrants withdrew, so nobody would play it."""

    def __init__(self, season: str, deal_set: int, fixture: int) -> None:
        super().__init__(
            f"deal set {deal_set} of season {season!r} can't be played again: its fixture {fixture} was closed, "
            "or one of its entrants has withdrawn"
        )


class EntryClosed(StoreError):
    """The season lets no late entrant in."""

    def __init__(self, season: str) -> None:
        super().__init__(f"season {season!r} takes no late entrants: its entry is not open")


class AlreadyEntered(StoreError):
    """This version of this bot is entered in the season already."""

    def __init__(self, season: str, bot: str, version: str) -> None:
        super().__init__(f"{bot} {version} is entered in season {season!r} already")
