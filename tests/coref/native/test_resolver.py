"""The native resolver with its shipped weights, on small books."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from books.types import Book, Span
from coref.errors import ResolverUnavailable
from coref.language.tokens import tokenize
from coref.names.person_candidates import HE, ME
from coref.native.book_pass import FoundMentions
from coref.native.groundwork import lay
from coref.native.mention_candidates import NetworkMention
from coref.native.resolver import NativeResolver, says_more
from coref.native.who_is_who import _not_narrators, _spoken_pins, draft_cast, make_sense
from coref.protocols import KnownCharacter, LinksGivenMentions, TakesGivenCast
from coref.registry import make_resolver
from coref.speech.attributed_speech import AttributedSpeech
from coref.speech.direct_speech import find_speech
from coref.speech.letter_writers import Tellers
from coref.types import Annotations, EntityCategory, MentionKind
from tests.coref.conftest import make_book

STORY = """Chapter 1

Mrs. Hale lived in Milton with her son Tom. She had a house near the river, and she loved it.

“Where have you been, Tom?” said Mrs. Hale.

“I went to see the doctor,” he said. “He told me a story.”

Tom laughed. His mother looked at him, and she sighed.

Chapter 2

“Tom Hale is a good boy,” said the doctor. Mrs. Hale thanked him, and went back to Milton with Tom.

