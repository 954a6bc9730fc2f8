from __future__ import annotations

from books.types import Span
from coref.types import Annotations
from generation.checking.evidence import gather
from generation.contexts import make_context
from generation.story.cast import CastIndex, cast_of
from generation.types import Category, Citation, Claim
from tests.generation.novel import Found, passages, story

PEOPLE = {"tom": "Tom Pratt/he", "ann": "Ann Pratt/she"}
TEXT = "# One\n\n{tom>ann:“I met my mother,”} said [Tom|tom]. [His|tom] mother saw [Ann Pratt|ann].\n"


def told(narrator: str | None = None) -> CastIndex:
    book, found = story(TEXT, **PEOPLE)
    return CastIndex(book, Annotations("hand/1", found.characters, found.mentions, found.quotes, narrator))


def standing(cast: CastIndex) -> list[tuple[str, str]]:
    text = cast.book.text
    return [(s.span.of(text), s.character) for s in cast.standing_in(Span(0, len(text)))]


def test_i_in_a_quote_is_its_speaker() -> None:
    assert standing(told()) == [
        ("I", "tom"), ("my", "tom"), ("Tom", "tom"), ("His", "tom"), ("Ann Pratt", "ann"),
    ]  # fmt: skip


def test_the_narrator_is_i_outside_quotes() -> None:
    book, found = story("# One\n\nI saw [Ann|ann]. {ann>tom:“I know,”} said [Ann|ann].\n", **PEOPLE)
    cast = CastIndex(book, Annotations("hand/1", found.characters, found.mentions, found.quotes, "tom"))
    assert standing(cast)[0] == ("I", "tom")
    assert ("I", "ann") in standing(cast)


def test_a_question_may_call_somebody_the_narrator() -> None:
    question = "Who is the narrator?"
    [named] = told("tom").names_in_questions.find(question)
    assert (named.span.of(question), named.character) == ("the narrator", "tom")
    assert told().names_in_questions.find(question) == ()


def test_a_cast_is_kept_for_the_same_annotations_only() -> None:
    book, found = story(TEXT, **PEOPLE)
    _, again = story(TEXT, **PEOPLE)
    assert cast_of(book, found) is cast_of(book, found)
    assert cast_of(book, again) is not cast_of(book, found)


def test_evidence_has_the_cited_sentence_first_and_knows_who_speaks() -> None:
    book, found = story(TEXT, **PEOPLE)
    cited = Span(book.text.index("His mother"), len(book.text) - 1)
    claim = Claim("Tom met Ann.", Category.EVENT, 0, Span(0, 11), "tom", (Citation(cited, 0),))
    context = make_context(book, annotations=found, people=["tom"])
    case = gather(claim, context=context, retriever=Found(passages(book)))
    first, *rest = case.evidence
    assert case.cited == (first,)
    assert first.text == book.slice(cited)
    speakers = [n.character for e in rest for n in e.named or () if not len(n.span)]
    assert "tom" in speakers


def test_evidence_past_the_end_of_the_gated_book_is_dropped() -> None:
    book, found = story(TEXT, **PEOPLE)
    past = Citation(Span(len(book.text), len(book.text) + 5), 0)
    claim = Claim("Tom met Ann.", Category.EVENT, 0, Span(0, 11), "tom", (past,))
    context = make_context(book, annotations=found, people=["tom"])
    assert gather(claim, context=context, retriever=Found()).cited == ()
