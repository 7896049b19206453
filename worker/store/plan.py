"""What a season's plan must satisfy before a store takes it in; the same for every back end."""

from collections.abc import Sequence
from typing import Final

from worker.store.errors import NotInSeason
from worker.tournament.chunks import Chunk
from worker.tournament.entrants import NAME_RULE, Entrant, is_name
from worker.tournament.fixtures import Fixture
from worker.tournament.ledger import DealKey

LONGEST_BLOCK_MS: Final = 5000
LONGEST_NAME: Final = 120
LONGEST_REASON: Final = 500


def check_season_id(season: str) -> None:
    """Raises ValueError for an id that is no name (NAME_RULE): ids stand in keys and file names."""
    if not is_name(season):
        raise ValueError(f"{season!r} cannot be a season's id: it must be {NAME_RULE}")


def check_entrants(entrants: Sequence[Entrant]) -> None:
    """Raises ValueError where a version of a bot is entered twice."""
    seen: set[tuple[str, str]] = set()
    for entrant in entrants:
        if (entrant.bot, entrant.version) in seen:
            raise ValueError(f"{entrant.bot} {entrant.version} is entered twice")
        seen.add((entrant.bot, entrant.version))


def check_meetings(
    entrants: int,
    fixtures: Sequence[Fixture],
    chunks: Sequence[Chunk],
    *,
    first_fixture: int | None = None,
    first_chunk: int | None = None,
) -> None:
    """Raises ValueError unless the parts of a plan fit each other.

    Fixtures and chunks are numbered on by one, from these numbers where they are given; every fixture is among the
    season's ``entrants`` entrants; every chunk has a deal set, is of one of these fixtures and within its deal sets,
    and no two chunks of a fixture share one.
    """
    _check_numbers(fixtures, first_fixture)
    _check_numbers(chunks, first_chunk)
    by_number = {fixture.number: fixture for fixture in fixtures}
    for fixture in fixtures:
        if max(fixture.entrants) >= entrants:
            raise ValueError(f"{fixture} names an entrant that is not among the {entrants} of the season")
    taken: set[tuple[int, int]] = set()
    for chunk in chunks:
        home = by_number.get(chunk.fixture)
        if home is None:
            raise ValueError(f"{chunk} is of a fixture that is not in the plan")
        if chunk.sets < 1 or chunk.deal_sets.start not in home.deal_sets or chunk.deal_sets[-1] not in home.deal_sets:
            raise ValueError(f"{chunk} is not within the deal sets of {home}")
        for deal_set in chunk.deal_sets:
            if (chunk.fixture, deal_set) in taken:
                raise ValueError(f"{chunk} holds a deal set that another chunk of its fixture has")
            taken.add((chunk.fixture, deal_set))


def check_entries(chunk: Chunk, deals: Sequence[DealKey]) -> None:
    """Raises ValueError unless a commit's deals are of the chunk."""
    for deal in deals:
        if deal.fixture != chunk.fixture:
            raise ValueError(f"{deal} is not of {chunk}")
        check_deal_set(chunk, deal.deal_set)


def missing(chunk: int, deal_set: int) -> ValueError:
    """A commit lacks a deal set of the chunk that does not count yet."""
    return ValueError(f"chunk {chunk} has no deal of its set {deal_set} in this commit")


def already_counts(deal_set: int) -> ValueError:
    """Only an organiser can void what counts."""
    return ValueError(f"deal set {deal_set} counts already: only an organiser can void it")


def check_deal_set(chunk: Chunk, deal_set: int) -> None:
    """Raises ValueError unless the deal set is the chunk's."""
    if deal_set not in chunk.deal_sets:
        raise ValueError(f"deal set {deal_set} is not of {chunk}")


def check_attempt(deal_set: int, attempt: int, current: int) -> None:
    """Raises ValueError for an attempt that is not yet."""
    if attempt > current:
        raise ValueError(f"attempt {attempt} of deal set {deal_set} cannot be void: the current one is {current}")


def check_void(deal_set: int, attempt: int, *, void: bool) -> None:
    """Raises ValueError for an attempt that is not void."""
    if not void:
        raise ValueError(f"attempt {attempt} of deal set {deal_set} is not void")


def check_bot(bot: str) -> None:
    """Raises ValueError for what is no name of a bot (NAME_RULE): it stands in keys."""
    if not is_name(bot):
        raise ValueError(f"{bot!r} cannot be a bot's name: it must be {NAME_RULE}")


def no_entrant(season: str, entrant: int) -> NotInSeason:
    """There is no such entrant."""
    return NotInSeason(f"season {season!r} has no entrant {entrant}")


def no_set(season: str, deal_set: int) -> NotInSeason:
    """There is no such deal set."""
    return NotInSeason(f"season {season!r} has no deal set {deal_set}")


def check_by(by: str | None) -> None:
    """Raises ValueError for an organiser's name that no log should hold."""
    if by is not None and not (1 <= len(by) <= LONGEST_NAME and by.isprintable()):
        raise ValueError(f"by = {by!r}: it must be 1 to {LONGEST_NAME} printable characters")


def check_reason(reason: str) -> None:
    """Raises ValueError for a reason that no log should hold."""
    if not (1 <= len(reason) <= LONGEST_REASON and reason.isprintable()):
        raise ValueError(f"reason = {reason!r}: it must be one line of 1 to {LONGEST_REASON} printable characters")


def check_block(block_ms: int) -> None:
    """Raises ValueError for a longer wait than a connection bears."""
    if not 0 <= block_ms <= LONGEST_BLOCK_MS:
        raise ValueError(f"block_ms = {block_ms}: it must be 0 to {LONGEST_BLOCK_MS}")


def _check_numbers(numbered: Sequence[Fixture | Chunk], first: int | None) -> None:
    for i, one in enumerate(numbered):
        due = i + (numbered[0].number if first is None else first)
        if one.number != due:
            raise ValueError(f"{one} must have the number {due}")
