"""The ledger against the schedule, voids, closures, chunks and what the store says of itself."""

from collections import Counter

from worker.audit.books import Books
from worker.audit.report import Report
from worker.store.values import ChunkState, Status
from worker.tournament.fixture_score import FixtureScore
from worker.tournament.ledger import NO_SHOW, WITHDRAWN, DealKey, counted


def check_ledger(books: Books, report: Report) -> None:
    """Keys unique and in the schedule; of each deal at most one attempt counts, and the others are void."""
    seen: Counter[tuple[DealKey, int]] = Counter()
    voided = {(void.deal_set, void.attempt) for void in books.voids}
    for key, result in books.ledger:
        name = f"deal set {key.deal_set}, fixture {key.fixture}, seating {key.seating}, attempt {result.attempt}"
        seen[key, result.attempt] += 1
        if seen[key, result.attempt] == 2:
            report.say("ledger", f"{name} stands in it more than once")
        if result.key != key:
            report.say("ledger", f"{name} is filed under {tuple(key)} and says that it is {tuple(result.key)}")
        if books.plan_of(key) is None:
            report.say("ledger", f"{name} is not in the schedule")
        current = books.attempts.get(key.deal_set, 0)
        if result.attempt > current:
            report.say("ledger", f"{name} counts for nothing: the current attempt is {current}")
        elif result.attempt < current and (key.deal_set, result.attempt) not in voided:
            report.say("ledger", f"{name} does not count, and no void says why")


def check_voids(books: Books, report: Report) -> None:
    """The attempts of a deal set are void one after the other, without gaps, and the current one follows them."""
    attempts: dict[int, list[int]] = {}
    for void in books.voids:
        attempts.setdefault(void.deal_set, []).append(void.attempt)
    for deal_set in sorted({*attempts, *books.attempts}):
        found, current = sorted(attempts.get(deal_set, [])), books.attempts.get(deal_set, 0)
        if found != list(range(current)):
            report.say(
                "voids", f"deal set {deal_set} is at attempt {current}, and void are {found}: attempts are missing"
            )


def check_closures(books: Books, report: Report) -> None:
    """A closed fixture is in the schedule, lost by entrants of it, and for a reason that holds."""
    played = {result.fixture for result in counted((r for _, r in books.ledger), books.attempts)}
    gone = {withdrawal.entrant for withdrawal in books.withdrawals}
    for closure in books.closures:
        name = f"fixture {closure.fixture} ({closure.reason})"
        if closure.fixture >= len(books.fixtures):
            report.say("closures", f"{name} is not in the schedule")
            continue
        if not set(closure.lost_by) <= set(books.fixtures[closure.fixture].entrants):
            report.say("closures", f"{name} is lost by {closure.lost_by}, who are not all in it")
        if closure.reason == NO_SHOW and closure.fixture in played:
            report.say("closures", f"{name} is a walkover, and deals of it count: it had begun")
        if closure.reason == WITHDRAWN and not set(closure.lost_by) <= gone:
            report.say("closures", f"{name}: nobody of {closure.lost_by} has withdrawn")
    closed = {closure.fixture for closure in books.closures}
    open_ = {standing.chunk.fixture for standing in books.chunks if standing.state is not ChunkState.DONE}
    for withdrawal in books.withdrawals:
        left = [f.number for f in books.fixtures if withdrawal.entrant in f.entrants and f.number in open_ - closed]
        if left:
            report.say("closures", f"entrant {withdrawal.entrant} has withdrawn, and fixtures of it are open: {left}")


def check_chunks(books: Books, report: Report) -> None:
    """Each deal set is in one chunk; what is done has all its deals or a closure, and what has all is done."""
    spec = books.document.spec
    scores = {fixture.number: FixtureScore(fixture, spec.game.match) for fixture in books.fixtures}
    deals = Counter[tuple[int, int]]()
    for result in counted((result for _, result in books.ledger), books.attempts):
        deals[result.fixture, result.deal_set] += 1
        if result.fixture in scores:
            scores[result.fixture].add(result, spec.places)
    report.deals, report.sets = sum(deals.values()), len(deals)
    closed = {closure.fixture for closure in books.closures}
    planned = Counter((s.chunk.fixture, n) for s in books.chunks for n in s.chunk.deal_sets)
    for fixture in books.fixtures:
        wrong = [n for n in fixture.deal_sets if planned.pop((fixture.number, n), 0) != 1]
        if wrong:
            report.say("chunks", f"deal sets {wrong} of fixture {fixture.number} are not in exactly one chunk")
    if planned:
        report.say("chunks", f"deal sets are in chunks and not in their fixtures: {sorted(planned)}")
    for standing in books.chunks:
        chunk = standing.chunk
        if chunk.fixture >= len(books.fixtures):
            continue
        found = {n: deals[chunk.fixture, n] for n in chunk.deal_sets}
        partly = [n for n, count in found.items() if count and not scores[chunk.fixture].played(n)]
        if partly:
            report.say("chunks", f"chunk {chunk.number}: deal sets {partly} are counted in part")
        lacking = [n for n, count in found.items() if not count]
        done = standing.state is ChunkState.DONE
        if chunk.number in books.done_before and done and lacking and chunk.fixture not in closed:
            report.say("chunks", f"chunk {chunk.number} is done, and its deal sets {lacking} have no result")
        if not lacking and not done:
            report.say("chunks", f"chunk {chunk.number} has all its results, and is {standing.state}")
        if chunk.fixture in closed and not done:
            report.say(
                "chunks", f"fixture {chunk.fixture} was closed, and its chunk {chunk.number} is {standing.state}"
            )


def check_store(books: Books, report: Report) -> None:
    """What the store says of itself agrees with what it holds."""
    for text in books.differences:
        report.say("store", f"{text} (`carico season rebuild` makes it anew)")
    before, after = books.before, books.after
    pairs = [
        ("fixtures", after.fixtures, len(books.fixtures)),
        ("entrants", after.entrants, len(books.entrants)),
        ("chunks", after.open + after.leased + after.done, len(books.chunks)),
        ("voids", after.voids, len(books.voids)),
        ("closed fixtures", after.closed, len(books.closures)),
        ("withdrawals", after.withdrawn, len(books.withdrawals)),
    ]
    for what, told, found in pairs:
        if told != found:
            report.say("store", f"it counts {told} {what}, and holds {found}")
    if not before.deals <= report.deals <= after.deals:
        span = str(after.deals) if before.deals == after.deals else f"{before.deals} to {after.deals}"
        report.say("store", f"it counts {span} deals, and {report.deals} in the ledger count")
    if books.counters.get("divergent"):
        text = "results were brought a second time, and differently: the first stand"
        report.say("store", f"{books.counters['divergent']} {text}")
    if after.status is Status.FINISHED and after.done != len(books.chunks):
        report.say("store", f"the season is finished, and {len(books.chunks) - after.done} chunks are not done")
