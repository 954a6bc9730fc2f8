"""Search in the novella: what a line means, what is found where, and nothing of what is still to come."""

from __future__ import annotations

from collections import Counter

import pytest

from books.reading import read
from coref.gate import gate
from coref.lookup import find
from coref.types import Annotations, MentionKind
from retrieval.errors import SearchInvalid
from retrieval.finding.marks import Marker, phrase
from retrieval.finding.query_line import QueryLine, parse
from retrieval.finding.search import FLOOR, Wanted, search
from retrieval.finding.types import BookSearch
from retrieval.protocols import Vectors
from retrieval.registry import make_embedder
from retrieval.tokenizer import terms
from retrieval.types import Order
from tests.novella import OpenedNovella
from tests.retrieval.conftest import PEOPLE, Indexer, annotate, make_book

ALL = 1_000


def found(
    low_water: OpenedNovella,
    line: str,
    *,
    chapter: int | None = None,
    meaning: bool = False,
    order: Order = Order.SCORE,
    limit: int = ALL,
    offset: int = 0,
) -> BookSearch:
    book, annotations, index = low_water
    upto = None if chapter is None else book.end_of_chapter(chapter)
    seen = annotations if upto is None else gate(annotations, upto=upto)
    parsed = parse(line)
    wanted = Wanted(
        parsed,
        by=find(seen, parsed.by).id if parsed.by else None,
        company=tuple(find(seen, name).id for name in parsed.company),
        order=order,
        limit=limit,
        offset=offset,
    )
    return search(index, seen, wanted, embedder=make_embedder("hashing") if meaning else None, upto=upto)


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("他说「你好」", QueryLine(words=("他说",), phrases=("你好",))),
        ("by：老张 「一动也不动」", QueryLine(phrases=("一动也不动",), by="老张")),
        ("red lamp", QueryLine(words=("red", "lamp"))),
        ('"the red lamp" rope', QueryLine(words=("rope",), phrases=("the red lamp",))),
        ("“the red lamp”", QueryLine(phrases=("the red lamp",))),
        ('by:"Mr. Dark" lamp', QueryLine(words=("lamp",), by="Mr. Dark")),
        ("With:Ann with:Bob", QueryLine(company=("Ann", "Bob"))),
        ("said:never", QueryLine(words=("never",), spoken=True)),
        ('said:"never again"', QueryLine(phrases=("never again",), spoken=True)),
        ("chapter:3 lamp", QueryLine(words=("lamp",), chapters=(3, 3))),
        ("chapter:3-5", QueryLine(chapters=(3, 5))),
        ("to be or not", QueryLine(phrases=("to be or not",))),
        ("note: well", QueryLine(words=("note:", "well"))),
    ],
)
def test_a_line_is_understood(line: str, meant: QueryLine) -> None:
    assert parse(line) == meant


@pytest.mark.parametrize("line", ["by:", 'with:""', "chapter:0", "chapter:5-3", "chapter:last", "   ", '""'])
def test_a_line_that_makes_no_sense_is_refused(line: str) -> None:
    with pytest.raises(SearchInvalid):
        parse(line)


def test_every_find_has_all_words_and_every_place_is_found(low_water: OpenedNovella) -> None:
    book, _, index = low_water
    result = found(low_water, "harbour letters")
    assert result.total > 1
    wanted = set(terms("harbour letters"))
    having = [p.index for p in index.passages if wanted <= set(terms(p.text))]
    assert sorted(f.passage.index for f in result.by_words) == having
    for each in result.by_words:
        assert wanted <= {t for mark in each.marks for t in terms(mark.of(book.text))}
        assert all(each.passage.span.covers(mark) for mark in each.marks)
    assert result.words == ()


def test_words_side_by_side_come_first(low_water: OpenedNovella) -> None:
    pattern = phrase("tide table")
    texts = [f.passage.text for f in found(low_water, "tide table").by_words]
    beside = [pattern.search(text) is not None for text in texts]
    assert True in beside
    assert False in beside
    assert beside == sorted(beside, reverse=True)


def test_a_phrase_is_found_over_line_ends_and_marked_whole(low_water: OpenedNovella) -> None:
    book = low_water[0]
    result = found(low_water, '"the harbour board"')
    assert result.total == sum(
        phrase("the harbour board").search(p.text) is not None for p in low_water[2].passages
    )
    for each in result.by_words:
        assert {" ".join(m.of(book.text).lower().split()) for m in each.marks} == {"the harbour board"}


