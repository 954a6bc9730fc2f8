"""Names that the rules lack, from what the network reads."""

from __future__ import annotations

import re

import pytest

from coref.native.book_pass import FoundMentions
from coref.native.groundwork import lay
from coref.native.mention_candidates import sight
from coref.native.read_names import with_read_names
from coref.types import EntityCategory, MentionKind
from tests.coref.conftest import make_book

RANCH = (
    "They met Andy Green by the old green barn. He gave Andy Green a rope, and Happy Jack saw it. They were "
    "happy, happy days. Then Happy Jack and Andy Green rode with Happy Jack, and Andy laughed."
)


def names(
    text: str,
    *found: str,
    kind: MentionKind = MentionKind.PROPER,
    category: EntityCategory = EntityCategory.PERSON,
    most: int | None = None,
) -> list[str]:
    """Return the names in the text, if the network finds these words there, or the first `most` of each."""
    ground = lay(make_book(text))
    read = FoundMentions()
    for words in found:
        for at in [match.start() for match in re.finditer(re.escape(words), text)][:most]:
            read.spans.append(ground.words.within(at, at + len(words)))
            read.kinds.append(kind)
            read.categories.append(category)
    uses = with_read_names(ground.tokens, ground.uses, sight(read, ground.words, ground.tokens))
    assert [use.first for use in uses] == sorted({use.first for use in uses})
    return [ground.tokens.surface(use.first, use.end) for use in uses]


def test_the_rules_alone_take_it_for_a_village_and_a_mood() -> None:
    assert names(RANCH) == ["Jack", "Jack", "Jack", "Andy"]


def test_a_name_that_the_network_reads_is_one() -> None:
    assert names(RANCH, "Andy Green") == [
        "Andy Green",
        "Andy Green",
        "Jack",
        "Jack",
        "Andy Green",
        "Jack",
        "Andy",
    ]


def test_a_longer_name_takes_the_place_of_its_part() -> None:
    assert names(RANCH, "Happy Jack") == ["Happy Jack"] * 3 + ["Andy"]


def test_a_part_that_is_mostly_used_alone_keeps_its_places() -> None:
    more = RANCH + " “Jack!” cried Jack. Jack ran, and so Jack and Jack met."
    assert "Happy Jack" not in names(more, "Happy Jack")


@pytest.mark.parametrize("change", ["seldom", "place", "noun"])
def test_what_is_hardly_read_as_a_name_is_none(change: str) -> None:
    text = RANCH.replace("Andy Green rode", "he rode") if change == "seldom" else RANCH
    kind = MentionKind.NOMINAL if change == "noun" else MentionKind.PROPER
    category = EntityCategory.LOCATION if change == "place" else EntityCategory.PERSON
    assert names(text, "Andy Green", kind=kind, category=category) == names(text)


def test_a_word_for_anybody_is_none() -> None:
    text = "“Come!” said Papa to Ann. “Come!” And Papa and Papa laughed with Ann."
    assert names(text, "Papa") == names(text)


def test_an_article_is_no_part_of_it() -> None:
    text = "They met the Swift. The Swift came back. There went the Swift, swift as the wind, swift, swift."
    assert names(text, "the Swift", "The Swift") == ["Swift"] * 3
    family = "The Hales came. The Hales went. Where were the Hales, and Ann Hale?"
    assert names(family, "The Hales", "the Hales") == names(family)


def test_a_name_that_the_network_reads_at_a_third_of_its_places_is_one_at_all() -> None:
    text = RANCH + " There was Andy Green." * 4
    assert names(text, "Andy Green", most=3).count("Andy Green") == 7


def test_words_that_the_network_mostly_passes_over_are_none() -> None:
    text = RANCH + " There was Andy Green." * 10
    assert "Andy Green" not in names(text, "Andy Green", most=3)


def test_a_part_of_a_name_is_none_by_itself() -> None:
    text = "They saw Ann Tracey here. They met Ann Tracey there. They left Ann Tracey."
    assert names(text, "Tracey") == ["Ann Tracey"] * 3
