"""The keys of a season in Redis. Only ids stand in them, and its hash tag keeps a season on one slot of a cluster."""

from typing import Final

SEASONS: Final = "carico:seasons"
"""A set: the ids of all seasons."""

KINDS: Final = {
    "season": "hash: status, document, open_entry, created_ms, dealt_ms, outranked (deals); nonces of create and admit",
    "entrants": "list: the JSON of each",
    "pairs": "hash: [bot, version] -> number of the entrant",
    "fixtures": "hash: number -> its JSON",
    "chunks": "hash: number -> [fixture, first set, sets]",
    "members": "hash: fixture -> numbers of its chunks",
    "open": "sorted set: open chunk -> its number",
    "due": "sorted set: open chunk -> when it is enqueued next",
    "enqueued": "sorted set: chunk handed out by a sweep and not claimed since -> when it is due again",
    "leases": "sorted set: leased chunk -> when its lease ends",
    "holders": "hash: leased chunk -> nonce of the claim",
    "fences": "hash: chunk -> its last fence",
    "done": "hash: done chunk -> since when",
    "due_since": "hash: fixture -> first claim of one of its chunks, put off by the times without any",
    "seen": "hash: fixture -> last claim of one of its chunks",
    "begun": "hash: fixture -> since when",
    "started": "hash: chunk:deal_set -> attempt:incarnation",
    "attempts": "hash: deal set -> current attempt, where it is not 0",
    "voids": "list: the JSON of each",
    "late": "hash: deal_set:attempt -> lines that were found of it after it had become void, as a JSON list",
    "closures": "hash: fixture -> its JSON",
    "withdrawn": "hash: number of an entrant -> its withdrawal as JSON",
    "played": "hash: chunk:deal_set -> fields of the ledger that count for it, as a JSON list",
    "ledger": "hash: deal_set:fixture:seating:deal:attempt -> result as JSON",
    "records": "hash: deal_set:fixture:seating:deal:attempt -> line of records.jsonl",
    "arrival": "list: deal_set:fixture:seating:deal:attempt in the order of commit",
    "counters": "hash: name -> how often",
    "events": "stream: kind, data",
    "log": "stream: at, by, did, details; never cut",
}
"""What a season keeps, by the last word of the key. Times are whole milliseconds of the server."""


def key(season: str, kind: str) -> str:
    """The key of one kind; the id must have been checked (``worker.store.plan``)."""
    return f"carico:{{{season}}}:{kind}"


def keys(season: str) -> list[str]:
    """All keys of a season, as its scripts take them."""
    return [key(season, kind) for kind in KINDS]


def faults_key(season: str, bot: str) -> str:
    """A list: the JSON of each of the last faults of a bot in a season, on its slot. Both names have been checked."""
    return f"{key(season, 'faults')}:{bot}"
