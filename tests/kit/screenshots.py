"""``./dev screenshots``: pictures of every page of a dashboard, at two widths, light and dark."""

import json
import sys
import urllib.request
from pathlib import Path

from tests.kit.browser import CHROMIUM, NONE_HERE, Browser

SIZES = {"wide": (1440, 900), "narrow": (390, 844)}


def pages_of(base: str) -> dict[str, str]:
    """By name the path of each kind of page, for each season: a fixture that is over, a deck, a deal midway."""
    found = {"index": "/", "bots": "/bots", "platform": "/platform", "api": "/api"}
    for season in _ask(base, "/seasons")["seasons"]:
        id_ = season["id"]
        home = f"/seasons/{id_}"
        found[f"{id_}-season"] = home
        found[f"{id_}-fixtures"] = f"{home}/fixtures"
        over = [f for f in _ask(base, f"{home}/fixtures")["fixtures"] if f["finished_deal_sets"]]
        if over:
            fixture = f"{home}/fixtures/{over[0]['number']}"
            deck = f"{fixture}/decks/{over[0]['finished_deal_sets'][0]}"
            found |= {f"{id_}-fixture": fixture, f"{id_}-deck": deck, f"{id_}-replay": f"{deck}/0?at=7"}
            found |= {f"{id_}-seat": f"{deck}/0?at=12&seat=0&cards=french"}
            found[f"{id_}-bot"] = f"/bots/{over[0]['entrants'][0]['bot']}"
    return found


def _ask(base: str, path: str) -> dict:
    with urllib.request.urlopen(f"{base}/api/v1{path}") as answer:
        return json.load(answer)


def main(arguments: list[str]) -> int:
    """Takes the pictures. Arguments: the address of a running dashboard, and the folder."""
    if CHROMIUM is None:
        print(f"screenshots: {NONE_HERE}", file=sys.stderr)
        return 1
    if len(arguments) != 2:
        print("usage: ./dev screenshots http://127.0.0.1:PORT FOLDER", file=sys.stderr)
        return 2
    base, folder = arguments[0].rstrip("/"), Path(arguments[1])
    folder.mkdir(parents=True, exist_ok=True)
    pages = pages_of(base)
    with Browser() as browser:
        for dark in (False, True):
            for size, (width, height) in SIZES.items():
                page = browser.page(width, height, dark=dark)
                for name, path in pages.items():
                    page.go(f"{base}{path}")
                    page.wait("document.readyState === 'complete'")
                    page.picture(folder / f"{name}-{size}-{'dark' if dark else 'light'}.png")
                for error in page.errors:
                    print(f"{size}: {error}", file=sys.stderr)
    print(f"{len(pages) * 4} pictures in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