“I am tired,” said Tom.
"""


@pytest.fixture(scope="module")
def resolver() -> NativeResolver:
    made = make_resolver("native")
    assert isinstance(made, NativeResolver)
    return made


@pytest.fixture(scope="module")
def book() -> Book:
    return make_book(STORY)


@pytest.fixture(scope="module")
def found(resolver: NativeResolver, book: Book) -> Annotations:
    return resolver.annotate(book)


def who(found: Annotations, name: str) -> str:
    return next(c.id for c in found.characters if name in {c.name, *(a.text for a in c.aliases)})


def test_the_cast_has_its_names(found: Annotations) -> None:
    assert who(found, "Tom") == who(found, "Tom Hale") != who(found, "Mrs. Hale")
    pronouns = {c.id: c.pronouns for c in found.characters}
    assert pronouns[who(found, "Tom")] == "he/him"
    assert pronouns[who(found, "Mrs. Hale")] == "she/her"


def test_every_mention_says_what_stands_there(found: Annotations, book: Book) -> None:
    assert found.mentions
    for mention in found.mentions:
        assert mention.span.of(book.text) == mention.surface
        assert 0 <= mention.confidence <= 1
        assert mention.character is None or mention.entity is None
    assert [m.key for m in found.mentions] == sorted(m.key for m in found.mentions)


def test_pronouns_mean_people_and_i_is_whoever_speaks(found: Annotations, book: Book) -> None:
    by_place = {m.span.start: m for m in found.mentions}
    assert by_place[book.text.index("I am tired")].character == who(found, "Tom")
    assert by_place[book.text.index("you been")].character == who(found, "Tom")
    assert by_place[book.text.index("She had")].character == who(found, "Mrs. Hale")


def test_quotes_have_their_speakers(found: Annotations, book: Book) -> None:
    said = {q.span.of(book.text): q for q in found.quotes}
    assert said["“Where have you been, Tom?”"].speaker == who(found, "Mrs. Hale")
    assert said["“I am tired,”"].speaker == who(found, "Tom")


def test_places_are_kept_and_are_nobody(found: Annotations) -> None:
    towns = [m for m in found.mentions if m.surface == "Milton"]
    assert len(towns) == 2
    assert {m.category for m in towns} == {EntityCategory.GEOPOLITICAL}
    assert {m.character for m in towns} == {None}
    assert len({m.entity for m in towns}) == 1
    assert "Milton" not in {c.name for c in found.characters}


def test_names_are_put_together_with_their_evidence(found: Annotations) -> None:
    merge = next(m for m in found.merges if m.character == who(found, "Tom"))
    assert {merge.name, merge.other} == {"Tom", "Tom Hale"}
    assert "Tom Hale" in merge.evidence
    assert 0.5 < merge.confidence < 1


def test_the_grammar_is_kept(found: Annotations, book: Book) -> None:
    parse = found.parse
    assert parse is not None
    told = {
        book.text[a:b]: (tag, lemma)
        for a, b, tag, lemma in zip(parse.starts, parse.ends, parse.tags, parse.lemmas, strict=True)
    }
    assert told["lived"] == ("VERB", "live")
    assert told["Milton"][0] == "PROPN"
    assert parse.ends[-1] == len(book.text.rstrip())


def test_a_second_run_says_the_same(resolver: NativeResolver, book: Book, found: Annotations) -> None:
    assert resolver.annotate(book) == found


def test_given_mentions_are_linked_and_none_is_lost(resolver: NativeResolver, book: Book) -> None:
    assert isinstance(resolver, LinksGivenMentions)
    words = ("Mrs. Hale", "She had", "her son", "Tom", "he said")
    spans = [Span(at := book.text.index(w), at + len(w.split(" h")[0].split(" s")[0])) for w in words]
    clusters = resolver.link(book, spans)
    assert sorted(span for cluster in clusters for span in cluster) == sorted(spans)
    together = next(cluster for cluster in clusters if spans[0] in cluster)
    assert spans[1] in together
    assert spans[3] not in together


def test_a_given_cast_keeps_its_ids(resolver: NativeResolver, book: Book) -> None:
    assert isinstance(resolver, TakesGivenCast)
    cast = [KnownCharacter("t", "Tom Hale", ("Tom",)), KnownCharacter("h", "Mrs. Hale", ())]
    found = resolver.annotate_given(book, cast)
    assert {c.id: c.name for c in found.characters if c.id in "th"} == {"t": "Tom Hale", "h": "Mrs. Hale"}
    said = {q.span.of(book.text): q.speaker for q in found.quotes}
    assert said["“Where have you been, Tom?”"] == "h"
    assert said["“I am tired,”"] == "t"
    assert found.parse == resolver.annotate(book).parse
    assert any(t.character == "t" and t.lemma == "laugh" for t in found.traits)


def test_progress_grows_to_one(resolver: NativeResolver, book: Book) -> None:
    told: list[float] = []
    resolver.annotate(book, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0


@pytest.mark.parametrize(
    "text",
    ["Nothing.", "...", "AND HE SAID TO HER: GO.\n\nTOM HALE WENT.", "a b c d " * 900, "Tom " * 900],
    ids=["no characters", "no words", "capitals", "no stops", "nothing but a name"],
)
def test_odd_books_get_an_answer(resolver: NativeResolver, text: str) -> None:
    found = resolver.annotate(make_book(text))
    assert all(m.span.of(text) == m.surface for m in found.mentions)
    assert all(c.mention_count for c in found.characters)


def test_names_alone_are_names(found: Annotations) -> None:
    names = {m.surface for m in found.mentions if m.kind is MentionKind.PROPER and m.character}
    assert {"Tom", "Tom Hale", "Mrs. Hale"} <= names


@pytest.mark.parametrize(
    ("surface", "more"),
    [
        ("Lady Vance", False),
        ("Lady Vance to Bess", True),
        ("Catherine de Bourgh", False),
        ("Ann, his wife", True),
        ("Tom--Tom Hale", True),
        ("Winnie-the-Pooh", False),
    ],
)
def test_a_mention_may_say_more_than_a_name(surface: str, more: bool) -> None:
    assert says_more(surface) is more


def test_without_weights_it_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ResolverUnavailable) as told:
        NativeResolver(tmp_path)
    assert told.value.remedy


def test_who_tells_the_story_is_not_he_in_it() -> None:
    he = NetworkMention(0, 1, MentionKind.PRONOUN, -1, HE, at=0)
    man = NetworkMention(2, 4, MentionKind.NOMINAL, -1, "man", at=1)
    said = NetworkMention(4, 5, MentionKind.PRONOUN, 0, HE, at=2)
    i = NetworkMention(6, 7, MentionKind.PRONOUN, -1, ME, at=3)
    elsewhere = NetworkMention(8, 9, MentionKind.PRONOUN, -1, HE, at=4)
    paragraphs = [0] * 8 + [1] * 2
    banned = _not_narrators([he, man, said, i, elsewhere], Tellers(5, [5, None]), paragraphs)
    assert banned == {0: {5}, 1: {5}}


def test_i_is_the_speaker_as_far_as_the_speaker_is_known() -> None:
    book = make_book("“I came,” said Tom. “I saw.”")
    tokens = tokenize(book)
    said = [
        AttributedSpeech(each, tokens.at(each.start), tokens.at(each.end), speaker=1, confidence=sure)
        for each, sure in zip(find_speech(book, tokens), (1.0, 0.1), strict=True)
    ]
    spots = [
        NetworkMention(quote.first + 1, quote.first + 2, MentionKind.PRONOUN, at, ME, at=at)
        for at, quote in enumerate(said)
    ]
    pins = _spoken_pins(tokens, spots, said, 3.0)
    assert [pins[at].person for at in (0, 1)] == [1, 1]
    assert [pins[at].weight for at in (0, 1)] == pytest.approx([3.0, 0.3])


def test_whoever_is_believed_to_be_somebody_is_so_where_the_network_reads_a_place() -> None:
    ground = lay(make_book("Zorbin said so. “No,” said Zorbin, and laughed. They gave Zorbin's boy one."))
    places = [at for at, word in enumerate(ground.words.words) if word == "Zorbin"]
    found = FoundMentions(
        [(at, at + 1) for at in places],
        [EntityCategory.PERSON, EntityCategory.PERSON, EntityCategory.GEOPOLITICAL],
        [MentionKind.PROPER] * 3,
        added=[False] * 3,
    )
    found.earlier.add([0, 1, 1], [0, 1], [1.0, 1.0])
    found.new.extend([1.0, 0.0, 0.0])
    [who] = {group.person for group in make_sense(ground, found, draft_cast(ground, found)).settled.groups}
    assert who is not None


def test_a_book_is_read_once_more_for_a_name_that_was_overlooked_often(
    resolver: NativeResolver, monkeypatch: pytest.MonkeyPatch
) -> None:
    man = ("Friday laughed, and he ran to the boat.", "“Come here, Friday,” said I.", "I gave Friday a hat.")
    day = (
        "On Friday it rained.",
        "We sailed the next Friday at dawn.",
        "It was Friday, and the shop was shut.",
    )
    lines = [f"{one} {other} He was a good servant." for one, other in zip(man * 6, day * 6, strict=True)]
    book = make_book("\n\n".join(lines))
    days = ("On ", "next ", "was ")

    def named() -> Counter[str]:
        found = resolver.annotate(book)
        friday = who(found, "Friday")
        places = [m.span for m in found.mentions if m.character == friday]
        called = [span for span in places if span.of(book.text) == "Friday"]
        return Counter("day" if book.text[: span.start].endswith(days) else "man" for span in called)

    before = named()
    monkeypatch.setattr("coref.native.who_is_who._OVERLOOKED", 5)
    after = named()
    assert before["man"] < 18 == after["man"]
    assert after["day"] <= 3