def test_the_counts_are_of_all_finds_and_pages_do_not_overlap(low_water: OpenedNovella) -> None:
    whole = found(low_water, "harbour", order=Order.STORY)
    assert sum(whole.by_chapter) == whole.total == len(whole.by_words)
    pages = [found(low_water, "harbour", order=Order.STORY, limit=3, offset=n) for n in range(0, 9, 3)]
    assert [f for page in pages for f in page.by_words] == list(whole.by_words[:9])
    assert {page.total for page in pages} == {whole.total}
    places = [f.passage.index for f in whole.by_words]
    assert places == sorted(places)
    within = found(low_water, "chapter:2-3 harbour")
    assert within.total == sum(whole.by_chapter[1:3])


def test_what_somebody_says(low_water: OpenedNovella) -> None:
    book, annotations, _ = low_water
    bess = find(annotations, "Bess")
    mine = [q.span for q in annotations.quotes if q.speaker == bess.id]
    others = {t for q in annotations.quotes if q.speaker != bess.id for t in terms(q.span.of(book.text))}
    said = Counter(t for q in mine for t in terms(q.of(book.text)) if t in others)
    word = max(said, key=lambda t: said[t])
    result = found(low_water, f"by:Bess {word}")
    assert result.total
    for each in result.by_words:
        assert each.marks
        assert all(any(q.covers(mark) for q in mine) for mark in each.marks)
    anybody = found(low_water, f"said:{word}")
    assert result.total < anybody.total <= found(low_water, word).total
    assert found(low_water, "said:harbour").total < found(low_water, "harbour").total
    every = found(low_water, "by:Bess", order=Order.STORY)
    assert {f.passage.index for f in every.by_words} == {
        p.index for p in low_water[2].passages if any(p.span.overlaps(q) for q in mine)
    }


def test_scenes_with_somebody(low_water: OpenedNovella) -> None:
    book, annotations, index = low_water
    bess = find(annotations, "Bess").id
    tales = {q.span for q in annotations.quotes if "\n\n" in q.span.of(book.text)}
    others = [q.span for q in annotations.quotes if q.speaker != bess and q.span not in tales]
    said = [q.span for q in annotations.quotes if q.speaker == bess]
    named = [m.span for m in annotations.mentions_of(bess) if not any(q.covers(m.span) for q in others)]
    there = {p.index for p in index.passages if any(p.span.overlaps(span) for span in (*said, *named))}
    scenes = found(low_water, "with:Bess")
    assert there < {f.passage.index for f in scenes.by_words}
    for each in scenes.by_words:
        near = [n for n in there if abs(n - each.passage.index) <= 3]
        assert any(index.passages[n].chapter == each.passage.chapter for n in near)
    for line in ("with:Bess", "with:Bess harbour"):
        present = [f.passage.index in there for f in found(low_water, line).by_words]
        assert present == sorted(present, reverse=True), "where she is comes before what is near"
        assert {True, False} <= set(present)
    both = found(low_water, "with:Bess with:Nuttall")
    assert 0 < both.total < scenes.total


def test_somebody_who_is_only_spoken_of_is_not_there(index_of: Indexer) -> None:
    rain = ("The rain fell." * 30,) * 4
    book = make_book(
        [
            ("One", "“Tom is late.” said Ann Lee.", *rain, "Tom came in. He was wet."),
            ("Two", "“I will tell you of the boy.", "“Tom ran away to sea.” said Ann Lee."),
            ("Three", "“Where is Tom?” said Ann Lee.", *rain, "“I am here.” said Tom."),
        ]
    )
    people = annotate(book, PEOPLE | {"ann": {"Ann": MentionKind.PROPER}})
    tom = Wanted(parse("with:Tom"), company=("tom",), limit=ALL)
    texts = [
        (each.passage.text, [mark.of(book.text) for mark in each.marks])
        for each in search(index_of(book), people, tom, embedder=None, upto=None).by_words
    ]
    assert "Tom is late" not in str(texts)
    assert "Where is Tom" not in str(texts)
    assert [marks for _, marks in texts if marks] == [["Tom", "He"], ["Tom"], ["Tom"]]
    assert texts[3:] == [(text, []) for text, _ in texts[3:]], "what is near comes after"
    assert "of the boy" in str(texts), "it begins a tale with him"


def test_nothing_is_a_plain_no_with_what_was_nearly_meant(low_water: OpenedNovella) -> None:
    result = found(low_water, "harbor submarine")
    assert result.by_words == result.by_meaning == ()
    assert result.total == 0
    harbour, submarine = result.words
    assert (harbour.word, harbour.passages) == ("harbor", 0)
    assert "harbour" in [word.lower() for word in harbour.similar]
    assert submarine.similar == ()
    apart = found(low_water, "harbour zeppelin")
    assert [(w.word, w.passages > 0) for w in apart.words] == [("harbour", True), ("zeppelin", False)]


