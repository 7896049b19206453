"""Records made by the naive engine alone, played at random: of games that nothing else can play yet, too."""

from tests.kit.naive.games import pack_of, two_sides
from tests.kit.naive.hashes import hash_of, practice_key, shuffled
from tests.kit.naive.matches import place_of
from tests.kit.naive.replay import outcome_of, replayed
from tests.kit.naive.stock import realised, stock_law


def played(game, options, rng, seed=0, **place):
    """A whole record of a practice deal; `place` gives `deal_set`, `fixture`, `seating`, `deal`, `season`, `match`."""
    variant, players = game.split("-")
    at = {"season": None, "deal_set": 0, "fixture": None, "seating": 0, "deal": 0, "match": "m", **place}
    head = {"variant": variant, "players": int(players), "options": options, "time_control": None}
    ahead = {**at, **head, "attempt": 0, "dealer": (at["deal_set"] + at["deal"]) % int(players)}
    key = practice_key(seed, ahead)

    def entrant(seat):
        places = 2 if two_sides(ahead) else int(players)
        return f"b{(place_of(ahead, seat) - at['seating']) % places}"

    source = shuffled(key, pack_of(ahead))
    record = {
        "format": "carico.deal/1",
        **{key: ahead[key] for key in ("season", "deal_set", "fixture", "seating", "deal", "attempt", "match")},
        **head,
        "dealer": ahead["dealer"],
        "deck": source,
        "seats": [{"bot": entrant(seat), "version": "1", "owner": "o"} for seat in range(int(players))],
        "actions": [],
        "clock": [],
        "stand_in": [],
        "outcome": {"faults": []},
        "shuffle": {
            "scheme": "carico.shuffle/1",
            "stock": stock_law(ahead),
            "source": source,
            "commitment": None,
            "key": key.hex(),
        },
    }
    table = replayed(record)
    while not table.over:
        record["actions"].append([table.to_act, *rng.choice(table.legal())])
        # A block of the stock is put in order once its winner is known; until then any order will do.
        record["deck"] = realised(record, source, [*replayed(record).winners, *[0] * len(source)])
        table = replayed(record)
    return {**record, "outcome": outcome_of(record, table), "hash": hash_of(record)}
