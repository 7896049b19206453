"""The client session against the match machine, without a network, and alone against odd frames."""

import pytest

from carico.bot import Bot
from carico.codec import NO_ACTION, BadMessage, game_message, write_view
from carico.rules import shuffle
from carico.rules.cards import Card
from carico.rules.deal import Deal
from carico.rules.game import Game, game
from carico.rules.view import View, view
from carico.session import FRAME_LIMIT, STREAMS_KEPT, Asked, MatchEnded, MatchStarted, Noticed, Session, Welcomed
from carico.time_control import TimeControl
from carico.v1 import bots_pb2 as pb
from clients.bots.random_bot import RandomBot
from referee.match.spec import MatchSpec, Seat
from tests.kit.deals import EVERY
from tests.kit.joined import Joined

MASTER = shuffle.master(shuffle.practice_secret(5))


def spec(number: int, of: Game, *bots: str) -> MatchSpec:
    seats = tuple(Seat(bots[of.side_of[seat] % len(bots)], "1") for seat in range(of.players))
    keys = [shuffle.deck_key(MASTER, of.name, number, deal, 0) for deal in range(of.most_deals)]
    source, *more = (shuffle.source(key, of.pack) for key in keys)
    names = f"id-{number}", f"handle-{number}"
    return MatchSpec(*names, of, number % of.players, source, seats, TimeControl(), tuple(more))


class Objects(RandomBot):
    """Remembers what each object was asked; ``made`` holds all of them."""

    made: list["Objects"] = []  # noqa: RUF012

    def __init__(self) -> None:
        self.views: list[View] = []
        Objects.made.append(self)

    def act(self, view: View) -> Card:
        self.views.append(view)
        return super().act(view)


@pytest.fixture(autouse=True)
def forget() -> None:
    Objects.made = []


@pytest.mark.parametrize("name", EVERY)
def test_whole_deals_through_both_ends(name: str) -> None:
    of = game(name)
    joined = Joined(a=Objects, b=Objects)
    matches = [joined.start(spec(number, of, "a", "b")) for number in range(7)]
    joined.run()
    assert all(match.over and not match.faults for match in matches)
    assert not joined.ignored
    for side in joined.sides.values():
        assert len(side.told(MatchStarted)) == len(side.told(MatchEnded)) == 7
        assert len(side.told(Welcomed)) == 1
        assert side.session.open_matches == 0
    # A new object per deal and seat, each asked once a trick for a card and always for the same seat.
    assert len(Objects.made) == 7 * of.players
    passed_out = of.players * sum(match.deal.passed_out for match in matches)
    assert [len([v for v in bot.views if v.phase == "play"]) for bot in Objects.made].count(of.tricks) == (
        len(Objects.made) - passed_out
    )
    phases = {view.phase for bot in Objects.made for view in bot.views}
    assert phases == {"brisca": {"play", "exchange"}, "chiamata": {"auction", "call", "play"}}.get(of.variant, {"play"})
    for bot in Objects.made:
        assert len({view.seat for view in bot.views}) == 1


@pytest.mark.parametrize("deltas", [False, True], ids=["snapshots", "deltas"])
@pytest.mark.parametrize("name", ["brisca-4", "chiamata-5", "briscolone-2"])
def test_matches_of_several_deals_through_both_ends(name: str, deltas: bool) -> None:
    of = game(name, {"match": {"deals": 5}})
    joined = Joined(deltas, a=Objects, b=Objects)
    matches = [joined.start(spec(number, of, "a", "b")) for number in range(3)]
    steps = 0
    while not all(match.over for match in matches):
        for side in joined.sides:
            steps += 1
            if steps % 5 == 0:
                joined.restate(side)
            joined.step(side)
    assert not joined.ignored
    assert not any(played.faults for match in matches for played in match.deals)
    joined.run()
    assert len(Objects.made) == 3 * 5 * of.players, "a new object for each deal and seat"
    for side in joined.sides.values():
        asks: dict[tuple[str, int], list[int]] = {}
        deals: dict[tuple[str, int], list[int]] = {}
        for event in side.told(Asked):
            assert isinstance(event, Asked)
            asks.setdefault((event.match, event.seat), []).append(event.number)
            deals.setdefault((event.match, event.seat), []).append(event.deal)
        assert all(numbers == list(range(1, len(numbers) + 1)) for numbers in asks.values())
        assert all(told == sorted(told) and set(told) == {0, 1, 2, 3, 4} for told in deals.values())
    for match in matches:
        for number, played in enumerate(match.deals):
            dealer = played.deal.dealer
            assert dealer == (match.spec.dealer + number) % of.players
    for side in joined.sides.values():
        for event in side.told(MatchEnded):
            assert isinstance(event, MatchEnded)
            played = joined.matches[event.match].deals
            ends = [one.outcome for one in played if one.outcome is not None]
            assert [(d.winners, d.card_points, d.scores) for d in event.deals] == [
                (end.winners, end.card_points, end.scores) for end in ends
            ]
            assert event.own_faults == []


