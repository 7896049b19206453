"""The catalogue is complete, and every refusal in the code has the facts that its sentence asks for."""

import ast
import string
from pathlib import Path

import grpc
import pytest

import referee.service
from referee.service.errors import CATALOGUE, Reason, Refused, refusal
from referee.store.accounts import AccountError, BadName, BotExists, FrozenVersion, NoSuchBot
from referee.store.log import LogUnavailable

ROOM = Path(referee.service.__file__).parent


def facts_of(reason: Reason) -> set[str]:
    """The facts that a sentence asks for."""
    return {name for _, name, _, _ in string.Formatter().parse(CATALOGUE[reason][1]) if name is not None}


def raised_in_code() -> list[tuple[str, str, set[str] | None]]:
    """(where, reason, names of its facts or None where they are not written out) of every Refused in the room."""
    found = []
    for path in sorted(ROOM.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != "Refused":
                continue
            (reason,) = node.args
            names = {keyword.arg for keyword in node.keywords}
            known = None if None in names else {name for name in names if name is not None}
            found.append((f"{path.name}:{node.lineno}", ast.unparse(reason), known))
    return found


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_has_a_status_and_a_sentence(reason: Reason) -> None:
    code, sentence = CATALOGUE[reason]
    assert isinstance(code, grpc.StatusCode)
    assert code not in (grpc.StatusCode.OK, grpc.StatusCode.UNKNOWN)
    assert sentence.strip() == sentence
    refused = Refused(reason, **dict.fromkeys(facts_of(reason), "{a fact}"))
    assert refused.sentence.startswith(f"{reason.value}: ")
    assert refused.code is code


def test_every_refusal_has_the_facts_of_its_sentence() -> None:
    found = raised_in_code()
    assert len(found) > 15
    for where, reason, facts in found:
        if reason.startswith("Reason.") and facts is not None:
            assert facts == facts_of(Reason[reason.removeprefix("Reason.")]), where


def test_every_reason_is_given_somewhere() -> None:
    code = "".join(path.read_text() for path in ROOM.glob("*.py") if path.name != "errors.py")
    inside = (ROOM / "errors.py").read_text()
    for reason in Reason:
        given = code.count(f"Reason.{reason.name}") + inside.count(f"Reason.{reason.name}") - 1
        assert given >= 1, reason


def test_facts_cannot_change_a_sentence() -> None:
    assert "{bot}" in Refused(Reason.BAD_NAME, text="{bot} {0} %s").sentence


def test_a_fact_that_is_missing_is_a_mistake_of_ours() -> None:
    with pytest.raises(KeyError):
        Refused(Reason.RELEASED)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (BadName("bot", "a b"), Reason.BAD_NAME),
        (BotExists("ann"), Reason.BOT_EXISTS),
        (NoSuchBot("ann"), Reason.NO_SUCH_BOT),
        (FrozenVersion("ann", "1"), Reason.FROZEN_VERSION),
        (LogUnavailable("the store at redis://secret: down"), Reason.STORE_DOWN),
    ],
)
def test_errors_of_the_store_become_refusals(error: AccountError | LogUnavailable, reason: Reason) -> None:
    told = refusal(error)
    assert told.reason is reason
    assert "secret" not in told.sentence


def test_no_error_about_accounts_is_without_a_reason() -> None:
    for kind in AccountError.__subclasses__():
        example = {BadName: ("bot", "x"), FrozenVersion: ("ann", "1")}.get(kind, ("ann",))
        assert refusal(kind(*example)).sentence
