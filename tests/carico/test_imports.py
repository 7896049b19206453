"""What is light stays light: the rules and the names of the SDK load no gRPC."""

import subprocess
import sys

import pytest

HEAVY = "grpc", "google.protobuf", "asyncio", "celery", "redis"


@pytest.mark.parametrize(
    ("code", "free_of"),
    [
        ("import carico.rules.game, carico.rules.view, carico.rules.outcome", HEAVY),
        ("from carico import Bot, View, Card", HEAVY),
        ("import clients.bots.counter, clients.bots.random_bot", HEAVY),
        ("import carico.arena, carico.load", ("grpc",)),
        ("from carico import play", ()),
    ],
)
def test_what_an_import_loads(code: str, free_of: tuple[str, ...]) -> None:
    program = f"import sys\n{code}\nprint(*[name for name in {free_of!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ""


def test_grpc_does_not_chatter() -> None:
    program = (
        "import os; os.environ.pop('GRPC_VERBOSITY', 0); import carico.connection; print(os.environ['GRPC_VERBOSITY'])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "ERROR", done.stderr


def test_a_name_that_is_not_there() -> None:
    import carico

    assert dir(carico) == ["Action", "Bot", "Card", "View", "play"]
    with pytest.raises(AttributeError, match="Boot"):
        carico.Boot  # noqa: B018