def test_many_answers_go_in_few_frames_up_to_the_limit() -> None:
    joined = Joined(a=RandomBot, b=RandomBot)
    for number in range(0, 14, 2):  # the dealer is seat 0, so seat 1 leads in all seven
        joined.start(spec(number, game("briscola-2"), "a", "b"))
    joined.step("a")
    joined.step("b")
    # b answers seven asks; the limit of the welcome is five messages.
    assert joined.frames == 2


@pytest.mark.parametrize("deltas", [False, True], ids=["snapshots", "deltas"])
@pytest.mark.parametrize("every", [1, 3, 7])
def test_streams_break_again_and_again_and_nothing_is_lost_or_asked_twice(every: int, deltas: bool) -> None:
    def play(breaking: bool) -> list[list[tuple[int, int]]]:
        joined = Joined(deltas, a=Objects, b=Objects)
        matches = [joined.start(spec(number, game("briscola-2"), "a", "b")) for number in range(4)]
        steps = 0
        while not all(match.over for match in matches):
            for name in joined.sides:
                steps += 1
                if breaking and steps % (every + 1) == 0:
                    joined.restate(name)
                joined.step(name)
        assert not any(match.faults for match in matches)
        assert not joined.ignored
        return [match.deal.actions for match in matches]

    calm = play(breaking=False)
    Objects.made = []
    assert play(breaking=True) == calm
    for bot in Objects.made:
        assert len(bot.views) == len(set(bot.views))


def ask_of(of: Game, match: str, number: int = 1, deal: int = 0, seat: int | None = None) -> pb.Ask:
    state = Deal(of, 0, spec(0, of, "a", "b").source)
    who = state.to_act if seat is None else seat
    ask = pb.Ask(match=match, seat=who, number=number, deal=deal)
    write_view(view(state, who), ask.view)
    return ask


def session(frame: pb.PlayResponse | None = None) -> Session[Bot]:
    """One that was welcomed, and has read that frame too."""
    made: Session[Bot] = Session(RandomBot, bot="a", version="1")
    made.connect()
    made.next_frame()
    made.receive(pb.PlayResponse(welcome=pb.Welcome(protocol=1, frame_limit=100)))
    if frame is not None:
        made.receive(frame)
    return made


TWO = game("briscola-2")
START = pb.MatchStart(match="m", seats=b"\x01", game=game_message(TWO))


def test_an_answer_lost_on_its_way_is_given_again_and_the_bot_is_not_asked() -> None:
    ours = session()
    (asked,) = [e for e in ours.receive(pb.PlayResponse(starts=[START], asks=[ask_of(TWO, "m")])) if type(e) is Asked]
    ours.answer("m", 1, 1, asked.view.legal[2])
    first = ours.next_frame()
    assert first is not None
    ours.connect()
    ours.next_frame()
    events = ours.receive(pb.PlayResponse(welcome=pb.Welcome(protocol=1), starts=[START], asks=[ask_of(TWO, "m")]))
    assert [type(e) for e in events] == [Welcomed]
    again = ours.next_frame()
    assert again is not None
    assert list(again.answers) == list(first.answers)


