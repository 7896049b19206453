"""What the owner of a bot is told of its faults: reason, detail, and the last exchange, in the bot's own view."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from carico.record import replay
from carico.rules.cards import card_name
from carico.rules.view import view
from worker.store.values import FaultNote

LONGEST_DETAIL: Final = 400


def fault_notes(record: Mapping[str, Any], details: Mapping[int, str]) -> Iterator[FaultNote]:
    """A note for each fault of a deal record; ``details`` are the referee's words, by faulty seat."""
    for seat, reason, after in record["outcome"]["faults"]:
        name = record["seats"][seat]
        note = {
            **{key: record[key] for key in ("season", "deal_set", "fixture", "seating", "deal", "attempt", "match")},
            "version": name["version"],
            "seat": seat,
            "reason": reason,
            "after": after,
            "detail": details.get(seat, "")[:LONGEST_DETAIL],
            "exchange": _exchange(record, seat, after),
        }
        yield FaultNote(name["bot"], note)


def _exchange(record: Mapping[str, Any], seat: int, after: int) -> dict[str, Any]:
    """What the seat saw when it failed, whether it was asked then, and its last good answer with the time it took."""
    deal = replay({**record, "actions": record["actions"][:after]})
    seen = view(deal, seat)
    own = [number for number, row in enumerate(record["actions"][:after]) if row[0] == seat]
    return {
        "asked": deal.to_act == seat,
        "hand": [card_name(card) for card in seen.hand],
        "table": [card_name(card) for card in seen.table],
        "trump": seen.trump,
        "last": record["actions"][own[-1]][1:] if own else None,
        "last_used_ms": record["clock"][own[-1]][0] if own and record["clock"] else None,
    }