@pytest.mark.parametrize("chapter", [1, 3, 6])
def test_what_is_still_to_come_is_not_found_not_counted_and_not_suggested(
    low_water: OpenedNovella, chapter: int
) -> None:
    book, _, index = low_water
    end = book.end_of_chapter(chapter)
    seen = {t for p in index.passages if p.span.end <= end for t in terms(p.text)}
    later = sorted({t for p in index.passages for t in terms(p.text) if len(t) > 5} - seen)[::40]
    assert later
    for word in later:
        result = found(low_water, word, chapter=chapter)
        assert result.total == 0
        assert len(result.by_chapter) == chapter
        (alone,) = result.words
        assert alone.passages == 0
        assert {t for similar in alone.similar for t in terms(similar)} <= seen
    every = found(low_water, "harbour", chapter=chapter, meaning=True)
    assert all(f.passage.span.end <= end for f in (*every.by_words, *every.by_meaning))


class Fixed:
    """Embeds any text as the vector of one passage."""

    name = "fixed"
    dimension = 0

    def __init__(self, vector: Vectors) -> None:
        self._vector = vector

    def embed(self, texts: list[str]) -> Vectors:
        return self._vector[None, :].repeat(len(texts), 0)


def test_what_is_near_in_meaning_stands_apart_above_a_floor(low_water: OpenedNovella) -> None:
    _, annotations, index = low_water
    vector = index.dense.vectors([5])[0]
    near = [row for row, score in index.dense.top(vector, 11, visible=len(index)) if score >= FLOOR]
    wanted = Wanted(parse("zeppelin"))
    result = search(index, annotations, wanted, embedder=Fixed(vector), upto=None)  # type: ignore[arg-type]
    assert result.by_words == ()
    assert [f.passage.index for f in result.by_meaning] == near[:10]
    assert 5 in near
    assert all(f.marks == () for f in result.by_meaning)
    opposite = search(index, annotations, wanted, embedder=Fixed(-vector), upto=None)  # type: ignore[arg-type]
    assert opposite.by_meaning == ()
    quoted = Wanted(parse('"zeppelin"'))
    exact = search(index, annotations, quoted, embedder=Fixed(vector), upto=None)  # type: ignore[arg-type]
    assert exact.by_meaning == ()


def test_nothing_is_near_in_a_meaning_that_the_vectors_do_not_understand(
    low_water: OpenedNovella, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, annotations, index = low_water
    fixed = Fixed(index.dense.vectors([5])[0])
    monkeypatch.setattr(index, "embedder", "all-MiniLM-L6-v2/test")
    for line, understood in (("zeppelin", True), ("飞艇", False)):
        result = search(index, annotations, Wanted(parse(line)), embedder=fixed, upto=None)  # type: ignore[arg-type]
        assert bool(result.by_meaning) == understood


def test_marks_mind_plurals_accents_and_scripts_without_spaces() -> None:
    text = "The cafés of Élise’s friend, and a café."
    marks = Marker(parse("cafe elise")).marks(text)
    assert [m.of(text) for m in marks] == ["cafés", "Élise’s", "café"]
    chinese = "林黛玉走进来，黛玉笑了。"
    assert [m.of(chinese) for m in Marker(parse("黛玉")).marks(chinese)] == ["黛玉", "黛玉"]
    assert [m.of(chinese) for m in Marker(parse('"黛玉笑"')).marks(chinese)] == ["黛玉笑"]


def test_words_side_by_side_come_first_in_either_chinese_script(index_of: Indexer) -> None:
    apart, beside = (
        "鳳姐走進來，看見寶玉笑了，鳳姐又笑了。" * 9,
        "他看見鳳姐、寶玉站在門外，一句話也不說。" * 9,
    )
    book = read(f"{apart}\n\n{beside}\n".encode(), name="mansion.txt")
    nobody = Annotations("nobody", (), (), ())
    found = search(index_of(book), nobody, Wanted(parse("凤姐 寶玉"), limit=ALL), embedder=None, upto=None)
    assert [each.passage.text.strip()[0] for each in found.by_words] == ["他", "鳳"]


def test_a_phrase_in_wide_letters_is_found_in_a_chinese_text() -> None:
    assert Marker(parse('"１９９０"')).all_in("那一年是“１９９０”。")


@pytest.mark.parametrize("line", ["凤姐", "鳳姐", '"凤姐"', '"鳳姐"'])
def test_words_are_marked_in_either_chinese_script(line: str) -> None:
    for text in ("王熙鳳就是鳳姐。", "王熙凤就是凤姐。"):
        assert [(mark.start, mark.end) for mark in Marker(parse(line)).marks(text)] == [(5, 7)]
        assert Marker(parse(line)).all_in(text)
