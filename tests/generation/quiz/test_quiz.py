"""Questions about the novella: nothing leaks, the right choice is right, the wrong ones are wrong."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from books.gate import cut
from books.types import ParagraphKind, Span
from coref.gate import gate
from coref.types import Alias, Character, CharacterKind, Mention, MentionKind
from generation.models.scripted_model import ScriptedModel
from generation.quiz.material import BookSoFar, happening, of_others, quoted_happenings, with_others
from generation.quiz.merging import SHORT
from generation.quiz.questions import CHOICES, FEWEST, by_chapter, corrections, read_along
from generation.quiz.renaming import Renaming, between, has_name, is_another, taking_part
from generation.quiz.scenes import LENGTH, OVERLAP, scenes
from generation.quiz.sets import as_row, read_along_set
from generation.quiz.types import Choice, CorrectionTask, QuizLevel, QuizLoad, WhyWrong
from generation.quiz.written import merged, written_corrections
from generation.story.named_people import Names
from retrieval.events.sentences import event_sentences
from retrieval.tokenizer import terms
from tests.generation.novel import story
from tests.novella import OpenedNovella

OTHER = """# One

[Mrs. Sharp|sharp] stole the lantern from [Rollo|rollo]. [Sharp|sharp] never told [Mr. Bell|bell] of it.
"""


def reading(low_water: OpenedNovella, chapter: int | None = None, *, least: int = 0) -> BookSoFar:
    book, annotations, index = low_water
    end = None if chapter is None else book.end_of_chapter(chapter)
    if end is not None:
        book, annotations = cut(book, end), gate(annotations, upto=end)
    events = event_sentences(index, annotations, upto=end)
    return BookSoFar(book, annotations, quoted_happenings(book, annotations, events, least=least))


@pytest.fixture(scope="module")
def readings(low_water: OpenedNovella) -> Callable[[int], BookSoFar]:
    return cache(partial(reading, low_water))


def lent_to(far: BookSoFar) -> list[Choice]:
    """What happens in another book; some of it has names and words of its own."""
    book, theirs = story(OTHER, sharp="Mrs. Sharp/she", rollo="Rollo/he", bell="Mr. Bell/he")
    told = [
        f"{who} {did}."
        for who in ("Mrs. Sharp", "Rollo", "Mr. Bell", "Bell and Sharp")
        for did in ("had the lantern", "came to the door in the evening", "looked at Zanzibar", "was Rollo’s")
    ]
    made = [
        happening(text, scene.span, scene, Names(theirs.characters))
        for scene in scenes(book)
        for text in told
    ]
    return list(of_others(far, made, theirs.characters))


def test_scenes_cover_the_story_and_overlap_a_little(low_water: OpenedNovella) -> None:
    book = low_water[0]
    found = scenes(book)
    for paragraph in book.paragraphs:
        holding = [s for s in found if s.span.covers(paragraph.span)]
        assert holding or paragraph.kind is ParagraphKind.HEADING
        assert all(s.chapter == paragraph.chapter for s in holding)
    for one, after in pairwise(found):
        assert one.span.end - after.span.start <= OVERLAP
        assert after.span.end > one.span.end
    long = [s for s in found if len(s.span) > LENGTH]
    assert all(sum(s.span.covers(p.span) for p in book.paragraphs) == 1 for s in long)


@settings(max_examples=40)
@given(chapter=st.integers(1, 16), seed=st.integers(0, 99), load=st.sampled_from((None, *QuizLoad)))
def test_nothing_is_from_what_is_still_to_come(
    low_water: OpenedNovella,
    readings: Callable[[int], BookSoFar],
    chapter: int,
    seed: int,
    load: QuizLoad | None,
) -> None:
    book, annotations, _ = low_water
    far = readings(chapter)
    end = book.end_of_chapter(chapter)
    lent = lent_to(far)
    questions = read_along(far, lent, count=20, rng=Random(seed), load=load)
    shown = [choice.text for question in questions for choice in question.choices]
    places = [q.happening.place for q in questions if q.happening is not None]
    for level in QuizLevel:
        for task in corrections(far, level=level, count=3, rng=Random(seed)):
            shown += [task.given, task.right]
            places += [h.place for h in task.happenings]
    assert shown or chapter == 1
    assert chapter < 3 or {f.text for f in lent} & set(shown)
    assert all(place.end <= end for place in places)
    assert all(q.at == end and (q.load or 0) <= far.words_since(0) for q in questions)
    read_so_far = book.text[:end]
    later = [a.text for c in annotations.characters for a in c.aliases if a.text not in read_so_far]
    known = set(terms(read_so_far))
    borrowed = {h.text for h in lent}
    for text in shown:
        assert not [name for name in later if name in text]
        assert text in borrowed or set(terms(text)) <= known
        assert {term for name in re.findall(r"\b[A-Z][\w’]+", text) for term in terms(name)} <= known


def test_the_right_choice_is_right_and_in_any_position(low_water: OpenedNovella) -> None:
    far = reading(low_water)
    true = {h.text for h in far.happenings}
    false = [Choice(f"It rained frogs {n} times.", WhyWrong.OTHER_BOOK) for n in range(400)]
    asked = [q for seed in range(6) for q in read_along(far, false, count=20, rng=Random(seed))]
    for question in asked:
        assert len(question.choices) == CHOICES
        right = [n for n, choice in enumerate(question.choices) if choice.why is None]
        assert right == ([] if question.happening is None else [question.answer])
        if question.happening is not None:
            assert question.choices[question.answer].text == question.happening.text
            assert question.load == far.words_since(question.happening.place.end)
        assert all((choice.text in true) == (choice.why is None) for choice in question.choices)
    positions = Counter(question.answer for question in asked)
    assert set(positions) == set(range(CHOICES + 1))
    assert max(positions.values()) < 0.4 * len(asked)


@pytest.mark.parametrize(
    ("chapter", "least", "count", "fewest"),
    [(None, 0, 5, 5), (None, 0, 50, 7), (None, 500, 50, 33), (5, 0, 3, 2), (3, 50, 5, 5), (2, 50, 5, 4)],
)
def test_no_sentence_comes_twice_and_no_question_answers_another(
    low_water: OpenedNovella, chapter: int | None, least: int, count: int, fewest: int
) -> None:
    far = reading(low_water, chapter, least=least)
    asked = read_along(far, (), count=count, rng=Random(1))
    asked += by_chapter(far, count=count - len(asked), rng=Random(1), besides=asked)
    assert fewest <= len(asked) <= count
    of = {f.text: h.text for h in far.happenings for f in with_others(far, h, Random(2))}
    told = [of.get(choice.text, choice.text) for question in asked for choice in question.choices]
    assert len(set(told)) == len(told), "a sentence that comes again, with other names, gives itself away"
    assert set(told) <= {h.text for h in far.happenings}
    assert all(FEWEST <= len(question.choices) <= CHOICES for question in asked)


def test_scenes_lend_more_sentences_where_there_are_too_few(low_water: OpenedNovella) -> None:
    whole, best = reading(low_water), reading(low_water, 3)
    assert reading(low_water, least=len(whole.happenings)).happenings == whole.happenings
    more = reading(low_water, 3, least=50)
    assert set(best.happenings) < set(more.happenings)
    assert len({h.place for h in more.happenings}) == len(more.happenings) > 3 * len(best.happenings)
    assert all(h.people for h in more.happenings)
    fewer = reading(low_water, 3, least=10).happenings
    assert len(fewer) == 10
    assert set(fewer) < set(more.happenings)
    least_telling = min(h.telling for h in best.happenings)
    strong = {h for h in more.happenings if h.telling >= least_telling}
    assert set(fewer) < strong < set(more.happenings), "those that tell as much come first"


def test_fewer_questions_than_asked_for_leave_sentences_for_others(low_water: OpenedNovella) -> None:
    for seed in range(9):
        asked = read_along(reading(low_water, 4), (), count=5, rng=Random(seed))
        assert 0 < len(asked) < 5
        assert {len(question.choices) for question in asked} == {FEWEST}


@pytest.mark.parametrize(("chapter", "least"), [(5, 0), (3, 50), (None, 0)])
def test_each_position_and_none_are_right_equally_often(
    low_water: OpenedNovella, chapter: int | None, least: int
) -> None:
    far = reading(low_water, chapter, least=least)
    asked = [q for seed in range(120) for q in read_along(far, (), count=8, rng=Random(seed))]
    for choices in {len(question.choices) for question in asked}:
        right = Counter(question.answer for question in asked if len(question.choices) == choices)
        for position in range(choices + 1):
            assert right[position] / right.total() == pytest.approx(1 / (choices + 1), rel=0.3)


def test_wrong_choices_are_of_the_people_of_the_right_one() -> None:
    text = "# One\n\n[Tom|tom] ran.\n\n[Finch|finch] ran.\n"
    book, annotations = story(text, tom="Tom/he", finch="Finch/he")
    far, (scene,) = BookSoFar(book, annotations, ()), scenes(book)
    true = [happening(f"{who} swam.", scene.span, scene, far.cast.names) for who in ("Tom", "Finch")]
    false = [
        Choice(f"{who} climbed tree {n}.", why)
        for n in range(9)
        for who in ("Tom", "Finch")
        for why in (WhyWrong.LATER, WhyWrong.OTHER_BOOK)
    ]
    (one, other) = read_along(replace(far, happenings=tuple(true)), false, count=2, rng=Random(0))
    for question in (one, other):
        assert question.happening is not None
        assert len({choice.text.split()[0] for choice in question.choices}) == 1


def test_it_is_asked_what_happens_in_a_chapter(low_water: OpenedNovella) -> None:
    far = reading(low_water)
    before = read_along(far, [], count=2, rng=Random(2))
    made = by_chapter(far, count=30, rng=Random(2), besides=before)
    assert len({q.happening for q in before + made if q.happening}) == sum(
        q.happening is not None for q in before + made
    )
    assert {0, 1, 2} <= {q.answer for q in made}
    assert None in {q.happening for q in made}, "none of them is right, too, at times"
    chapters = {each.text: each.scene.chapter for each in far.happenings}
    for question in made:
        told = [chapters[choice.text] for choice in question.choices]
        assert [n for n, chapter in enumerate(told) if chapter == question.chapter] == (
            [question.answer] if question.happening else []
        )
        assert {choice.why for choice in question.choices} <= {None, WhyWrong.ELSEWHERE}
    assert by_chapter(reading(low_water, 1), count=5, rng=Random(2)) == [], "of one chapter it says nothing"


def all_happens(text: str, **people: str) -> BookSoFar:
    """Return a book of which every paragraph is something that happens."""
    book, annotations = story(text, **people)
    far = BookSoFar(book, annotations, ())
    true = tuple(
        happening(book.slice(p.span), p.span, scene, far.cast.names)
        for scene in scenes(book)
        for p in book.paragraphs
        if scene.span.covers(p.span)
    )
    return replace(far, happenings=true)


def test_what_happens_in_a_chapter_too_is_not_said_to_happen_elsewhere() -> None:
    text = "".join(f"# {n}\n\n[Tom|tom] ran {n} miles.\n\n[Tom|tom] swam.\n\n" for n in ("One", "Two", "Six"))
    far = all_happens(text, tom="Tom/he")
    for seed in range(9):
        (question,) = by_chapter(far, count=1, rng=Random(seed))
        wrong = {choice.text for choice in question.choices if choice.why}
        assert wrong.isdisjoint(h.text for h in far.happenings if h.scene.chapter == question.chapter)


def test_what_happens_again_in_the_same_words_is_one_choice_at_most() -> None:
    people = {"tom": "Tom/he", "max": "Max/he", "sue": "Sue/she", "ann": "Ann/she"}
    one, *others = (f"[{name.split('/')[0]}|{who}]" for who, name in people.items())
    text = "".join(
        f"# {n}\n\n{one} swam.\n\n{one} ran {n} miles.\n\n{others[at % 3]} ate {n} pies.\n\n"
        for at, n in enumerate(("One", "Two", "Six", "Ten", "Nine", "Four", "Five", "Eight"))
    )
    far = all_happens(text, **people)
    told = Counter[str]()
    for seed in range(9):
        asked = read_along(far, (), count=4, rng=Random(seed))
        of = Counter(choice.of.text if choice.of else choice.text for q in asked for choice in q.choices)
        assert set(of.values()) == {1}
        told += of
    assert told["Tom swam."]


def test_what_happens_in_a_chapter_does_not_tell_what_is_wrong(low_water: OpenedNovella) -> None:
    far = reading(low_water)
    for seed in range(8):
        before = read_along(far, [], count=2, rng=Random(seed))
        made_from = {choice.of for question in before for choice in question.choices} - {None}
        assert made_from
        told = {h.text for h in made_from if h is not None}
        made = by_chapter(far, count=3, rng=Random(seed), besides=before)
        assert len(made) == 3
        assert not told & {choice.text for question in made for choice in question.choices}


def test_near_and_far_are_halves_of_the_story(low_water: OpenedNovella) -> None:
    far = reading(low_water)
    halves = [
        {q.happening for q in read_along(far, (), count=50, rng=Random(seed), load=load) if q.happening}
        for seed in (1, 2)
        for load in QuizLoad
    ]
    for near, earlier in (halves[:2], halves[2:]):
        assert len(near) > 3 < len(earlier)
        assert max(h.place for h in earlier) < min(h.place for h in near)


def test_the_words_since_a_place_are_counted(low_water: OpenedNovella) -> None:
    far = reading(low_water)
    assert far.words_since(far.end) == 0
    last = low_water[0].chapters[-1].span
    assert far.words_since(last.start - 1) == sum(
        len(low_water[0].slice(p.span).split()) for p in low_water[0].paragraphs if last.covers(p.span)
    )


def test_a_book_that_begins_at_once_has_all_of_its_words() -> None:
    book, annotations = story("[Ann|ann] ran to the sea.\n\n[She|ann] swam.\n", ann="Ann/she")
    assert BookSoFar(book, annotations, ()).words_since(0) == 7


def test_somebody_else_is_somebody_who_was_not_there(low_water: OpenedNovella) -> None:
    far, rng = reading(low_water), Random(3)
    changed = [(h, f) for h in far.happenings for f in with_others(far, h, rng)]
    assert len({h for h, _ in changed}) > len(far.happenings) / 2
    assert len({f.text for _, f in changed}) == len(changed) > 2 * len(far.happenings)
    for true, false in changed:
        scene = true.scene.span
        there = {s.character for s in far.cast.standing_in(scene)}
        there |= {m.character for m in far.annotations.mentions if m.character and scene.covers(m.span)}
        now = {n.character for n in far.cast.names.find(false.text)}
        (new,) = now - set(true.people)
        assert new not in there
        old = {far.annotations.character(p).pronouns for p in set(true.people) - now}  # type: ignore[union-attr]
        assert far.annotations.character(new).pronouns in old  # type: ignore[union-attr]


def test_somebody_who_is_there_as_the_captain_is_there() -> None:
    text = "# One\n\n[Tom|tom] saw [the captain|rudd].\n\n# Two\n\n[Rudd|rudd] met [Finch|finch].\n"
    book, annotations = story(text, tom="Tom/he", rudd="Rudd/he", finch="Finch/he")
    described = tuple(
        replace(m, kind=MentionKind.NOMINAL) if book.slice(m.span) == "the captain" else m
        for m in annotations.mentions
    )
    far = BookSoFar(book, replace(annotations, mentions=described), ())
    true = happening("Tom saw the captain.", book.paragraphs[1].span, scenes(book)[0], far.cast.names)
    assert [f.text for f in with_others(far, true, Random(0))] == ["Finch saw the captain."]


def test_nobody_who_goes_by_a_description_stands_for_others() -> None:
    book, annotations = story(
        f"# One\n\n[Tom|tom] met [Finch|finch].\n\n{'[the king|king] came. ' * 9}\n\n[King|king] came.\n",
        tom="Tom/he",
        finch="Finch/he",
        king="King/he",
    )
    described = tuple(
        replace(m, kind=MentionKind.NOMINAL) if book.slice(m.span) == "the king" else m
        for m in annotations.mentions
    )
    far = BookSoFar(book, replace(annotations, mentions=described), ())
    assert {person.name for person in BookSoFar(book, annotations, ()).stand_ins} == {"Tom", "Finch", "King"}
    assert {person.name for person in far.stand_ins} == {"Tom", "Finch", "King"}, "one in ten is enough"
    fewer = replace(annotations, mentions=described[:-1])
    assert {person.name for person in BookSoFar(book, fewer, ()).stand_ins} == {"Tom", "Finch"}


def test_a_part_of_a_longer_name_is_not_changed() -> None:
    text = "# One\n\n[Rupert|rupert] of Hentzau saw [Tom|tom].\n\n# Two\n\n[Finch|finch] ran.\n"
    book, annotations = story(text, rupert="Rupert/he", tom="Tom/he", finch="Finch/he")
    start = book.text.index("Rupert")
    longer = Mention(Span(start, start + len("Rupert of Hentzau")), MentionKind.PROPER, None)
    for mentions, wrong in (
        (annotations.mentions, {"Finch of Hentzau saw Tom.", "Rupert of Hentzau saw Finch."}),
        ((longer, *annotations.mentions), {"Rupert of Hentzau saw Finch."}),
    ):
        far = BookSoFar(book, replace(annotations, mentions=mentions), ())
        place = book.paragraphs[1].span
        true = happening(book.slice(place), place, scenes(book)[0], far.cast.names)
        assert {f.text for f in with_others(far, true, Random(0))} == wrong


def test_nobody_is_changed_who_is_named_in_two_ways() -> None:
    text = "# One\n\n[Frank|frank] met [Mr. Dark|frank] and [Tom|tom].\n\n# Two\n\n[Finch|finch] ran.\n"
    book, annotations = story(text, frank="Frank/he", tom="Tom/he", finch="Finch/he")
    far, place = BookSoFar(book, annotations, ()), book.paragraphs[1].span
    true = happening(book.slice(place), place, scenes(book)[0], far.cast.names)
    assert [f.text for f in with_others(far, true, Random(0))] == ["Frank met Mr. Dark and Finch."]


THEIRS = story(OTHER, sharp="Mrs. Sharp/she", rollo="Rollo/he", bell="Mr. Bell/he")
OURS = story(
    "# One\n\n[Mrs. Lomax|lomax] met [Tim|tim]. [Lomax|lomax] knew [Mr. Ford|ford], a lantern.\n",
    lomax="Mrs. Lomax/she",
    tim="Tim/he",
    ford="Mr. Ford/he",
)


def test_the_people_of_another_book_get_names_of_this_one() -> None:
    (_, theirs), (_, ours) = THEIRS, OURS
    names = Names(ours.characters)
    renaming = between(theirs.characters, ours.characters, names)
    text = "Mrs. Sharp stole Rollo’s lantern; Sharp never told Mr. Bell."
    renamed = renaming.of(text)
    assert renamed == "Mrs. Lomax stole Tim’s lantern; Lomax never told Mr. Ford."
    fewer = between(theirs.characters, [c for c in ours.characters if c.pronouns == "she/her"], names)
    assert fewer.of(text) is None


def test_somebody_gets_a_usual_name() -> None:
    def person(*names: tuple[str, int]) -> Character:
        aliases = tuple(Alias(name, count, 0) for name, count in names)
        return Character(names[0][0], names[0][0], aliases, CharacterKind.PERSON, "she/her", 99, 0)

    sharp = person(("Sarah Sharp", 9))
    for count, name in ((9, "Clotelle"), (30, "Little Clotelle")):
        other = person(("Clotelle", 90), ("Little Clotelle", count))
        assert between([sharp], [other], Names((other,))).of("Sarah Sharp ran.") == f"{name} ran."
    craven = person(("Miss Craven", 60), ("Archibald Craven", 5), ("Archie", 5))
    renamed = between([sharp], [craven], Names((craven,))).of("Sarah Sharp ran.")
    assert renamed == "Miss Craven ran.", "not by a name that the book hardly uses"


def test_a_choice_from_another_book_names_nothing_strange() -> None:
    theirs_book, theirs = THEIRS
    here = BookSoFar(*OURS, ())
    (scene,) = scenes(theirs_book)
    made = [
        happening(text, scene.span, scene, Names(theirs.characters))
        for text in ("Mrs. Sharp knew him.", "Mrs. Sharp went to Paris.", "She knew him.")
    ]
    assert [f.text for f in of_others(here, made, theirs.characters)] == ["Mrs. Lomax knew him."]


def test_a_correction_keeps_what_is_right(low_water: OpenedNovella) -> None:
    far = reading(low_water)
    for level, fewest in zip(QuizLevel, (1, 1, SHORT), strict=True):
        (task,) = corrections(far, level=level, count=1, rng=Random(fewest))
        assert task.given != task.right
        assert task.right == " ".join(h.text for h in task.happenings)
        kept = [h for h in task.happenings if h.text in task.given]
        assert len(kept) < len(task.happenings)
        assert fewest <= len(task.happenings) <= SHORT


def test_summaries_are_merged_by_a_model_and_told_wrongly(low_water: OpenedNovella) -> None:
    far = reading(low_water, 6)
    scene, chapters, book = "Bess opens the bank.", ["Bess signs.", "Bess pays Zora."], "Bess saves the bank."

    def made(level: QuizLevel, *script: str, count: int = 1) -> tuple[list[CorrectionTask], str]:
        model = ScriptedModel(script)
        tasks = written_corrections(model, far, level=level, count=count, rng=Random(2))
        return tasks, model.asked[0][0].messages[-1].content

    (task,), shown = made(QuizLevel.SCENE, scene, "Bess shuts the bank.")
    assert (task.right, task.given, len(task.happenings)) == (scene, "Bess shuts the bank.", 1)
    assert " ".join(far.book.slice(task.happenings[0].scene.span).split()) in " ".join(shown.split())
    (task,), shown = made(QuizLevel.CHAPTER, *chapters, "Bess tears it up.", "Bess pays nobody.", count=2)
    assert (task.right, task.given) == ("Bess signs.", "Bess tears it up."), "nobody of whom nothing is known"
    assert all(happening.text in shown for happening in task.happenings)
    (task,), shown = made(QuizLevel.BOOK, book, "Bess burns the bank.")
    assert (task.right, task.given, task.level, task.at) == (book, "Bess burns the bank.", "book", far.end)
    assert all(happening.text in shown for happening in far.happenings)
    assert len(task.happenings) == SHORT
    assert made(QuizLevel.BOOK, book, book)[0] == []
    for name in ("Mr. Zora", "The “Zora”", "Old Élise"):
        assert made(QuizLevel.BOOK, book, f"{name} burns the bank.")[0] == [], name


def test_neighbouring_summaries_are_merged_until_one_is_left() -> None:
    long = [f"{n} " + 4000 * "a" for n in range(5)]
    model = ScriptedModel(["a to b", "c to d", "Another", "a to e"])
    assert merged(model, [long, ["One.", "Two."], []]) == ["a to e", "Another", ""]
    assert [len(requests) for requests in model.asked] == [3, 1]


def test_a_set_for_measuring_asks_all_along(low_water: OpenedNovella) -> None:
    far = reading(low_water)
    nobody: Sequence[Choice] = ()
    rows = [
        as_row(*asked)
        for asked in read_along_set(
            far.book, far.annotations, far.happenings, lambda _: nobody, each=3, rng=Random(5)
        )
    ]
    assert {row["chapter"] for row in rows} >= set(range(2, len(far.book.chapters) + 1))
    assert {why for row in rows for why in row["why_wrong"]} == {None, "later", "people"}
    right = {len(row["options"]): Counter[int]() for row in rows}
    for row in rows:
        right[len(row["options"])][row["answer"]] += 1
    assert CHOICES + 1 in right
    for options, counts in right.items():
        times = [counts[position] for position in range(options)]
        assert max(times) - min(times) <= 1
    for row in rows:
        later = [o for o, why in zip(row["options"], row["why_wrong"], strict=False) if why == "later"]
        places = {h.text: h.place for h in far.happenings}
        assert all(places[text].start >= row["context_characters"] for text in later)
        if row["answer_span"] is not None:
            assert row["answer_span"][1] <= row["context_characters"]
            assert 0 <= row["retention_words"] <= row["context_words"]


def test_what_happens_in_another_book_is_told_once(low_water: OpenedNovella) -> None:
    far = reading(low_water)
    strange = [
        Choice(f"Elsewhere {n}.", WhyWrong.OTHER_BOOK, replace(far.happenings[0], text=str(n)))
        for n in range(3)
    ]
    asked = read_along_set(
        far.book, far.annotations, far.happenings, lambda _: strange, each=3, rng=Random(5)
    )
    shown = Counter(choice.text for _, question in asked for choice in question.choices)
    assert [shown[each.text] for each in strange] == [1, 1, 1]


def person(name: str, *more: str, mentions: int = 9) -> Character:
    aliases = tuple(Alias(text, 9, 0) for text in (name, *more))
    return Character(name, name, aliases, CharacterKind.PERSON, "he/him", mentions, 0)


def test_nobody_stands_for_themselves_and_nobody_who_is_only_talked_of() -> None:
    walton, captain = person("Robert Walton", "Walton", mentions=90), person("R. Walton", mentions=40)
    stranger, clerval = person("the stranger", mentions=50), person("Mr. Clerval", mentions=30)
    paracelsus = person("Paracelsus", mentions=3)
    assert [is_another(each, walton) for each in (captain, stranger, clerval)] == [False, False, True]
    assert not is_another(person("Mr. Walton"), walton)
    assert is_another(person("Mr. Clerval"), person("Mr. Krempe")), "a title is no name"
    assert taking_part([walton, captain, clerval, paracelsus]) == (walton, captain, clerval)


def test_a_name_is_changed_with_its_article_and_none_comes_after_one() -> None:
    board, father = person("Board", "the Board"), person("My father")
    tom, ford = person("Tom"), person("Ford")
    assert [has_name(each) for each in (board, father, tom)] == [False, False, True]
    names = Names((board, father, tom, ford))
    renaming = Renaming(names, names, {board.id: tom, ford.id: tom}, kept=[tom.id, father.id])
    for text, changed in (
        ("The Board favoured the Board.", "Tom favoured Tom."),
        ("My father met Ford.", "My father met Tom."),
    ):
        assert renaming.of(text) == changed
    assert renaming.of("It was the Ford I knew.") is None
    assert renaming.of("Tom met his Ford.") is None


def test_no_name_is_changed_before_a_mark_that_would_not_fit_the_other() -> None:
    moss, tom, ross = person("Moss"), person("Tom"), person("Ross")
    names = Names((moss, tom, ross))
    for other, told in ((tom, None), (ross, "It was Ross’ house.")):
        assert Renaming(names, names, {moss.id: other}).of("It was Moss’ house.") == told
    for text, told in (
        ("It was Moss’s house.", "It was Tom’s house."),
        ("She said ‘Come, Moss’, and left.", "She said ‘Come, Tom’, and left."),
    ):
        assert Renaming(names, names, {moss.id: tom}).of(text) == told


def test_no_wrong_choice_of_the_novella_has_a_name_after_an_article(low_water: OpenedNovella) -> None:
    for chapter in (None, 5):
        far = reading(low_water, chapter)
        for true in far.happenings:
            for false in with_others(far, true, Random(0)):
                (new,) = {n.character for n in far.cast.names.find(false.text)} - set(true.people)
                for named in far.cast.names.find(false.text):
                    if named.character == new:
                        before = false.text[: named.span.start].split()[-1:]
                        assert before not in (["the"], ["The"], ["my"], ["his"], ["her"], ["a"]), false.text
                        assert not named.span.of(false.text).startswith("My ")
