"""Quotations are the words of the book, cut at pauses, with who says them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from books.types import Book, Exclusion, Part, Span, count_words
from coref.types import MentionKind
from generation.story.cast import cast_of
from generation.story.quotation import UNKNOWN, Quotation
from generation.story.quotations import LONGEST, first_naming, quotations, words_of
from generation.types import CHARACTERS
from retrieval.sentences import split
from retrieval.types import Category, TellingSentence
from tests.generation.grammar import parsed
from tests.generation.indexed import IndexedStory
from tests.generation.novel import story

PEOPLE = {"ann": "Ann Hale/she", "tom": "Tom Reed/he", "maid": "Maid/she"}


def letters(text: str) -> str:
    """What remains of a text without its typography."""
    return re.sub(r"[\W_]", "", text)


def sentences(book: Book, character: str) -> list[TellingSentence]:
    every = dict.fromkeys(Category, 0.0)
    return [
        TellingSentence(span, paragraph.chapter, character, 0.0, every, 1.0, 0.5, 0.8, introducing=True)
        for paragraph in book.paragraphs
        for span in split(book.text, paragraph.span)
        if not book.text[span.start :].startswith("#")
    ]


def quoted(marked: str, of: str = "ann") -> list[Quotation]:
    book, annotations = story(f"# One\n\n{marked}", **PEOPLE)
    return list(quotations(sentences(book, of), cast_of(book, annotations)))


def only(marked: str, of: str = "ann") -> Quotation:
    (found,) = quoted(marked, of)
    return found


def test_a_sentence_is_quoted_whole_on_one_line() -> None:
    found = only("[Ann|ann] was _never_ late,\nand [Tom|tom] was.")
    assert found.text == "Ann was never late, and Tom was."
    assert found.others == {"tom"}
    assert (found.speaker, found.own) == (None, False)


@pytest.mark.parametrize(
    ("marked", "shown"),
    [
        ("[He|tom] ran. [He|tom] fell.", "He [Tom Reed] ran. He fell."),
        ("[Tom|tom] ran. [He|tom] fell.", "Tom ran. He fell."),
        ("[He|tom] saw [Bob|bob]. [He|tom] fell.", "He [Tom Reed] saw Bob. He [Tom Reed] fell."),
        ("[He|tom] ran. [Bob|bob] came. [He|tom] fell.", "He [Tom Reed] ran. Bob came. He [Tom Reed] fell."),
    ],
)
def test_a_name_follows_a_pronoun_unless_the_words_before_are_of_the_same_person(
    marked: str, shown: str
) -> None:
    book, annotations = story(f"# One\n\n{marked}", **PEOPLE, bob="Bob/he")
    told, _ = words_of(book.paragraphs[-1].span, cast_of(book, annotations), named=True, whole=True)
    assert told == shown


def test_a_page_number_in_a_sentence_is_not_quoted() -> None:
    book, annotations = story("# One\n\nIt was [Pg 33] late, Tom2, when [she|ann] slept.", **PEOPLE)
    marks = [Span(at := book.text.index(mark), at + len(mark)) for mark in ("[Pg 33]", "2")]
    numbered = replace(book, excluded=tuple(Exclusion(s, Part.APPARATUS, "page number") for s in marks))
    cast = cast_of(numbered, annotations)
    (found,) = quotations(sentences(numbered, "ann"), cast)
    assert found.text == "It was late, Tom, when she slept."
    told, _ = words_of(sentences(numbered, "ann")[0].span, cast, named=True)
    assert told == "It was late, Tom, when she [Ann Hale] slept.", "names stand where they belong"
    assert numbered.told(Span(marks[0].start + 1, marks[1].end)) == " late, Tom"


def test_a_sentence_without_an_end_is_told_to_break_off() -> None:
    assert only("[Ann|ann] wrote upon the door the name\n").text == "Ann wrote upon the door the name …"
    assert only("[Ann|ann] rose and said, with an oath--").text == "Ann rose and said, with an oath …"
    assert only("“[Ann|ann] is late!”").text == "Ann is late!"
    assert only("[Ann|ann] saw [Tom|tom] in Paris.¹ ").text == "Ann saw Tom in Paris.¹"


def test_a_stage_direction_that_is_quoted_in_part_has_no_half_of_a_bracket() -> None:
    assert [q.text for q in quoted("[[Ann|ann] opens the door. [Ann|ann] enters (wet).]")] == [
        "Ann opens the door.",
        "Ann enters (wet).",
    ]
    assert only("[[Ann|ann] falls.]").text == "[Ann falls.]"
    assert only("a) [Ann|ann] went home (late)").text == "a) Ann went home (late)"


def test_what_is_no_prose_is_left_out() -> None:
    assert quoted("* * *") == []


def test_what_is_only_names_is_left_out() -> None:
    assert quoted("“[Ann Hale|ann]!”") == []
    assert quoted("[[ANN|ann], [TOM REED|tom].]") == []
    assert quoted("[[ANN|ann], [TOM REED|tom] and the [MAID|maid].]") == []
    assert quoted("[安|ann]、[汤姆|tom]和[梅|maid]。") == []


@pytest.mark.parametrize(
    ("marked", "told"),
    [
        ("She was [Tom’s|tom] aunt.", "She was Tom’s aunt."),
        ("He was [Tom Reed|tom].", "He was Tom Reed."),
        ("[Ann Hale|ann] was not herself.", "Ann Hale was not herself."),
        ("But [Tom|tom] would not!", "But Tom would not!"),
        ("It was [Ann|ann] and [Tom|tom] again!", "It was Ann and Tom again!"),
        ("他是[汤姆|tom]。", "他是汤姆。"),
    ],
)
def test_what_says_anything_beside_names_is_quoted(marked: str, told: str) -> None:
    assert only(marked).text == told


def test_a_long_sentence_is_cut_at_pauses_around_the_character() -> None:
    other = "the rain fell on the town and on the hills and on the sea that lay behind them"
    found = only(f"{other.capitalize()}; {other}; [Ann|ann] sat by the window; {other}; {other}.")
    assert "Ann sat by the window" in found.text
    assert len(found.text.split()) <= LONGEST + 2
    assert found.text.startswith("… ")
    assert found.text.endswith(" …")
    assert not re.search(r"[;,:] …$", found.text)


def test_a_long_chinese_sentence_is_cut_at_its_own_pauses() -> None:
    other = "雨落在镇上，落在山上，也落在屋后的海上"
    long = f"{other}；" * 5
    found = only(f"{long}[安|ann]坐在窗前；{long}天黑了。")
    assert "安坐在窗前" in found.text
    assert count_words(found.text) <= LONGEST * CHARACTERS
    assert found.text.startswith("……")
    assert found.text.endswith("海上……")
    assert only(f"{other}；[安|ann]坐在窗前。").text.endswith("坐在窗前。")


def test_who_says_it() -> None:
    known = only("{tom>ann:“[Ann|ann] is proud,”} said [Tom|tom].")
    assert (known.speaker, known.own, known.tagged) == ("tom", False, True)
    assert not only("{tom>ann:“[Ann|ann] is proud.”}").tagged
    assert only("{?>?:“[Ann|ann] is proud.”}").speaker == UNKNOWN
    own = only("{ann>tom:“I am not proud.”}")
    assert own.own


def test_words_beside_a_speech_say_who_speaks() -> None:
    rain = "[Ann|ann] is proud, and she was proud as a child, and so was her mother, and so was her aunt"
    assert only(f"{{tom>ann:“{rain},”}} said [Tom|tom].").tagged, "however long the speech is"
    cut = only(f"{{tom>ann:“{rain}; {rain.replace('[Ann|ann]', 'Ann')},”}} said [Tom|tom].")
    assert (cut.speaker, cut.tagged) == ("tom", False), "the words that say it are cut off"


def test_marks_around_all_of_it_go_and_those_inside_are_single() -> None:
    assert only("{tom>?:“[Ann|ann] is proud.”}").text == "Ann is proud."
    assert only("{tom>?:“[Ann|ann] is proud,”} said [Tom|tom].").text == "‘Ann is proud,’ said Tom."
    assert only("[Ann|ann] was called “the Duchess” at home.").text == "Ann was called ‘the Duchess’ at home."
    assert only("[Ann|ann] isn’t late.").text == "Ann isn’t late."


def test_speech_in_single_marks_is_printed_like_any_other() -> None:
    assert only("{ann>tom:'I'm proud, and I won't go.'}").text == "I'm proud, and I won't go."
    inner = only("{tom>?:“[Ann|ann] is a ‘Duchess who’s rich’ here,”} said [Tom|tom].")
    assert inner.text == "‘Ann is a “Duchess who’s rich” here,’ said Tom."
    assert only("{ann>?:“I’m no ‘Duchess’ here.”}").text == "I’m no ‘Duchess’ here."
    inner = only("""{tom>?:'[Ann|ann] is what they call a "Duchess" here,'} said [Tom|tom].""")
    assert inner.text == "‘Ann is what they call a “Duchess” here,’ said Tom."
    assert only("""{ann>?:'I am no "Duchess" here.'}""").text == "I am no ‘Duchess’ here."


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ("{tom>?:「你要小心[安|ann]。", "你要小心安。"),
        ("周福叫起來：「[安|ann]，你看！", "周福叫起來：‘安，你看！’"),
        ("「[安|ann]說『走吧』，」他說。", "‘安說“走吧”，’他說。"),
        ("[安|ann]有個名字叫『夫人』。", "安有個名字叫‘夫人’。"),
    ],
)
def test_marks_in_corners_are_like_others(told: str, text: str) -> None:
    assert only(told).text == text


@pytest.mark.parametrize(
    ("told", "quoted"),
    [
        ('Could [Ann|ann] sing like ye, Joseph?"', "Could Ann sing like ye, Joseph?"),
        ('[Ann|ann] is cured," said Jan, "and', "Ann is cured,’ said Jan, ‘and …"),
        ('[Ann|ann] is well"--he stopped--"that is all."', "Ann is well’--he stopped--‘that is all.’"),
    ],
)
def test_straight_marks_open_and_close_by_what_stands_beside_them(told: str, quoted: str) -> None:
    assert only(told).text == quoted


def test_a_speech_that_is_cut_is_closed_behind_what_is_left_out() -> None:
    rain = "and the rain fell on the town and on the hills"
    found = only(f"{{tom>?:“Come,”}} said [Tom|tom], {{tom>?:“[Ann|ann], {', '.join([rain] * 5)}.”}}")
    assert found.text == f"‘Come,’ said Tom, ‘Ann, {rain}, {rain}, {rain} …’"
    found = only(f"{{tom>?:“I never saw [Ann|ann] again, {rain}, {rain}”}} — {' '.join([rain] * 3)}.")
    assert found.text == f"‘I never saw Ann again, {rain}, {rain}’ …", "a whole one before it"


def test_a_cut_keeps_what_a_sentence_says_in_the_main() -> None:
    when = "When, in the week before, she had filled the boat with food and drink and blankets and powder"
    and_when = "and had brought it down past the fort and the church to a wharf behind trees at night"
    book, annotations = parsed(f"# One\n\n{when}, {and_when}, [Ann|ann] fled in great silence.", **PEOPLE)
    (sentence,) = sentences(book, "ann")
    text, _ = words_of(sentence.span, cast_of(book, annotations))
    assert text.startswith("… ")
    assert text.endswith(f"{and_when}, Ann fled in great silence.")
    text, _ = words_of(sentence.span, cast_of(book, replace(annotations, parse=None)))
    assert text == f"{when}, {and_when} …"


def test_a_cut_leaves_more_than_a_word() -> None:
    long = " ".join(["and the rain fell on the town and on the hills"] * 5)
    assert only(f"[Ann|ann], {long}.").text == f"Ann, {long}."


def test_every_quotation_is_in_the_book_but_for_its_typography(novella_story: IndexedStory) -> None:
    cast = cast_of(novella_story.book, novella_story.annotations)
    for character in novella_story.annotations.characters[:4]:
        found = quotations(novella_story.telling(character.id), cast)
        assert found
        assert [q.citation.span for q in found] == sorted(q.citation.span for q in found)
        for quotation in found:
            words = novella_story.book.slice(quotation.citation.span)
            assert letters(quotation.text) == letters(words)
            assert not set(quotation.text) & set("“”\n")
            assert "‘" in words or quotation.text.count("‘") <= quotation.text.count("’")


def test_somebody_is_first_named_where_more_than_names_is_said() -> None:
    told = "[The maid|maid] saw [him|tom]. [Tom|tom] and [Ann|ann].\n\nThen [Tom Reed|tom] came."
    book, annotations = story(f"# [Tom|tom] and [Ann|ann]\n\n{told}", **PEOPLE)
    named = first_naming("tom", cast_of(book, annotations))
    assert named is not None
    assert (named.text, named.others) == ("Then Tom Reed came.", frozenset())


def test_somebody_is_first_named_where_nobody_speaks() -> None:
    book, annotations = story("# One\n\n{ann>tom:“Well, [Tom|tom], come in.”}\n\n[Tom|tom] bowed.", **PEOPLE)
    named = first_naming("tom", cast_of(book, annotations))
    assert named is not None
    assert named.text == "Tom bowed."


def test_whom_the_book_gives_no_name_is_first_called_what_they_are() -> None:
    book, annotations = story("# One\n\n[She|maid] slept. Then [the maid|maid] woke.", **PEOPLE)
    called = tuple(
        replace(m, kind=MentionKind.NOMINAL) if len(m.span) > 3 else m for m in annotations.mentions
    )
    named = first_naming("maid", cast_of(book, replace(annotations, mentions=called)))
    assert named is not None
    assert named.text == "Then the maid woke."
    pronouns = tuple(m for m in called if m.kind is MentionKind.PRONOUN)
    assert first_naming("maid", cast_of(book, replace(annotations, mentions=pronouns))) is None
