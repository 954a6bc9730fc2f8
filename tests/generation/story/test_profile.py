"""The card of a character: in the words of the book, as far as it is read, and never less for reading on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from books.reading import read
from books.types import Span
from coref.registry import make_resolver
from coref.types import Character
from evaluation import novella
from generation.story.cast import cast_of
from generation.story.company import CompanyCounts
from generation.story.indexed_book import reading_of
from generation.story.introductions import OWN_SHOWN, SHOWN, say_who
from generation.story.profile import CERTAIN, LIKELY, about, change, introduction, make_profile, who_of
from generation.story.quotation import Quotation
from generation.story.quotations import quotations as made_quotations
from generation.story.types import Profile
from generation.types import Category, Citation
from retrieval.types import TellingSentence
from tests.generation.indexed import IndexedStory
from tests.generation.story.telling import tell
from tests.generation.story.test_statements import DAUGHTER, PEOPLE, SISTERS

SECTIONS = (
    *("who", "ties", "role", "looks", "nature", "said_by_others", "turning_points", "change", "own_words"),
)


def quotations(card: Profile) -> Iterator[Quotation]:
    for part in (
        card.role,
        card.looks,
        card.nature,
        card.said_by_others,
        card.turning_points,
        card.own_words,
    ):
        yield from part
    if card.change is not None:
        yield from (card.change.early, card.change.late)


def filled(card: Profile) -> set[str]:
    return {name for name in SECTIONS if getattr(card, name)}


def quotation(chapter: int, *, at: int = 0, certainty: float = 1.0, who: str = "ann") -> Quotation:
    return Quotation(
        text=f"Something that is only said in place {chapter}.{at}",
        citation=Citation(Span(1000 * chapter + at, 1000 * chapter + at + 1), chapter),
        character=who,
        category=Category.PERSONALITY,
        speaker=None,
        tagged=False,
        certainty=certainty,
        worth=certainty / 2,
        alone=0.9,
        by_category=dict.fromkeys(Category, 0.0),
    )


def test_a_card_in_the_words_of_the_book(harbour_story: IndexedStory) -> None:
    card = harbour_story.card("bess")
    assert {"who", "role"} <= filled(card)
    for entries in (card.role, card.looks, card.nature, card.turning_points):
        assert len({q.text for q in entries}) == len(entries), "each is shown once"
    assert all(q.own for q in card.own_words)
    assert not any(q.own for q in quotations(replace(card, own_words=())))
    starts = [q.citation.span for q in card.turning_points]
    assert starts == sorted(starts)
    assert card.presence.chapters == (0, 1, 2)


def test_what_others_say_has_a_speaker(harbour_story: IndexedStory) -> None:
    heard = harbour_story.card("tom").said_by_others
    assert all(q.speaker not in (None, "tom", "") for q in heard)


def test_somebody_mentioned_once(harbour_story: IndexedStory) -> None:
    card = harbour_story.upto(1).card("tom")
    assert card.little
    assert card.role
    assert card.change is None


def test_a_card_says_nothing_twice(harbour_story: IndexedStory) -> None:
    context = harbour_story.context("crane")
    (sentence, *_) = harbour_story.telling("crane")
    introducing = replace(sentence, certainty=1.0, telling=1.0, alone=1.0, introducing=True)
    card = make_profile(context, context.people[0], [introducing])
    assert card.who_places == (Citation(sentence.span, sentence.chapter),)
    assert not list(quotations(card))


def test_who_somebody_is_by_their_nearest_relations(tmp_path: Path) -> None:
    story = IndexedStory.make(*tell(f"# One\n\n{SISTERS}", **PEOPLE), tmp_path)
    card = story.card("ann")
    assert card.who.lower().endswith("sister of bess hale.")
    assert card.who_places == tuple(tie.places[0] for tie in card.ties[:2])


def test_a_name_that_ends_in_a_full_stop_ends_the_line(tmp_path: Path) -> None:
    people = PEOPLE | {"bess": "Bess H."}
    card = IndexedStory.make(*tell(f"# One\n\n{SISTERS}", **people), tmp_path).card("ann")
    assert card.who.endswith("ister of Bess H.")


def test_two_of_a_kind_are_told_together(tmp_path: Path) -> None:
    mother = DAUGHTER + DAUGHTER.replace("Ann Hale|ann", "Bess Hale|bess").replace("her|ann", "her|bess")
    card = IndexedStory.make(
        *tell(f"# One\n\n{mother.replace('Her|ann', 'Her|bess')}", **PEOPLE), tmp_path
    ).card("ruth")
    assert card.who in ("Mother of Ann Hale and Bess Hale.", "Mother of Bess Hale and Ann Hale.")


def test_no_sentence_is_read_for_a_certain_relation(tmp_path: Path) -> None:
    def never() -> Iterable[TellingSentence]:
        raise AssertionError
        yield

    story = IndexedStory.make(*tell(f"# One\n\n{SISTERS}", **PEOPLE), tmp_path)
    context = story.context("ann")
    assert who_of(context, context.people[0], never()).text == story.card("ann").who


def test_nothing_is_said_of_somebody_without_a_sentence(harbour_story: IndexedStory) -> None:
    context = harbour_story.context("lydia")
    card = make_profile(context, context.people[0], ())
    assert card.little
    assert filled(card) <= {"ties", "who"}
    assert not list(quotations(card))


@pytest.fixture
def ann(harbour_story: IndexedStory) -> Character:
    return replace(harbour_story.context("bess").people[0], id="ann")


def test_only_what_is_certain_is_about_somebody(ann: Character) -> None:
    sure, unsure = quotation(0, certainty=CERTAIN), quotation(0, certainty=CERTAIN - 0.01)
    assert about([sure, unsure, quotation(0, who="tom")], ann) == [sure]


def test_what_says_who_somebody_is_may_be_less_certain(ann: Character) -> None:
    likely = replace(quotation(0, certainty=LIKELY), says_who=SHOWN)
    assert introduction([likely], ann) is likely
    for unlikely in (
        replace(likely, says_who=SHOWN - 0.01),
        replace(likely, certainty=LIKELY - 0.01),
        replace(likely, character="tom"),
    ):
        assert introduction([unlikely], ann) is None


def test_a_role_introduces_rather_than_an_event(ann: Character) -> None:
    told = TellingSentence(Span(0, 1), 0, "ann", 0.0, {}, 1.0, 0.6, 0.9, introducing=True)
    of_role, of_event = (
        replace(told, telling=telling, by_category=dict.fromkeys(Category, -3.0) | {category: 1.0})
        for category, telling in ((Category.ROLE, 0.55), (Category.EVENT, 0.66))
    )
    event, role = (replace(quotation(n), says_who=p) for n, p in enumerate(say_who([of_event, of_role])))
    assert introduction([event, role], ann) is role
    own = replace(role, speaker=role.character)
    assert introduction([event, own], ann) is own, "they may say it themselves"
    for less in (replace(own, says_who=OWN_SHOWN - 0.01), replace(own, certainty=CERTAIN - 0.01)):
        assert introduction([less], ann) is None, "but that must be clear"
    assert say_who([replace(of_role, introducing=False)]) == [0.0]


def test_change_is_from_the_first_to_the_last_third() -> None:
    said = [quotation(n) for n in (0, 1, 4, 5)]
    found = change(said)
    assert found is not None
    assert (found.early.citation.chapter, found.late.citation.chapter) == (0, 5)
    assert change(said[:2]) is None
    assert change([]) is None
    assert change([quotation(3, at=n) for n in range(5)]) is None, "one chapter has no thirds"


def test_a_card_ends_where_the_reader_is(novella_story: IndexedStory) -> None:
    part = novella_story.upto(3)
    for character in part.annotations.characters[:6]:
        card = part.card(character.id)
        places = [q.citation for q in quotations(card)] + [p for t in card.ties for p in t.places]
        assert all(place.span.end <= len(part.book.text) for place in (*places, *card.who_places))
        assert card.presence.last.span.end <= len(part.book.text)


def test_who_somebody_is_is_the_same_in_the_list(novella_story: IndexedStory) -> None:
    quoted = []
    for character in novella_story.annotations.characters[:8]:
        context = novella_story.context(character.id)
        introducing = [s for s in novella_story.telling(character.id) if s.introducing]
        line = who_of(context, character, introducing)
        card = novella_story.card(character.id)
        assert (line.text, line.places) == (card.who, card.who_places)
        if not card.ties:
            quoted.append(bool(line.text))
    assert any(quoted), "what says who somebody is is quoted"


def test_they_meet_in_the_chapters_in_which_they_speak_to_one_another(novella_story: IndexedStory) -> None:
    book, annotations = novella_story.book, novella_story.annotations
    spoken: dict[frozenset[str | None], set[int]] = {}
    for quote in annotations.quotes:
        if chapter := book.chapter_at(quote.span.start):
            spoken.setdefault(frozenset((quote.speaker, quote.addressee)), set()).add(chapter.index)
    counts = CompanyCounts(reading_of(cast_of(book, annotations)))
    for character in annotations.characters:
        for met in counts.company(character.id):
            assert spoken.get(frozenset((character.id, met.other)), set()) <= set(met.chapters)


def test_reading_on_never_tells_less(novella_story: IndexedStory) -> None:
    _never_less(novella_story, chapters=range(1, len(novella_story.book.chapters), 3), most=5)


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_nor_with_the_native_resolver(tmp_path: Path) -> None:
    book = read(novella.text().encode(), name="novella.txt")
    story = IndexedStory.make(book, make_resolver("native").annotate(book), tmp_path)
    _never_less(story, chapters=range(1, len(book.chapters), 2), most=12)


def _never_less(story: IndexedStory, *, chapters: Iterable[int], most: int) -> None:
    """Reading on takes no section away and shows no fewer places, unless it is less sure whom they are about.

    The role is where somebody's card has whatever is said of them while nothing tells more; it moves later.
    """
    known: dict[str, _Shown] = {}
    people = [c.id for c in story.annotations.characters[:most]]
    sure = 0
    for chapter in (*chapters, len(story.book.chapters)):
        part = story.upto(chapter)
        for person in people:
            if part.annotations.character(person) is None:
                continue
            before = known.get(person, _Shown(set(), set(), 0))
            known[person] = now = _shown(part, person)
            if before.certain <= now.certain:
                assert before.sections - {"role"} <= now.sections, (chapter, person)
                assert before.places <= now.places, (chapter, person)
                sure += 1
    assert sure > len(known)


class _Shown(NamedTuple):
    """A card's sections, the places that are certain to be about the person, and how many it cites."""

    sections: set[str]
    certain: set[Span]
    places: int


def _shown(part: IndexedStory, person: str) -> _Shown:
    context, sentences = part.context(person), part.telling(person)
    made = made_quotations(sentences, cast_of(part.book, part.annotations))
    certain = {q.citation.span for q in about(made, context.people[0])}
    card = make_profile(context, context.people[0], sentences)
    return _Shown(filled(card), certain, len({*(q.citation for q in quotations(card)), *card.who_places}))
