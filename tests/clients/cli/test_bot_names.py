"""What BOT means."""

from pathlib import Path

import pytest

from clients.bots.greedy import Greedy
from clients.cli.bot_names import find_bot, find_bots, numbered
from clients.cli.failure import BadUsage

FILE = "from carico import Bot\n\nclass MyBot(Bot):\n    def act(self, view):\n        return view.legal[0]\n"


def test_house_bots_by_name() -> None:
    assert find_bot("greedy") is Greedy


def test_a_class_in_a_file_is_named_in_lower_case(tmp_path: Path) -> None:
    file = tmp_path / "a file.py"
    file.write_text(FILE)
    found = find_bots([f"{file}:MyBot", "greedy", f"{file}:MyBot", "greedy"])
    assert [bot.name for bot in found] == ["mybot", "greedy", "mybot-2", "greedy-2"]
    assert found[0].made is not None


def test_numbers_never_give_a_name_twice() -> None:
    assert numbered(["a", "a", "a-2", "a"]) == ["a", "a-3", "a-2", "a-4"]


@pytest.mark.parametrize(
    ("text", "told"),
    [("gredy", "greedy"), ("no.py:X", "no such file"), ("file.py", "which class"), ("file.py:Other", "MyBot")],
)
def test_what_is_no_bot(text: str, told: str) -> None:
    Path("file.py").write_text(FILE)
    with pytest.raises(BadUsage, match=told):
        find_bot(text)
