"""Seats that are played by a process each: real children, asked with real views."""

import asyncio
import json
import os
import sys
from pathlib import Path

import pytest

from carico.bot import Bot
from carico.problem import BotFailed
from carico.rules.deal import Deal
from carico.rules.game import game
from carico.rules.view import View, view
from carico.seat_processes import process_per_seat

BOTS = """
import asyncio, json, os, sys
from carico import Bot

class Teller(Bot):
    asks = 0
    def act(self, view):
        self.asks += 1
        print("a bot may print", flush=True)
        told = {"pid": os.getpid(), "seat": view.seat, "hand": [str(card) for card in view.hand], "asks": self.asks,
                "token": "CARICO_TOKEN" in os.environ, "chance": self.chance(view).random()}
        with open(os.environ["TOLD"], "a") as file:
            file.write(json.dumps(told) + "\\n")
        return view.legal[-1]

class Slow(Bot):
    async def act(self, view):
        await asyncio.sleep(0)
        return view.legal[0]

class Wrong(Bot):
    def act(self, view):
        if view.seat == 0:
            raise RuntimeError("lost my way")
        if view.seat == 1:
            return "AC"
        os._exit(3)
"""


def made(folder: Path, name: str) -> type[Bot]:
    file = folder / "bots.py"
    file.write_text(BOTS)
    return process_per_seat([sys.executable, "-P", "-m", "clients.cli.seat", f"{file}:{name}"])


def views() -> list[View]:
    """What each seat sees at its first decision of a deal of four."""
    deal = Deal(game("briscola-4"), 3, game("briscola-4").pack)
    found: dict[int, View] = {}
    while len(found) < 4:
        assert deal.to_act is not None
        found[deal.to_act] = view(deal, deal.to_act)
        deal.apply(deal.legal()[0])
    return [found[seat] for seat in range(4)]


async def asked(bot: Bot, seen: View) -> object:
    answer = bot.act(seen)
    return await asyncio.wait_for(answer, 60)  # type: ignore[arg-type]


def test_each_seat_has_a_process_that_sees_its_hand_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOLD", str(tmp_path / "told"))
    monkeypatch.setenv("CARICO_TOKEN", "carico_secret")
    seen = views()

    async def play() -> None:
        seat_bot = made(tmp_path, "Teller")
        for deals in range(2):
            side = {seat: seat_bot() for seat in (0, 2)}
            for bot in side.values():
                bot.seed = b"7"
            for times in range(deals + 1):
                for seat, bot in side.items():
                    assert await asked(bot, seen[seat]) == seen[seat].legal[-1], times

    asyncio.run(play())
    told = [json.loads(line) for line in (tmp_path / "told").read_text().splitlines()]
    assert [(row["seat"], row["asks"]) for row in told] == [(0, 1), (2, 1), (0, 1), (2, 1), (0, 2), (2, 2)]
    pids = {seat: {row["pid"] for row in told if row["seat"] == seat} for seat in (0, 2)}
    assert all(len(own) == 1 for own in pids.values())
    assert len({os.getpid(), *pids[0], *pids[2]}) == 3
    reference = Bot()
    reference.seed = b"7"
    for row in told:
        assert row["hand"] == [str(card) for card in seen[row["seat"]].hand]
        assert row["chance"] == reference.chance(seen[row["seat"]]).random()
        assert not row["token"]


def test_async_bots_and_what_goes_wrong(tmp_path: Path) -> None:
    seen = views()

    async def play() -> None:
        slow = made(tmp_path, "Slow")
        assert await asked(slow(), seen[1]) == seen[1].legal[0]
        wrong = made(tmp_path, "Wrong")
        with pytest.raises(BotFailed, match="act raised RuntimeError: lost my way"):
            await asked(wrong(), seen[0])
        with pytest.raises(BotFailed, match=r"act returned 'AC': return one of view\.legal"):
            await asked(wrong(), seen[1])
        for _ in range(2):  # it is started again
            with pytest.raises(BotFailed, match="the process of this seat ended"):
                await asked(wrong(), seen[2])

    asyncio.run(play())