def test_a_decision_that_falls_while_the_line_is_down_goes_out_when_the_ask_is_repeated() -> None:
    ours = session(pb.PlayResponse(starts=[START], asks=[ask_of(TWO, "m")]))
    ours.connect()
    ours.answer("m", 1, 1, 5)
    hello = ours.next_frame()
    assert hello is not None
    assert hello.HasField("hello")
    assert ours.next_frame() is None
    ours.receive(pb.PlayResponse(welcome=pb.Welcome(protocol=1), starts=[START], asks=[ask_of(TWO, "m")]))
    frame = ours.next_frame()
    assert frame is not None
    assert [answer.action.card for answer in frame.answers] == [5]


def test_an_answer_that_was_not_sent_before_the_stream_broke_is_sent_once() -> None:
    ours = session(pb.PlayResponse(starts=[START], asks=[ask_of(TWO, "m")]))
    ours.answer("m", 1, 1, 5)
    ours.connect()
    ours.next_frame()
    ours.receive(pb.PlayResponse(welcome=pb.Welcome(protocol=1), starts=[START], asks=[ask_of(TWO, "m")]))
    frame = ours.next_frame()
    assert frame is not None
    assert [answer.action.card for answer in frame.answers] == [5]


def test_an_ask_is_decided_once() -> None:
    ours = session(pb.PlayResponse(starts=[START], asks=[ask_of(TWO, "m")]))
    ours.answer("m", 1, 1, 5)
    ours.answer("m", 1, 1, 6)
    ours.answer("m", 1, 2, 6)
    ours.answer("m", 0, 1, 6)
    ours.answer("unknown", 1, 1, 6)
    frame = ours.next_frame()
    assert frame is not None
    assert [answer.action.card for answer in frame.answers] == [5]
    assert ours.next_frame() is None


def test_a_new_deal_of_a_match_gets_a_new_object() -> None:
    ours = session(pb.PlayResponse(starts=[START]))
    asks = [ask_of(TWO, "m", 1, 0), ask_of(TWO, "m", 2, 0), ask_of(TWO, "m", 3, 1)]
    bots = [e.bot for ask in asks for e in ours.receive(pb.PlayResponse(asks=[ask])) if isinstance(e, Asked)]
    assert bots[0] is bots[1]
    assert bots[1] is not bots[2]


def test_an_end_is_told_once_and_acknowledged_each_time() -> None:
    ours = session()
    end = pb.MatchEnd(match="m", seats=b"\x01", winners=b"\x01", card_points=b"\x32\x46", scores=[0, 2])
    (event,) = ours.receive(pb.PlayResponse(ends=[end]))
    assert event == MatchEnded((1,), (50, 70), (0, 2), (), (), "m", (1,), False)
    ours.connect()
    assert ours.receive(pb.PlayResponse(welcome=pb.Welcome(protocol=1), ends=[end]))[1:] == []
    ours.next_frame()
    frame = ours.next_frame()
    assert frame is not None
    assert list(frame.seen_ends) == ["m"]


def test_matches_that_the_referee_has_lost_are_forgotten_in_the_end() -> None:
    ours = session(pb.PlayResponse(starts=[START]))
    left = []
    for _ in range(STREAMS_KEPT + 1):
        ours.connect()
        left.append(ours.open_matches)
        ours.receive(pb.PlayResponse(welcome=pb.Welcome(protocol=1)))
    assert left == [1] * STREAMS_KEPT + [0]


def test_a_match_is_not_forgotten_while_no_stream_is_to_be_had() -> None:
    ours = session(pb.PlayResponse(starts=[START]))
    for _ in range(3 * STREAMS_KEPT):
        ours.connect()
    assert ours.receive(pb.PlayResponse(welcome=pb.Welcome(protocol=1), starts=[START]))[1:] == []


