"""A season of real parts, watched: metrics of both rooms agree with the store, logs hold no token and no card."""

import contextlib
import hashlib
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from carico.rules.cards import CARDS, RANKS, SUITS
from carico.rules.game import game
from tests.kit.league import wait_until
from tests.kit.observed import Observed
from tests.kit.roles import ORGANISER_TOKEN
from worker.store.values import Status
from worker.tournament.document import SeasonDocument

CARD = re.compile(rf"\b[{RANKS}][{SUITS}]\b")
CHEAT = """
from carico import Bot


class Cheat(Bot):
    def act(self, view):
        if len(view.tricks) > 2:
            return view.upcard
        return view.legal[0]
"""


@pytest.fixture
def league(tmp_path: Path) -> Iterator[Observed]:
    with Observed(tmp_path) as parts:
        yield parts


def start_cheat(league: Observed) -> None:
    """A bot that plays well at first and then a card that it does not hold."""
    (league.directory / "cheat.py").write_text(CHEAT)
    token = league._tokens["cheat"] = league.register("cheat")
    file = str(league.directory / "cheat.py")
    command = ["bot", "run", f"{file}:Cheat", "--name", "cheat", "--version", "1", "--referee", league.address]
    league.bot_command("bot-cheat", token, *command)


def test_a_watched_season(league: Observed) -> None:
    document = league.create("watched", ["random", "greedy", "cheat"], deal_sets=4, chunk=2, start=False)
    for bot in ("random", "greedy"):
        league.start_bot(bot)
    start_cheat(league)
    league.start_worker()
    league.store.set_status("watched", Status.RUNNING)
    league.wait_finished("watched")
    the_metrics_agree_with_the_store(league)
    the_logs_say_what_happened(league)
    the_logs_hold_no_token_and_no_card(league, document)


def the_metrics_agree_with_the_store(league: Observed) -> None:
    deals = league.store.progress("watched").deals
    assert deals == 3 * 4 * 2
    referee = league.scrape("referee")
    assert referee("carico_referee_matches_started_total") == deals
    assert referee("carico_referee_deals_ended_total") == deals
    assert referee("carico_referee_faults_total", reason="ILLEGAL_ACTION") == deals * 2 / 3
    assert referee("carico_referee_connections") == 3
    wait_until(lambda: league.scrape("worker")("carico_season_chunks", season="watched", state="done") == 6, "it knows")
    worker = league.scrape("worker")
    assert worker("carico_season_deals_total", season="watched") == deals
    assert worker("carico_season_turns_total", season="watched", outcome="committed") == 6
    assert worker("carico_seasons", status="finished") == 1
    assert worker("carico_worker_sweeps_total") > 0
    for text in (referee.text, worker.text):
        assert not re.search(r"cheat|greedy", text)


def the_logs_say_what_happened(league: Observed) -> None:
    faults = [line for line in league.lines("referee") if "fault" in line]
    assert len(faults) == 16
    for line in faults:
        assert (line["season"], line["bot"], line["fault"]) == ("watched", "cheat", "ILLEGAL_ACTION")
        assert re.fullmatch("[0-9a-f]{16}", line["match"])
        assert line["order"].startswith("watched/")
    came = [line for line in league.lines("worker") if line.get("came") == "committed"]
    assert sorted(line["chunk"] for line in came) == list(range(6))
    assert {line["season"] for line in came} == {"watched"}


def the_logs_hold_no_token_and_no_card(league: Observed, document: SeasonDocument) -> None:
    logs = {name: league.log(name) for name in ("referee", "worker")}
    secrets = [ORGANISER_TOKEN, *league._tokens.values()]
    secrets += [hashlib.sha256(token.encode()).hexdigest() for token in secrets]
    decks = [document.deck(deal_set, 0, 0) for deal_set in range(4)]
    secrets += [text for deck in decks for text in (deck.source.hex(), deck.key.hex())]
    secrets.append(document.secret.hex())
    for name, text in logs.items():
        for secret in secrets:
            assert secret not in text, name
        assert not CARD.search(text), (name, CARD.search(text))
    assert CARD.search(f"it may play {CARDS[game('briscola-2').pack[0]]}"), "the pattern finds cards"


def test_a_killed_worker_leaves_its_place_to_the_next(league: Observed) -> None:
    """Also when it is killed alone, so that children of its pool, which are forks of it, are left for a moment."""
    league.start_worker()
    address = league.metrics_address("worker")
    for round_ in range(3):
        wait_until(lambda: league.scrape("worker")("carico_worker_sweeps_total") > 0, "it works")
        league.kill_alone("worker")
        with contextlib.suppress(FileNotFoundError):
            (league.directory / "worker.log").rename(league.directory / f"worker-{round_}.log")
        league.command("worker", "worker", "--referee", league.address, metrics=address)
        wait_until(lambda: "worker ready" in league.log("worker"), "the next worker is ready")
        assert league.metrics_address("worker") == address


def test_a_store_that_goes_is_seen_and_costs_no_scrape(league: Observed) -> None:
    league.start_worker()
    assert league.scrape("worker")("carico_store_up") == 1
    os.kill(league.valkey.pid, signal.SIGKILL)
    wait_until(lambda: league.scrape("worker")("carico_store_up") == 0, "the worker sees that the store is away")
    assert league.scrape("referee")("carico_referee_log_available") in (0, 1)
    league.valkey.restart()
    wait_until(lambda: league.scrape("worker")("carico_store_up") == 1, "the worker sees that the store is back")
    assert league.lines("worker")
