"""Records, and what lies beside them: the table and the voids of the same export."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from carico.record import BadRecord
from carico.record_form import NotReadable
from worker.proof.beside import Beside
from worker.proof.lines import Found, check_records
from worker.proof.table import TableProof
from worker.proof.table_file import TableFile, line_of_field, read_table
from worker.proof.voids import VoidAttempt, Voids

RECORDS: Final = "records"
TABLE: Final = "standings"
VOIDS: Final = "voids"


@dataclass(frozen=True, slots=True)
class Proof:
    """What came of it."""

    part: str
    """RECORDS, TABLE or VOIDS: where the first difference is; the last that was read where there is none."""
    found: Found | None
    """The first difference."""
    deals: int
    """Records that were right, those of voids left out."""
    deal_sets: int
    voids: tuple[VoidAttempt, ...]
    notes: tuple[str, ...]
    """What can't be proved from these files, in words."""

    @property
    def void_rate(self) -> float:
        """The share of the attempts that are void, 0 to 1."""
        attempts = len(self.voids) + self.deal_sets
        return len(self.voids) / attempts if attempts else 0.0


def prove(
    records: Iterable[bytes],
    table: bytes | None = None,
    voids: Iterable[bytes] | None = None,
    *,
    alone: bool = False,
    master: bytes | None = None,
) -> Proof:
    """Proves the records, then the table, then the voids, up to the first difference.

    ``alone``: the records are no whole export, so nothing is said about voids that are not there. ``master``: M of the
    season (shuffle.md), if it is known. What opening and reading raises is passed on.
    """
    read: TableFile | None = None
    if table is not None:
        try:
            read = read_table(table)
        except BadRecord as error:
            return Proof(TABLE, _in_table(table.decode("utf-8", "replace"), error), 0, 0, (), ())
    beside = Beside(read is None or read.whole, master)
    told = None if read is None else TableProof(read, beside)

    def end(part: str, found: Found | None, attempts: Iterable[VoidAttempt] = (), notes: Iterable[str] = ()) -> Proof:
        return Proof(part, found, beside.deals, len(beside.seen), tuple(attempts), tuple(notes))

    found = check_records(records, beside, _ignore if told is None else told.count)
    if found is None and told is None and not beside.deals:
        found = Found(0, "there is no record in it", readable=False)
    if found is not None:
        return end(RECORDS, found)
    notes: list[str] = []
    if told is not None and read is not None:
        try:
            told.check()
        except BadRecord as error:
            return end(TABLE, _in_table(read.text, error))
        notes += told.notes
    if alone:
        if beside.attempts:
            notes.append(f"{len(beside.attempts)} deal sets were played again; the voids are not looked at")
        return end(RECORDS, None, (), notes)
    checked = Voids(beside, master)
    found = checked.check(voids or ())
    attempts = sorted(checked.attempts.values(), key=lambda void: (void.deal_set, void.attempt))
    return end(VOIDS, found, attempts, notes)


def _ignore(record: Mapping[str, Any]) -> None:
    """Where there is no table, nothing is counted."""


def _in_table(text: str, error: BadRecord) -> Found:
    readable = not isinstance(error, NotReadable)
    return Found(line_of_field(text, str(error)) if readable else 1, str(error), readable)
