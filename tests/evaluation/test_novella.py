"""The novella's gold agrees with its text, and the builder notices when it does not."""

from __future__ import annotations

import hashlib
import itertools
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from evaluation import novella
from evaluation.novella import build
from evaluation.novella.handmade import HandmadeError
from evaluation.novella.markup import MarkupError, parse

GOLD = novella.gold()
TEXT = novella.text()
IDS = {character.id for character in GOLD.characters}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A copy of the marked and handmade source that a test may damage."""
    for folder in ("marked", "handmade", "gold"):
        shutil.copytree(build.HERE / folder, tmp_path / folder)
    shutil.copy(build.HERE / "novella.txt", tmp_path)
    return tmp_path


def spoil(path: Path, old: str, new: str) -> None:
    content = path.read_text(encoding="utf-8")
    assert old in content
    path.write_text(content.replace(old, new, 1), encoding="utf-8")


def chapter_text(number: int) -> str:
    chapter = GOLD.chapters[number - 1]
    return TEXT[chapter.start : chapter.end]


def test_built_files_are_up_to_date() -> None:
    assert build.stale() == []
    assert build.main(["--check"]) == 0


def test_a_stale_file_is_noticed(source: Path) -> None:
    assert build.stale(source) == []
    spoil(source / "marked" / "01.txt", "second week of September", "third week of September")
    names = {path.name for path in build.stale(source)}
    assert {"novella.txt", "annotations.json"} <= names
    build.write(source)
    assert build.stale(source) == []


def test_sha256_is_of_the_text() -> None:
    assert hashlib.sha256(novella.path().read_bytes()).hexdigest() == GOLD.sha256
    assert "\r" not in TEXT


def test_counts() -> None:
    assert len(GOLD.chapters) == 16
    assert 15_000 <= len(TEXT.split()) <= 25_000
    assert sum(character.kind == "person" for character in GOLD.characters) >= 20
    assert {character.kind for character in GOLD.characters} == {"person", "group", "animal"}
    assert len(GOLD.facts) == 150
    assert len(GOLD.references) == 5
    assert len(GOLD.mention_chapters) == 3


def test_chapters_tile_the_text_from_heading_to_heading() -> None:
    assert TEXT.startswith("Low Water at Wickersea\nby The Bookworm Press\n")
    for number, chapter in enumerate(GOLD.chapters, start=1):
        assert chapter.index == number - 1
        assert TEXT[chapter.start :].startswith(f"Chapter {number}. {chapter.title}\n\n")
    ends = [chapter.end for chapter in GOLD.chapters]
    assert ends == [*(chapter.start for chapter in GOLD.chapters[1:]), len(TEXT)]


def test_paragraphs_are_not_wrapped_and_typography_is_curly() -> None:
    for paragraph in re.split(r"\n\n+", TEXT.strip())[1:]:
        assert "\n" not in paragraph
        assert paragraph == paragraph.strip()
    assert not re.search(r"[\"'*⟦⟧{}|_]| {2}", TEXT)


def test_quotes_begin_and_end_with_their_marks() -> None:
    for quote in GOLD.quotes:
        words = TEXT[quote.start : quote.end]
        assert words[0] == "“"
        assert words[-1] == "”"
        assert words.count("”") == 1
        # A second opening mark is a further paragraph of the same speech and nothing else.
        assert words.count("“") == 1 + words.count("\n\n“")


def test_every_quotation_mark_is_in_one_gold_span() -> None:
    spans = sorted([(q.start, q.end) for q in GOLD.quotes] + [(n.start, n.end) for n in GOLD.not_speech])
    for before, after in itertools.pairwise(spans):
        assert before[1] <= after[0]
    outside = TEXT
    for start, end in reversed(spans):
        outside = outside[:start] + outside[end:]
    assert not re.search("[“”]", outside)


def test_quotes_name_known_parties() -> None:
    for quote in GOLD.quotes:
        assert quote.speaker in IDS
        assert quote.addressee is None or quote.addressee in IDS
        assert quote.speaker != quote.addressee
    in_chapters = {c.index for c in GOLD.chapters for q in GOLD.quotes if c.start <= q.start < c.end}
    assert in_chapters == set(range(16))


def test_mentions_slice_to_their_kind() -> None:
    pronouns = {"i", "me", "my", "you", "your", "he", "him", "his", "she", "her", "it", "its"}
    pronouns |= {"they", "them", "their"}
    for mention in GOLD.mentions:
        words = TEXT[mention.start : mention.end]
        assert mention.character in IDS
        assert words == words.strip()
        assert not words.endswith(("’s", ",", ".")) or words.endswith(("A. K.", "J. K.", "Lady V."))
        if mention.kind == "PRON":
            assert words.lower() in pronouns | {"myself", "himself", "herself", "yours", "hers", "mine"}
        elif mention.kind == "PROP":
            assert re.search("[A-Z]", words)
        else:
            assert mention.kind == "NOM"
            assert words.lower() not in pronouns


def test_mentions_nest_and_never_cross() -> None:
    for number, outer in enumerate(GOLD.mentions):
        for inner in GOLD.mentions[number + 1 :]:
            if inner.start >= outer.end:
                break
            assert inner.end <= outer.end
    nested = [(a, b) for a, b in zip(GOLD.mentions, GOLD.mentions[1:], strict=False) if b.start < a.end]
    assert nested


@pytest.mark.parametrize("index", GOLD.mention_chapters)
def test_no_personal_pronoun_is_forgotten_in_a_marked_chapter(index: int) -> None:
    """He, she, I and you refer to the cast in these chapters, but for the few generic ones listed."""
    chapter = GOLD.chapters[index]
    marked = {place for m in GOLD.mentions for place in range(m.start, m.end)}
    generic = ("call him Josiah", "man that he changed", "looks about him", "does not need to see his own")
    words = re.compile(r"\b(?:I|me|my|you|your|he|him|his|she|her|herself|himself)\b", re.IGNORECASE)
    forgotten = []
    for match in words.finditer(TEXT, chapter.start, chapter.end):
        around = TEXT[match.start() - 25 : match.end() + 25]
        if match.start() not in marked and not any(phrase in around for phrase in generic):
            forgotten.append(around)
    # The ship is "she" to a seaman, and a ship is no character.
    assert [
        words for words in forgotten if "she was gone" not in words and "she could not" not in words
    ] == []


def test_aliases_stand_in_their_first_chapter() -> None:
    for character in GOLD.characters:
        for alias in character.aliases:
            assert alias.text.lower() in chapter_text(alias.first_chapter).lower()
        assert len({alias.text for alias in character.aliases}) == len(character.aliases)


def test_the_late_alias() -> None:
    [seeming] = [character for character in GOLD.characters if character.revealed_as]
    assert seeming.id == "quarles"
    assert seeming.revealed_as == novella.Revelation("dunnock", 14)
    [dunnock] = [character for character in GOLD.characters if character.id == "dunnock"]
    late = {alias.text: alias.first_chapter for alias in dunnock.aliases if alias.spoiler}
    assert late["Mr. Quarles"] == 14


def test_no_chapter_before_the_reveal_leaks_it() -> None:
    reveal = GOLD.chapters[13].start
    assert "Quarles Dunnock" not in TEXT[:reveal]
    assert "There is only me" not in TEXT[:reveal]
    for fact in GOLD.facts:
        if fact.chapter < 14:
            assert not ("Dunnock" in fact.text and "Quarles" in fact.text)
            assert "Delorme" not in fact.text
    for character in GOLD.characters:
        for relation in character.relations:
            if {character.id, relation.to} == {"quarles", "dunnock"}:
                assert relation.chapter == 14
    early = {m.character for m in GOLD.mentions if "Quarles" in TEXT[m.start : m.end]}
    assert early == {"quarles"}


def test_facts_have_their_evidence() -> None:
    assert len({fact.id for fact in GOLD.facts}) == 150
    for fact in GOLD.facts:
        assert fact.character in IDS
        assert TEXT[fact.evidence.start : fact.evidence.end] == fact.evidence.quote
        chapter = GOLD.chapters[fact.chapter - 1]
        assert chapter.start <= fact.evidence.start < fact.evidence.end <= chapter.end
        assert chapter_text(fact.chapter).count(fact.evidence.quote) == 1
        assert len(fact.text.split()) >= 4
        assert fact.text.endswith(".")


def test_facts_are_well_spread() -> None:
    categories = Counter(fact.category for fact in GOLD.facts)
    assert set(categories) == {"role", "relationship", "personality", "event", "mental_state", "other"}
    assert min(categories.values()) >= 15
    assert {fact.chapter for fact in GOLD.facts} == set(range(1, 17))
    assert len({fact.character for fact in GOLD.facts}) >= 20


def test_references_have_the_agreed_lengths() -> None:
    assert len({reference.character for reference in GOLD.references}) == 5
    for reference in GOLD.references:
        assert reference.character in IDS
        assert len(reference.descriptions) == 2
        assert all(75 <= len(description.split()) <= 110 for description in reference.descriptions)
        assert 400 <= len(reference.analysis.split()) <= 600


def test_relations_name_the_cast() -> None:
    for character in GOLD.characters:
        for relation in character.relations:
            assert relation.to in IDS
            assert relation.to != character.id
            assert 1 <= relation.chapter <= 16


def test_parse_nests_and_infers_kinds() -> None:
    parsed = parse("⟦tom>bess|“{dr:{bess:Her} uncle} saw {bess/N:my dear} {bess:Bess},”⟧ he said.")
    assert parsed.text == "“Her uncle saw my dear Bess,” he said."
    found = [(parsed.text[m.start : m.end], m.kind, m.character) for m in parsed.mentions]
    assert found == [
        ("Her uncle", "NOM", "dr"),
        ("Her", "PRON", "bess"),
        ("my dear", "NOM", "bess"),
        ("Bess", "PROP", "bess"),
    ]
    [quote] = parsed.quotes
    assert (quote.speaker, quote.addressee, quote.speech) == ("tom", "bess", True)
    assert parsed.text[quote.start : quote.end] == "“Her uncle saw my dear Bess,”"


@pytest.mark.parametrize(
    "marked",
    ["⟦tom>bess|“Oh,”", "“Oh,”⟧", "{bess:Bess", "Bess}", "⟦tom|“Oh,”⟧", "{bess:}", "a * b", "{Bess:x}"],
)
def test_parse_refuses_broken_markup(marked: str) -> None:
    with pytest.raises(MarkupError):
        parse(marked)


@pytest.mark.parametrize(
    ("name", "old", "new", "error"),
    [
        ("marked/01.txt", "⟦capt_crane>board|“It’s a woman,”⟧", "“It’s a woman,”", MarkupError),
        ("marked/01.txt", "⟦capt_crane>board|", "⟦captain>board|", MarkupError),
        ("marked/02.txt", "Chapter 2.", "Chapter 3.", MarkupError),
        ("handmade/facts.txt", "| E. Farrow, Clerk.", "| E. Farrow, Chairman.", HandmadeError),
        ("handmade/facts.txt", "| bess | role |", "| bess | rank |", HandmadeError),
        ("handmade/facts.txt", "f002 |", "f001 |", HandmadeError),
        ("handmade/characters.toml", '"E. F.", first = 13', '"E. F.", first = 12', HandmadeError),
        ("handmade/characters.toml", 'to = "ann"', 'to = "anne"', HandmadeError),
        ("handmade/references.toml", 'character = "tom"', 'character = "thomas"', HandmadeError),
    ],
)
def test_the_builder_refuses_gold_that_does_not_hold(
    source: Path, name: str, old: str, new: str, error: type[Exception]
) -> None:
    spoil(source / name, old, new)
    with pytest.raises(error):
        build.build(source)
