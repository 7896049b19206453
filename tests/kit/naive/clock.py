"""The clock of a record."""

from tests.kit.naive.deviation import Deviation, expect


def check_clock(record):
    """Every row of `clock` follows from the row before it of the same seat, and no row overdraws the bank.

    The action limit is no bound of a row: a row may join the time of several questions. For the same reason the lag
    credit bounds a row only where nothing but actions is asked for, which is everywhere but in Brisca.
    """
    control, rows = record["time_control"], record["clock"]
    if control is None:
        expect("clock", rows, [])
        return
    expect("clock, number of rows", len(rows), len(record["actions"]))
    one_answer = record.get("variant") != "brisca"
    bank = [control["bank_ms"]] * record["players"]
    for position, ((seat, *_), row) in enumerate(zip(record["actions"], rows, strict=True)):
        if position in record["stand_in"]:
            expect(f"clock, the stand-in's row {position}", row, [0, 0, bank[seat]])
            continue
        used, credit, left = row
        charged = max(0, used - credit)
        if used < 0 or credit < 0 or charged > bank[seat]:
            raise Deviation("clock", f"row {position} is {row} out of a bank of {bank[seat]} ms, and no flag fell")
        if one_answer and credit > control["lag_credit_ms"]:
            raise Deviation("clock", f"row {position} has a credit above {control['lag_credit_ms']} ms")
        bank[seat] += control["increment_ms"] - charged
        expect(f"clock, bank left at {position}", left, bank[seat])
