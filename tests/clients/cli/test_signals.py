"""The first signal ends the command, the next says: at once."""

import os
import signal

import pytest

from clients.cli.signals import Ended, heard, held_back


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_the_first_raises_and_the_second_is_urgent(number: signal.Signals, code: int) -> None:
    before = signal.getsignal(number)
    with heard() as signals:
        with pytest.raises(Ended) as ended:
            os.kill(os.getpid(), number)
        assert ended.value.exit_code == code
        assert signals.urgent is False
        with pytest.raises(Ended):
            signals.check()
        os.kill(os.getpid(), signal.SIGINT)
        urgent: bool = signals.urgent
        assert urgent
    assert signal.getsignal(number) is before


def test_without_a_signal_nothing_happens() -> None:
    with heard() as signals:
        signals.check()
        assert not signals.urgent


def test_what_comes_while_signals_are_held_back_comes_afterwards() -> None:
    first: list[int | None] = []

    def hold() -> None:
        with held_back():
            os.kill(os.getpid(), signal.SIGTERM)
            os.kill(os.getpid(), signal.SIGTERM)
            first.append(signals.first)

    with heard() as signals:
        with pytest.raises(Ended):
            hold()
        assert first == [None]
        assert signals.first == signal.SIGTERM
