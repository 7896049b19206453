"""Values to the text that Redis keeps, and back."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from worker.store.values import Deed, Entry, Event, Void
from worker.tournament.chunks import Chunk
from worker.tournament.entrants import Entrant
from worker.tournament.fixtures import Fixture
from worker.tournament.ledger import DealKey, Withdrawal


def compact(value: Mapping[str, Any] | Sequence[Any]) -> str:
    """Plain JSON on one line, keys in their order. Raises TypeError or ValueError for what is no plain JSON."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def read_object(found: str) -> dict[str, Any]:
    """The JSON object of ``compact``, its keys in their order."""
    value = json.loads(found)
    if not isinstance(value, dict):
        raise TypeError(f"{found!r} is no JSON object")
    return value


def pair(entrant: Entrant) -> str:
    """What no two entrants of a season share."""
    return compact([entrant.bot, entrant.version])


def chunk_text(chunk: Chunk) -> str:
    """The plan of a chunk; its number is the field it stands under."""
    return compact([chunk.fixture, chunk.first_set, chunk.sets])


def read_chunk(number: int, found: str) -> Chunk:
    """The chunk of ``chunk_text``."""
    return Chunk(number, *json.loads(found))


def read_entrant(found: str) -> Entrant:
    """An entrant from its JSON."""
    return Entrant.from_json(json.loads(found))


def read_fixture(found: str) -> Fixture:
    """A fixture from its JSON."""
    return Fixture.from_json(json.loads(found))


def key_text(key: DealKey) -> str:
    """The name of a deal: ``deal_set:fixture:seating:deal``; its field in the ledger has the attempt behind that."""
    return ":".join(map(str, key))


def read_key(found: str) -> DealKey:
    """The key of a field of the ledger."""
    return read_field(found)[0]


def read_field(found: str) -> tuple[DealKey, int]:
    """The key and the attempt of a field of the ledger."""
    *parts, attempt = map(int, found.split(":"))
    return DealKey(*parts), attempt


def read_deed(at: str, by: str, did: str, details: str) -> Deed:
    """What an organiser did, from its fields in the log."""
    return Deed(int(at), by, did, read_object(details))


def read_withdrawal(found: str) -> Withdrawal:
    """A withdrawal from its JSON."""
    return Withdrawal.from_json(json.loads(found))


def quoted(words: str) -> str:
    """A text as JSON."""
    return json.dumps(words)


def void_fields(found: str) -> list[str]:
    """The fields of the ledger that a void outranked when it was filed."""
    return list(read_object(found).get("deals", ()))


def late_lines(found: str, late: Mapping[str, str]) -> list[str]:
    """What was found of a void attempt after it had become void."""
    void = read_object(found)
    return list(json.loads(late.get(f"{void['deal_set']}:{void['attempt']}", "[]")))


def read_void(found: str, records: Sequence[str]) -> Void:
    """A void attempt from its JSON, with the lines that are kept elsewhere."""
    fields = read_object(found)
    return Void(
        fields["deal_set"], fields["attempt"], fields["chunk"], fields["reason"], (*fields["records"], *records)
    )


def read_event(event: str, kind: str, data: str) -> Event:
    """An event from its id, its kind and its JSON."""
    return Event(event, kind, read_object(data))


def plan_arguments(
    entrants: Sequence[Entrant], fixtures: Sequence[Fixture], chunks: Sequence[Chunk]
) -> list[str | int]:
    """A plan as ``append`` in prelude.lua reads it: three lists, each after its length."""
    arguments: list[str | int] = [len(entrants)]
    for entrant in entrants:
        arguments += [compact(entrant.to_json()), pair(entrant)]
    arguments.append(len(fixtures))
    arguments += [compact(fixture.to_json()) for fixture in fixtures]
    arguments.append(len(chunks))
    arguments += [chunk_text(chunk) for chunk in chunks]
    return arguments


def entry_arguments(entries: Sequence[Entry]) -> list[str]:
    """A commit's entries as commit.lua reads them, three arguments each. Raises ValueError for two of one key."""
    arguments: list[str] = []
    for entry in entries:
        arguments += [key_text(entry.key), compact(entry.result), entry.record]
    if len(set(arguments[::3])) != len(entries):
        raise ValueError("a deal comes twice in one commit")
    return arguments


def void_event(void: Void) -> dict[str, Any]:
    """What live views are told of a void attempt."""
    return {"chunk": void.chunk, "deal_set": void.deal_set, "attempt": void.attempt, "reason": void.reason}


def void_arguments(void: Void) -> list[str]:
    """A void attempt as void.lua files it, and the event of it."""
    return [compact({**void_event(void), "records": void.records}), compact(void_event(void))]
