"""The parts of a league as programs of their own: ``python roles.py ROLE ARGUMENT...`` (a bot: and CARICO_TOKEN)."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

ORGANISER_TOKEN = "carico_organiser-of-the-tests"


def referee(listen: str, redis: str) -> int:
    """A referee; an empty ``redis`` keeps all in memory."""
    from referee.serve import Settings, run

    return run(Settings(listen, ORGANISER_TOKEN, redis or None))


def worker(redis: str, address: str, concurrency: str, lease_ms: str, seed: str = "", share: str = "") -> int:
    """A Celery worker; with a seed and a share one that sends everything thrice and dies (``sudden_deaths``)."""
    from worker.app import run
    from worker.play import Terms
    from worker.settings import Settings

    if seed:
        from tests.kit.sudden_deaths import die_suddenly, send_thrice

        send_thrice()
        die_suddenly(int(seed), float(share))
    terms = Terms(lease_ms=int(lease_ms), beat_ms=min(1000, int(lease_ms) // 3), look_again_ms=200)
    return run(Settings(redis, address, ORGANISER_TOKEN, concurrency=int(concurrency), terms=terms))


def bot(house: str, address: str, name: str, seed: str, version: str) -> int:
    """A house bot under any name, with its token in CARICO_TOKEN."""
    from importlib import import_module

    from carico.runner import play
    from clients.bots import HOUSE_BOTS

    named = "tests.kit.ponderer:Ponderer" if house == "ponderer" else HOUSE_BOTS[house]
    module, _, name_of_class = named.partition(":")
    made = getattr(import_module(module), name_of_class)
    play(made, name=name, version=version, referee=address, seed=bytes.fromhex(seed))
    return 0


def villain(kind: str, address: str, name: str) -> int:
    """A villain of the cast, by its class's name, with its token in CARICO_TOKEN; it comes back when its line ends."""
    import asyncio
    import os

    from tests.kit.cast import CAST

    (made,) = [one for one in CAST if one.__name__ == kind]

    async def live() -> None:
        bot = made(address, os.environ["CARICO_TOKEN"], name)
        while True:
            await bot.connect()
            while bot.status is None and bot.channel is not None:  # noqa: ASYNC110 - it tells nobody when it changes
                await asyncio.sleep(0.1)
            await asyncio.sleep(0.5)

    asyncio.run(live())
    return 0


if __name__ == "__main__":
    sys.exit({"referee": referee, "worker": worker, "bot": bot, "villain": villain}[sys.argv[1]](*sys.argv[2:]))
