from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worker.tournament.chunks import Chunk, chunks
from worker.tournament.fixtures import Fixture
from worker.tournament.schedule import appended, round_robin


def test_a_fixture_is_cut_into_chunks_with_the_rest_last() -> None:
    fixture = Fixture(3, 0, 0, (0, 1), 20, 7)
    assert list(chunks([fixture], 3, first=5)) == [Chunk(5, 3, 20, 3), Chunk(6, 3, 23, 3), Chunk(7, 3, 26, 1)]


@given(st.integers(2, 6), st.integers(1, 7), st.integers(1, 9))
def test_the_chunks_hold_every_match_once_and_number_through(entrants: int, sets: int, size: int) -> None:
    fixtures = round_robin(entrants, 2, 1, sets)
    late = appended(entrants, range(entrants), fixtures, sets)
    cut = list(chunks(fixtures, size))
    cut += chunks(late, size, first=len(cut))
    by_number = {fixture.number: fixture for fixture in fixtures + late}
    played = chain.from_iterable(by_number[chunk.fixture].matches(chunk.deal_sets) for chunk in cut)
    assert list(played) == [plan for fixture in fixtures + late for plan in fixture.matches()]
    assert [chunk.number for chunk in cut] == list(range(len(cut)))
    assert all(1 <= chunk.sets <= size for chunk in cut)


def test_a_chunk_holds_something() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        list(chunks(round_robin(2, 2, 1, 1), 0))
