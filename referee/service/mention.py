"""What a log line about a match names beside its text."""

from typing import Any

from referee.match.spec import MatchSpec


def about(spec: MatchSpec, **more: Any) -> dict[str, Any]:
    """The fields ``match`` (the handle that bots see), ``order`` (the organiser's id) and ``season``, and these more.

    Workers begin the id of an order with their season's id and a slash; an order without one names no season.
    """
    season, slash, _ = spec.id.partition("/")
    return {"match": spec.handle, "order": spec.id, **({"season": season} if slash else {}), **more}
