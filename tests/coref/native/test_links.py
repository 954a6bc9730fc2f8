"""Links in columns equal the lists of pairs they were made from."""

from __future__ import annotations

import pytest

from coref.native.antecedents import Link, Links

EVERY: list[list[Link]] = [[], [(0, 0.5)], [], [(0, 0.25), (2, 0.125)], [(3, 1.0)]]


def links(*every: list[list[Link]]) -> Links:
    made = Links()
    for some in every:
        flat = [link for each in some for link in each]
        made.add([len(each) for each in some], [at for at, _ in flat], [share for _, share in flat])
    return made


@pytest.mark.parametrize("cut", range(len(EVERY) + 1))
def test_each_mention_has_its_own_however_they_came(cut: int) -> None:
    made = links(EVERY[:cut], EVERY[cut:])
    assert list(made) == EVERY
    assert [made[at] for at in range(-len(EVERY), 0)] == EVERY
    assert made[1:4] == EVERY[1:4]
    assert len(made) == len(EVERY)


def test_there_are_none_beyond_the_last() -> None:
    for made in (links(), links(EVERY)):
        for at in (len(made), -len(made) - 1):
            with pytest.raises(IndexError):
                made[at]


def test_what_was_counted_must_be_there() -> None:
    with pytest.raises(ValueError, match="2 links were counted, 1 are there"):
        Links().add([2], [0], [0.5])
