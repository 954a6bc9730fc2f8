"""Whom a name in a question means when several people have it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from books.types import Chapter, Span
from coref.errors import CharacterAmbiguous
from coref.types import Alias, Annotations, Character, CharacterKind, Mention, MentionKind
from service.shelf import View
from service.usecases.questions import people_in, remarks_on_names, remarks_on_relatives
from tests.generation.story.telling import tell

TEXT = "Isabel Minafer and Hope Kinney met in the spring, full of hope. Colonel Cresswell did not come."


def person(id_: str, name: str, count: int, pronouns: str = "she/her") -> Character:
    aliases = (Alias(name.split()[0], count, 0), Alias(name, 1, 0))
    return Character(id_, name, aliases, CharacterKind.PERSON, pronouns, count, 0)


def cast_view(
    *people: Character, chapters: tuple[tuple[str, ...], ...] = (), upto: int | None = None
) -> View:
    """`chapters`: the ids of those who are mentioned in each, which has one character for one mention."""
    mentions = [
        Mention(Span(10 * n + m, 10 * n + m + 1), MentionKind.PROPER, person)
        for n, there in enumerate(chapters)
        for m, person in enumerate(there)
    ]
    annotations = Annotations(resolver="", characters=people, mentions=tuple(mentions), quotes=())
    spans = tuple(Chapter(n, "", Span(10 * n, 10 * n + 10)) for n in range(len(chapters)))
    book = SimpleNamespace(text=TEXT, chapters=spans)
    return cast(View, SimpleNamespace(annotations=annotations, book=book, upto=upto, chapters=len(chapters)))


def view(*counts: int) -> View:
    names = ("Isabel Amberson", "Isabel Minafer", "Isabel Kinney")
    return cast_view(*(person(f"p{n}", names[n], count) for n, count in enumerate(counts)))


def test_pronouns_mean_those_of_the_conversation_whom_they_fit() -> None:
    book = cast_view(
        person("ann", "Ann Hale", 9),
        person("tom", "Tom Reed", 9, "he/him"),
        person("roy", "Roy", 5, "he/him"),
    )

    def asked(question: str, *meant: str) -> list[str]:
        return [one.id for one in people_in(book, question, meant)]

    assert asked("What does he say of her?", "ann", "tom") == ["tom", "ann"]
    assert asked("Who is he?", "ann", "tom") == ["tom"]
    assert asked("What does he say of Ann?", "tom") == ["tom", "ann"]
    assert asked("What does Tom say of his house?", "roy") == ["tom"]
    assert asked("And why did they leave?", "ann", "tom") == ["ann", "tom"]
    assert asked("And why?", "tom") == ["tom"]


def test_a_pronoun_of_nobody_is_remarked_on() -> None:
    book = cast_view(person("ann", "Ann Hale", 9))
    assert remarks_on_names(book, "Why did he leave?", ()) == (
        "Whom “he” means is not known. Ask with a name.",
    )
    assert remarks_on_names(book, "Why did she leave?", people_in(book, "Why did she leave?", ["ann"])) == ()


def test_a_relative_is_meant_by_words_for_one() -> None:
    said = "[Ann Hale|ann] is the sister of [Tom Hale|tom]. [Tom Hale|tom] is the brother of [Ann Hale|ann]. "
    book, annotations = tell(f"# One\n\n{3 * said}", ann="Ann Hale/she", tom="Tom Hale/he")
    view = cast(View, SimpleNamespace(annotations=annotations, book=book, chapters=1))

    def asked(question: str, *meant: str) -> list[str]:
        return [one.id for one in people_in(view, question, meant)]

    assert asked("Why did her elder brother leave?", "ann") == ["ann", "tom"]
    assert asked("Why did Ann Hale leave her brother?") == ["ann", "tom"]
    assert asked("Why did Ann Hale’s brothers leave?") == ["ann", "tom"]
    assert asked("Why did her sister leave?", "ann") == ["ann"]
    assert asked("Why did her brother Jim leave?", "ann") == ["ann"]
    assert asked("Why did she, a brother, leave?", "ann") == ["ann"]
    assert remarks_on_relatives(view, "Why did her brother leave?", ["ann"]) == (
        "“her brother” was taken for Tom Hale.",
    )
    assert remarks_on_relatives(view, "Why did her sister leave?", ["ann"]) == ()


def test_names_in_small_letters_are_found_where_they_are_no_words_of_the_book() -> None:
    book = cast_view(person("isa", "Isabel Minafer", 9), person("hope", "Hope Kinney", 9))
    assert [one.id for one in people_in(book, "who is isabel?", ())] == ["isa"]
    assert [one.id for one in people_in(book, "who has isabel minafer's letter?", ())] == ["isa"]
    assert people_in(book, "what do they hope for?", ()) == ()


def test_a_part_of_a_name_is_found_where_the_book_has_it_in_no_other_words() -> None:
    told = "[Lady Jocelyn Leigh|jo] met [the Vicar of Blackstable|vicar] in Blackstable."
    said = f"{told} He is gone from Blackstable."
    book, annotations = tell(f"# One\n\n{said}", jo="Lady Jocelyn Leigh/she", vicar="Vicar of Blackstable/he")
    view = cast(View, SimpleNamespace(annotations=annotations, book=book, chapters=1))

    def asked(question: str) -> list[str]:
        return [one.id for one in people_in(view, question, ())]

    assert asked("Who is Jocelyn?") == asked("Is Jocelyn Leigh married?") == ["jo"]
    assert asked("who is jocelyn") == ["jo"]
    assert asked("Who lives in Blackstable?") == []
    assert asked("Where did Leigh meet the Vicar of Blackstable?") == ["jo", "vicar"]
    assert asked("Who is Jocelyn Percy?") == asked("Who is Mary Leigh?") == [], "somebody else"


def test_a_place_in_a_title_means_nobody_although_the_book_has_it_nowhere_else() -> None:
    book, annotations = tell("# One\n\n[The King of France|king] came.", king="The King of France/he")
    view = cast(View, SimpleNamespace(annotations=annotations, book=book, chapters=1))
    assert not people_in(view, "What happened in France?", ())


def test_a_misspelt_name_is_answered_with_those_like_it() -> None:
    book = cast_view(person("isa", "Isabel Minafer", 9))
    for question in ("Who is Isable?", "who is isable"):
        assert remarks_on_names(book, question, ()) == (
            "The book does not have “Isable”. Near names: Isabel.",
        )
    assert remarks_on_names(book, "Who is Cresswell? Who is Zenobia? Who is Bella?", ()) == ()
    assert remarks_on_names(cast_view(*book.annotations.characters, upto=5), "Who is Isable?", ()) == (
        "The part of the book that was searched does not have “Isable”. Near names: Isabel.",
    )


def test_a_name_means_the_one_of_whom_the_book_speaks_most() -> None:
    book, question = view(1046, 50, 30), "Why does Isabel refuse him?"
    people = people_in(book, question, ())
    assert [one.id for one in people] == ["p0"]
    assert remarks_on_names(book, question, people) == (
        "“Isabel” was taken for Isabel Amberson. Isabel Minafer, Isabel Kinney have that name, too.",
    )


def test_a_namesake_who_is_hardly_mentioned_is_named_and_can_be_meant() -> None:
    book, question = view(1046, 20), "Why does Isabel refuse him?"
    people = people_in(book, question, ())
    assert [one.id for one in people] == ["p0"]
    assert remarks_on_names(book, question, people) == (
        "“Isabel” was taken for Isabel Amberson. Isabel Minafer has that name, too.",
    )
    assert [one.id for one in people_in(book, question, ["p1"])] == ["p1"]


def test_a_name_of_two_of_equal_weight_is_asked_back_unless_one_is_meant() -> None:
    book, question = view(131, 113), "Why does Isabel refuse him?"
    with pytest.raises(CharacterAmbiguous):
        people_in(book, question, ())
    assert [one.id for one in people_in(book, question, ["p1"])] == ["p1"]


def described(id_: str, name: str, *others: str) -> Character:
    aliases = tuple(Alias(text, 2, 0) for text in (name, *others))
    return Character(id_, name, aliases, CharacterKind.PERSON, "he/him", 9, 0)


def test_a_chapter_tells_whom_a_name_means() -> None:
    people = [described(id_, name, "the old man") for id_, name in (("al", "Al"), ("tom", "Tom"))]
    book = cast_view(*people, chapters=(("al",), ("tom",), ("al", "tom"), ()))

    def asked(question: str) -> list[str]:
        return [one.id for one in people_in(book, question, ())]

    assert asked("Who is the old man in chapter 1?") == ["al"]
    assert asked("Who is the old man in chapter 2?") == ["tom"]
    assert asked("Who is the old man in chapter 4?") == []
    assert asked("Who is Tom in chapter 4?") == ["tom"]
    for question in ("Who is the old man?", "Who is the old man in chapter 3?"):
        with pytest.raises(CharacterAmbiguous):
            people_in(book, question, ())
    assert remarks_on_names(book, "Who is the old man in chapter 2?", [people[1]]) == (
        "“the old man” was taken for Tom. Al has that name, too.",
    )
    one = cast_view(described("hunter", "the hunter", "the cowboy"))
    (hunter,) = people_in(one, "Who is the cowboy?", ())
    assert remarks_on_names(one, "Who is the cowboy?", [hunter]) == (
        "“the cowboy” was taken for the hunter.",
    )
    assert remarks_on_names(one, "Who is the hunter?", [hunter]) == ()


def test_those_who_have_a_name_among_others_are_told() -> None:
    book = cast_view(person("harry", "Cresswell", 90, "he/him"), person("mary", "Mary Cresswell", 9))
    (harry,) = people_in(book, "Who is Cresswell?", ())
    assert remarks_on_names(book, "Who is Cresswell?", [harry]) == (
        "“Cresswell” was taken for Cresswell. Mary Cresswell has that name, too.",
    )
    once = cast_view(person("harry", "Cresswell", 90, "he/him"), person("mary", "Mary Cresswell", 4))
    assert remarks_on_names(once, "Who is Cresswell?", [harry]) == ()


def test_a_name_that_is_clear_is_not_remarked_on() -> None:
    book, question = view(60, 50), "Why does Isabel Minafer refuse him?"
    people = people_in(book, question, ())
    assert [one.id for one in people] == ["p1"]
    assert remarks_on_names(book, question, people) == ()
    assert remarks_on_names(book, "Why?", ()) == ()
