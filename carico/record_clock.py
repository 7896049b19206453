"""The clock of a record: what was left follows from what was used, and no flag was missed."""

from collections.abc import Mapping
from typing import Any

from carico.record import BadRecord, Differs


def check_clock(record: Mapping[str, Any]) -> None:
    """Raises BadRecord where the rows of ``clock`` do not fit the actions, the terms or each other.

    The rest of the record has to be right already. That each used as much as it says only the referee saw. A row may
    join the time of several questions at Brisca, so there the credit of a row is not bounded.
    """
    terms, rows = record["time_control"], record["clock"]
    count = 0 if terms is None else len(record["actions"])
    if not isinstance(rows, list) or len(rows) != count:
        found = len(rows) if isinstance(rows, list) else rows
        raise Differs("clock", found, f"{count} rows", "where there are as many as actions under a clock it is")
    if terms is None:
        return
    banks = [terms["bank_ms"]] * record["players"]
    by_stand_in = set(record["stand_in"])
    for number, ((seat, *_), row) in enumerate(zip(record["actions"], rows, strict=True)):
        field = f"clock[{number}]"
        if not isinstance(row, list) or len(row) != 3 or any(type(value) is not int or value < 0 for value in row):
            raise Differs(field, row, "[used_ms, credit_ms, bank_left_ms]", "and it is to be")
        if number in by_stand_in:
            expected = [0, 0, banks[seat]]
        else:
            used, credit, _ = row
            charged = max(0, used - credit)
            if charged > banks[seat]:
                raise BadRecord(f"{field}: {charged} ms out of a bank of {banks[seat]} ms, and no flag fell")
            if credit > terms["lag_credit_ms"] and record["variant"] != "brisca":
                raise BadRecord(f"{field}: a credit of {credit} ms, the terms grant {terms['lag_credit_ms']} at most")
            banks[seat] += terms["increment_ms"] - charged
            expected = [used, credit, banks[seat]]
        if row != expected:
            raise Differs(field, row, expected, "by the rows before it is")