def test_what_this_version_does_not_know_does_no_harm() -> None:
    ours = session()
    start = pb.MatchStart(match="m", seats=b"\x00", game=pb.MatchStart().game)
    start.game.name = "tressette-4"
    frame = pb.PlayResponse(starts=[start], asks=[ask_of(TWO, "m"), ask_of(TWO, "never-started")])
    data = frame.SerializeToString() + b"\xf2\x3e\x03new"  # field 1006, which no version has yet
    (notice,) = ours.receive(pb.PlayResponse.FromString(data))
    assert isinstance(notice, Noticed)
    assert "tressette-4" in notice.text
    sent = ours.next_frame()
    assert sent is not None
    # Nobody has to wait for a flag: each ask is answered with nothing at once.
    assert [(a.match, a.action.kind) for a in sent.answers] == [("m", 0), ("never-started", 0)]
    odd = pb.MatchEnd(match="m", seats=b"\x00")
    odd.faults.add(seat=0, reason=99)  # type: ignore[arg-type]
    odd.faults.add(seat=1, reason=1, detail="why")  # type: ignore[arg-type]
    (end,) = ours.receive(pb.PlayResponse(ends=[odd]))
    assert isinstance(end, MatchEnded)
    assert [fault.seat for fault in end.faults] == [1]
    assert end.details == ("why",)


def test_an_action_that_is_none_is_sent_as_none() -> None:
    ours = session(pb.PlayResponse(starts=[START], asks=[ask_of(TWO, "m")]))
    ours.answer("m", 1, 1, NO_ACTION)
    frame = ours.next_frame()
    assert frame is not None
    assert frame.answers[0].action.kind == 0


@pytest.mark.parametrize("frame", [pb.PlayResponse(), pb.PlayResponse(welcome=pb.Welcome(protocol=2))])
def test_no_talk_without_a_welcome_of_our_version(frame: pb.PlayResponse) -> None:
    ours: Session[Bot] = Session(RandomBot, bot="a", version="1")
    ours.connect()
    with pytest.raises(BadMessage):
        ours.receive(frame)


def test_frames_stay_small_whatever_the_referee_allows() -> None:
    ours: Session[Bot] = Session(RandomBot, bot="a", version="1")
    ours.connect()
    ours.next_frame()
    ours.receive(pb.PlayResponse(welcome=pb.Welcome(protocol=1, frame_limit=1_000_000)))
    ours.receive(pb.PlayResponse(ends=[pb.MatchEnd(match=f"{n:016x}") for n in range(3 * FRAME_LIMIT)]))
    sizes = []
    while (frame := ours.next_frame()) is not None:
        sizes.append(len(frame.seen_ends))
        assert frame.ByteSize() < 64_000
    assert sizes == [FRAME_LIMIT] * 3


@pytest.mark.parametrize("name", EVERY)
def test_a_bot_sees_the_same_in_both_view_modes(name: str) -> None:
    of = game(name)

    def views(deltas: bool) -> list[View]:
        joined = Joined(deltas, a=Objects, b=Objects)
        joined.start(spec(3, of, "a", "b"))
        joined.run()
        return [event.view for side in joined.sides.values() for event in side.told(Asked)]

    assert views(deltas=True) == views(deltas=False)


def test_what_changed_before_the_whole_view_is_refused() -> None:
    of = game("briscola-2")
    ask = ask_of(of, "m")
    change = pb.Ask(match="m", seat=ask.seat, number=1, change=pb.Change(hand=ask.view.hand))
    start = pb.MatchStart(match="m", seats=bytes((ask.seat,)))
    start.game.name = of.name
    with pytest.raises(BadMessage, match="changes for seat 1 came before its whole view"):
        session(pb.PlayResponse(starts=[start], asks=[change]))


def test_what_changed_is_never_taken_for_a_view_of_another_stream() -> None:
    of = game("briscola-2")
    ask = ask_of(of, "m")
    start = pb.MatchStart(match="m", seats=bytes((ask.seat,)))
    start.game.name = of.name
    made = session(pb.PlayResponse(starts=[start], asks=[ask]))
    made.connect()
    made.receive(pb.PlayResponse(welcome=pb.Welcome(protocol=1), starts=[start]))
    later = pb.Ask(match="m", seat=ask.seat, number=2, change=pb.Change(hand=ask.view.hand))
    with pytest.raises(BadMessage, match="before its whole view"):
        made.receive(pb.PlayResponse(asks=[later]))
