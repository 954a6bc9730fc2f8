"""The other formats: a round trip through BookNLP's loses nothing, and CoNLL-2012 parses as expected."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest

from books.types import Book, Exclusion, Part, Span
from coref.booknlp.importer import import_output
from coref.booknlp.output_files import read_output
from coref.export.booknlp import to_booknlp
from coref.export.conll import to_conll
from coref.export.jsonl import to_jsonl
from coref.export.words import cut
from coref.registry import make_resolver
from coref.types import (
    Annotations,
    Doubt,
    EntityCategory,
    Mention,
    MentionKind,
    Merge,
    Quote,
    Teller,
    Trait,
    TraitKind,
)
from tests.cli.conftest import STORY as LAMP
from tests.coref.conftest import make_book, person

Clusters = dict[str, set[tuple[int, int]]]


def clusters(annotations: Annotations) -> set[frozenset[tuple[Span, MentionKind]]]:
    found = defaultdict(set)
    for mention in annotations.mentions:
        if mention.character is not None:
            found[mention.character].add((mention.span, mention.kind))
    return {frozenset(c) for c in found.values()}


def first_mentions(annotations: Annotations) -> list[tuple[Span, Span | None]]:
    """Return the quotes, each with the first mention of its speaker, which does not depend on ids."""
    first = {c.id: annotations.mentions_of(c.id)[0].span for c in annotations.characters}
    return [(q.span, first[q.speaker] if q.speaker else None) for q in annotations.quotes]


def there_and_back(
    book: Book, annotations: Annotations, folder: Path, *, leave_out: str = "none"
) -> Annotations:
    for ending, text in to_booknlp(book, annotations).items():
        if ending != leave_out:
            (folder / f"b.{ending}").write_text(text, "utf-8")
    return import_output(read_output(folder), book, name="back/1").annotations


@pytest.mark.parametrize("leave_out", ["none", "tokens"])
def test_through_booknlp_and_back(
    book: Book, annotations: Annotations, tmp_path: Path, leave_out: str
) -> None:
    back = there_and_back(book, annotations, tmp_path, leave_out=leave_out)
    assert [(m.span, m.kind) for m in back.mentions] == [(m.span, m.kind) for m in annotations.mentions]
    assert clusters(back) == clusters(annotations)
    assert first_mentions(back) == first_mentions(annotations)
    assert {c.name for c in back.characters} == {"Mrs. Hale", "Tom Hale", "Edward Vane"}
    assert [c.pronouns for c in back.characters] == [c.pronouns for c in annotations.characters]


@pytest.mark.parametrize("leave_out", ["none", "tokens"])
def test_a_story_that_was_resolved_by_rules(tmp_path: Path, leave_out: str) -> None:
    book = make_book(LAMP)
    annotations = make_resolver("rules").annotate(book)
    back = there_and_back(book, annotations, tmp_path, leave_out=leave_out)
    assert clusters(back) == clusters(annotations)
    assert first_mentions(back) == first_mentions(annotations)


def test_a_narrator_stays_one(book: Book, annotations: Annotations, tmp_path: Path) -> None:
    told = replace(annotations, narrator="vane")
    back = there_and_back(book, told, tmp_path)
    assert back.narrator is not None
    assert {m.span for m in back.mentions_of(back.narrator)} == {m.span for m in told.mentions_of("vane")}


def test_an_unresolved_mention_stays_unresolved(book: Book, annotations: Annotations, tmp_path: Path) -> None:
    alone = replace(annotations.mentions[0], character=None)
    loose = replace(annotations, mentions=(alone, *annotations.mentions[1:]))
    back = there_and_back(book, loose, tmp_path)
    assert back.mentions[0].span == alone.span
    assert back.mentions[0].character is None


def test_booknlp_names_the_mention_that_tells_the_speaker(book: Book, annotations: Annotations) -> None:
    files = to_booknlp(book, annotations)
    head, first, second = (line.split("\t") for line in files["quotes"].splitlines())
    assert head[:3] == ["quote_start", "quote_end", "mention_start"]
    assert first[4] == "she", "beside the quote, not the name before it"
    assert second[4] == "the lamplighter"
    assert first[6] == "“ Who is there ? ”"


def test_booknlp_columns_are_consistent(book: Book, annotations: Annotations) -> None:
    files = to_booknlp(book, annotations)
    rows = [line.split("\t") for line in files["tokens"].splitlines()]
    at = {name: i for i, name in enumerate(rows[0])}
    words = []
    for number, row in enumerate(rows[1:]):
        assert int(row[at["token_ID_within_document"]]) == number
        assert book.text[int(row[at["byte_onset"]]) : int(row[at["byte_offset"]])] == row[at["word"]]
        words.append(row[at["word"]])
    for line in files["entities"].splitlines()[1:]:
        _, start, end, _, _, text = line.split("\t")
        assert " ".join(words[int(start) : int(end) + 1]) == text
    people = json.loads(files["book"])["characters"]
    counts = {p["id"]: p["count"] for p in people}
    for one in people:
        assert sum(m["c"] for bucket in one["mentions"].values() for m in bucket) == counts[one["id"]]
    assert {p["g"]["argmax"] for p in people} == {"she/her", "he/him/his"}


# CoNLL-2012, read by an independent parser


def parse_conll(text: str) -> dict[int, tuple[list[list[str]], Clusters]]:
    """Return by part the sentences, and the clusters as inclusive ranges of words counted within the part."""
    parts: dict[int, tuple[list[list[str]], Clusters]] = {}
    part, at, sentence = -1, 0, list[str]()
    open_: dict[str, list[int]] = defaultdict(list)
    for line in text.split("\n"):
        if line.startswith("#begin document"):
            part, at = int(line.rpartition("part ")[2]), 0
            parts[part] = ([], defaultdict(set))
        elif line.startswith("#end document"):
            assert not any(open_.values()), "every bracket is closed"
            assert not sentence
        elif not line:
            if sentence:
                parts[part][0].append(sentence)
            sentence = []
        else:
            cells = line.split()
            assert len(cells) == 12
            assert int(cells[1]) == part
            assert int(cells[2]) == len(sentence)
            for mark in cells[-1].split("|") if cells[-1] != "-" else []:
                name = mark.strip("()")
                if mark.startswith("("):
                    open_[name].append(at)
                if mark.endswith(")"):
                    parts[part][1][name].add((open_[name].pop(), at))
            sentence.append(cells[3])
            at += 1
    return parts


def expected(book: Book, annotations: Annotations, chapter: int | None) -> set[frozenset[str]]:
    found = defaultdict(list)
    for m in annotations.mentions:
        where = book.chapter_at(m.span.start)
        if m.character and (chapter is None or (where and where.index == chapter)):
            found[m.character].append("".join(book.slice(m.span).split()))
    return {frozenset(f"{s} {spoken.count(s)}" for s in spoken) for spoken in found.values()}


def told(sentences: list[list[str]], found: Clusters) -> set[frozenset[str]]:
    words = [word for sentence in sentences for word in sentence]
    spoken = [["".join(words[a : b + 1]) for a, b in ranges] for ranges in found.values()]
    return {frozenset(f"{s} {one.count(s)}" for s in one) for one in spoken}


def test_conll_by_chapter(book: Book, annotations: Annotations) -> None:
    parts = parse_conll(to_conll(book, annotations))
    assert list(parts) == [0, 1]
    for chapter, (sentences, found) in parts.items():
        assert told(sentences, found) == expected(book, annotations, chapter)
    assert ["Mrs.", "Hale", "opened", "the", "door", "."] in parts[0][0]


def test_conll_of_the_whole_book(book: Book, annotations: Annotations) -> None:
    parts = parse_conll(to_conll(book, annotations, whole=True))
    assert list(parts) == [0]
    assert told(*parts[0]) == expected(book, annotations, None)


def test_conll_of_a_story(tmp_path: Path) -> None:
    book = make_book(LAMP)
    annotations = make_resolver("rules").annotate(book)
    parts = parse_conll(to_conll(book, annotations))
    for chapter, (sentences, found) in parts.items():
        assert told(sentences, found) == expected(book, annotations, chapter)


def test_conll_brackets_nest() -> None:
    book = make_book("The sister of the master of the house slept.\n")
    spans = [(0, 37, "a"), (14, 37, "b"), (28, 37, "c")]
    mentions = tuple(Mention(Span(a, b), MentionKind.NOMINAL, who, book.text[a:b]) for a, b, who in spans)
    annotations = Annotations("hand/1", tuple(person(w, w) for _, _, w in spans), mentions, ())
    lines = to_conll(book, annotations).splitlines()
    assert [line.split()[-1] for line in lines if "\t" in line] == [
        "(1", "-", "-", "(2", "-", "-", "(3", "3)|2)|1)", "-", "-",
    ]  # fmt: skip


def test_conll_names_speakers(book: Book, annotations: Annotations) -> None:
    rows = [line.split() for line in to_conll(book, annotations).splitlines() if "\t" in line]
    assert [r[3] for r in rows if r[9] == "hale"] == ["“", "Who", "is", "there", "?", "”"]


# Words and lines


def test_a_speech_around_a_note_comes_back(tmp_path: Path) -> None:
    """Text set apart inside a quote is not exported, and the quote is found nevertheless."""
    plain = make_book("“Tom is here,[1] I tell you.\n\nA note on Tom.\n\nTom came,” said Anna.\n")
    mark, note = Span(plain.text.index("[1]"), plain.text.index("[1]") + 3), plain.paragraphs[1].span
    book = replace(
        plain,
        paragraphs=tuple(
            replace(p, index=i) for i, p in enumerate((plain.paragraphs[0], plain.paragraphs[2]))
        ),
        excluded=tuple(Exclusion(span, Part.APPARATUS, "note") for span in (mark, note)),
    )
    quote = Quote(Span(0, plain.text.index("”") + 1), None, None, 0.0)
    annotations = Annotations("hand/1", (), (), (quote,))
    assert "note" not in to_booknlp(book, annotations)["quotes"]
    assert there_and_back(book, annotations, tmp_path).quotes == (quote,)


def test_no_sentence_ends_inside_a_mention() -> None:
    book = make_book("He met Tom. Jones of York. Then he left.\n")
    whole = Span(7, 17)
    mention = Mention(whole, MentionKind.PROPER, None, whole.of(book.text))
    words = cut(book, Annotations("hand/1", (), (mention,), ())).words
    assert len({w.sentence for w in words if whole.covers(w.span)}) == 1
    assert len({w.sentence for w in words}) == 2


def test_a_span_without_whole_words_is_refused(book: Book, annotations: Annotations) -> None:
    with pytest.raises(ValueError, match="no whole words"):
        cut(book, annotations).range(Span(1, 3))


def said(book: Book, words: str) -> Span:
    return Span(book.text.index(words), book.text.index(words) + len(words))


def test_what_is_no_character_has_a_number_and_a_category(book: Book, annotations: Annotations) -> None:
    houses = [
        Mention(said(book, words), MentionKind.NOMINAL, None, words, EntityCategory.FACILITY, entity=1)
        for words in ("the door", "door")
    ]
    lone = Mention(said(book, "there"), MentionKind.NOMINAL, None, "there", EntityCategory.LOCATION)
    both = replace(
        annotations, mentions=tuple(sorted([*annotations.mentions, *houses, lone], key=lambda m: m.key))
    )
    rows = [line.split("\t") for line in to_booknlp(book, both)["entities"].splitlines()[1:]]
    people = {int(r[0]) for r in rows if r[4] == "PER"}
    (number,) = {int(r[0]) for r in rows if r[4] == "FAC"}
    assert number not in people
    assert [r[0] for r in rows if r[4] == "LOC"] == ["-1"]
    words = [line.split() for line in to_conll(book, both).splitlines() if "\t" in line]
    assert {r[3]: r[-1] for r in words if r[3] in ("the", "door", "there")} == {
        "the": "(1",  # the cluster of the lamplighter, who is the first of the characters
        "door": f"({number})|{number})",
        "there": "-",
    }


def test_booknlp_lists_what_people_do_undergo_are_and_have(book: Book, annotations: Annotations) -> None:
    def trait(who: str, kind: TraitKind, words: str, lemma: str, other: str | None = None) -> Trait:
        return Trait(who, kind, said(book, words), lemma, other)

    opened = trait("hale", TraitKind.DOES, "opened", "open", "tom")
    told = replace(
        annotations,
        traits=(
            opened,
            replace(opened, negated=True),
            replace(opened, modal="could"),
            trait("hale", TraitKind.UNDERGOES, "saw Tom", "see"),
            trait("tom", TraitKind.IS, "Tom waved", "wave"),
            trait("tom", TraitKind.HAS, "door", "door"),
            trait("vane", TraitKind.KIN, "the lamplighter", "lamplighter", "hale"),
            trait("vane", TraitKind.SOCIAL, "lamplighter", "lamplighter"),
        ),
    )
    files = to_booknlp(book, told)
    words = [line.split("\t")[4] for line in files["tokens"].splitlines()[1:]]
    people = {p["mentions"]["proper"][0]["n"]: p for p in json.loads(files["book"])["characters"]}
    hale, tom, vane = people["Mrs. Hale"], people["Tom Hale"], people["Edward Vane"]
    assert [w["w"] for w in hale["agent"]] == ["opened"]
    assert [w["w"] for w in hale["patient"]] == ["saw"]
    assert [w["w"] for w in hale["poss"]] == ["lamplighter"]
    assert [w["w"] for w in tom["mod"]] == ["waved"]
    assert [w["w"] for w in tom["poss"]] == ["door"]
    assert not any(vane[role] for role in ("agent", "patient", "mod", "poss"))
    for one in people.values():
        for role in ("agent", "patient", "mod", "poss"):
            assert all(words[w["i"]] == w["w"] for w in one[role])


def test_jsonl_has_a_line_for_everything(book: Book, annotations: Annotations) -> None:
    told = replace(
        annotations,
        tellers=(Teller(book.chapters[1].span, "vane"),),
        merges=(Merge("tom", "Tom", "Tom Hale", 0.9, "the same given name"),),
        doubts=(Doubt("tom", "vane", 0.4, "both are by the door"),),
        traits=(Trait("hale", TraitKind.DOES, said(book, "opened"), "open"),),
    )
    lines = [json.loads(line) for line in to_jsonl(book, told).splitlines()]
    trait, teller, merge, doubt = lines[-4:]
    assert [line["type"] for line in lines[-4:]] == ["trait", "teller", "merge", "doubt"]
    assert (trait["kind"], trait["text"], trait["chapter"]) == ("does", "opened", 1)
    assert (teller["chapter"], "text" in teller) == (2, False)
    assert merge["evidence"] == "the same given name"
    assert (doubt["one"], doubt["other"]) == ("tom", "vane")


def test_jsonl(book: Book, annotations: Annotations) -> None:
    lines = [json.loads(line) for line in to_jsonl(book, annotations).splitlines()]
    kinds = [line["type"] for line in lines]
    assert kinds == ["book", *["character"] * 3, *["mention"] * 12, *["quote"] * 2]
    assert lines[0]["sha256"] == book.sha256
    for line in lines:
        if "start" in line:
            assert book.text[line["start"] : line["end"]] == line["text"]
    assert [line["chapter"] for line in lines if line["type"] == "quote"] == [1, 2]
    assert lines[-1]["speaker"] == "vane"
