"""Import of BookNLP's files: every span is right or absent."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from books.types import Book, Exclusion, Part
from coref.booknlp.align import align
from coref.booknlp.importer import BookNLPImport, import_output
from coref.booknlp.output_files import ENTITIES, QUOTES, TOKENS, read_output
from coref.booknlp.spacy_words import spans
from coref.errors import BookNLPMismatch, BookNLPUnreadable
from coref.types import CharacterKind, EntityCategory
from tests.coref.conftest import make_book
from tests.coref.test_rules_bounds import check_promises

TEXT = """Chapter 1

Mr. Hale opened the door. “Who is there?” he asked, for he couldn't see--the lamp
was out.

“It is Anna Vane,” said a voice. The old sailor laughed. The Misses Price came
in, and they sat down. He saw the old sailor too.

Chapter 2

Anna told Mr. Hale that the storm was over.
"""


class Run:
    """Writes the output of a run of BookNLP, with tokens counted from a text by BookNLP's rules."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(spans(text))
        self.words = [text[a:b] for a, b in self.tokens]
        self.entities: list[tuple[int, int, int, str, str, str]] = []
        self.quotes: list[tuple[object, ...]] = []
        self.people: list[dict[str, object]] = []

    def place(self, phrase: str, nth: int = 0) -> tuple[int, int]:
        said = phrase.split()
        at = [i for i in range(len(self.words)) if self.words[i : i + len(said)] == said][nth]
        return at, at + len(said) - 1

    def mention(self, cluster: int, phrase: str, kind: str, *, nth: int = 0, category: str = "PER") -> None:
        self.entities.append((cluster, *self.place(phrase, nth), kind, category, phrase))

    def quote(self, phrase: str, cluster: int | None) -> None:
        first, last = self.place(phrase)
        self.quotes.append((first, last, None, None, None, cluster, phrase))

    def write(self, folder: Path, *, leave_out: Iterable[str] = ()) -> Path:
        folder.mkdir(exist_ok=True)
        tokens = [
            (0, 0, i, i, word, word.lower(), start, end, "X", "X", "dep", i, "O")
            for i, (word, (start, end)) in enumerate(zip(self.words, self.tokens, strict=True))
        ]
        tables: Mapping[str, tuple[tuple[str, ...], Iterable[tuple[object, ...]]]] = {
            "tokens": (TOKENS, tokens),
            "entities": (ENTITIES, self.entities),
            "quotes": (QUOTES, self.quotes),
        }
        for ending, (head, rows) in tables.items():
            lines = ["\t".join(map(str, row)) for row in (head, *rows)]
            (folder / f"b.{ending}").write_text("\n".join(lines) + "\n", "utf-8")
        (folder / "b.book").write_text(json.dumps({"characters": self.people}), "utf-8")
        for ending in leave_out:
            (folder / f"b.{ending}").unlink()
        return folder


def person(cluster: int, pronouns: str | None, *, does: Iterable[tuple[int, str]] = ()) -> dict[str, object]:
    gender = {"argmax": pronouns, "max": 0.9} if pronouns else None
    roles = {"agent": [{"i": i, "w": w} for i, w in does], "patient": [], "mod": [], "poss": []}
    return {"id": cluster, "g": gender, "count": 2, "mentions": {}, **roles}


@pytest.fixture
def run() -> Run:
    made = Run(TEXT)
    made.mention(1, "Mr. Hale", "PROP")
    made.mention(1, "he", "PRON")
    made.mention(1, "he", "PRON", nth=1)
    made.mention(2, "Anna Vane", "PROP")
    made.mention(9, "a voice", "NOM")
    made.mention(3, "The old sailor", "NOM")
    made.mention(5, "The Misses Price", "PROP")
    made.mention(5, "they", "PRON")
    made.mention(1, "He", "PRON")
    made.mention(3, "the old sailor", "NOM")
    made.mention(2, "Anna", "PROP", nth=1)
    made.mention(1, "Mr. Hale", "PROP", nth=1)
    made.mention(7, "the storm", "NOM", category="VEH")
    made.quote("“ Who is there ? ”", 1)
    made.quote("“ It is Anna Vane , ”", None)
    made.people = [person(1, "he/him/his", does=[(made.place("opened")[0], "opened")])]
    made.people += [person(2, "she/her"), person(3, None), person(5, "they/them/their")]
    return made


def imported(folder: Path, book: Book) -> BookNLPImport:
    return import_output(read_output(folder), book, name="booknlp/files")


EVERY_WAY = [(), ("tokens",), ("tokens", "book"), ("quotes", "book")]


@pytest.mark.parametrize("leave_out", EVERY_WAY)
def test_mentions_stand_where_their_words_do(run: Run, tmp_path: Path, leave_out: tuple[str, ...]) -> None:
    book = make_book(TEXT)
    got = imported(run.write(tmp_path, leave_out=leave_out), book)
    check_promises(book, got.annotations)
    assert got.aligned == 1
    assert (got.mentions, got.outside, got.repeated) == (13, 0, 0)
    wanted = sorted(
        (run.tokens[first][0], run.tokens[last][1], category)
        for _, first, last, _, category, _ in run.entities
    )
    found = got.annotations.mentions
    assert sorted((m.span.start, m.span.end, m.category.value) for m in found) == wanted
    assert all(m.character is None for m in found if m.category is not EntityCategory.PERSON)


@pytest.mark.parametrize("leave_out", [(), ("tokens",)])
def test_people_are_named_and_counted(run: Run, tmp_path: Path, leave_out: tuple[str, ...]) -> None:
    found = imported(run.write(tmp_path, leave_out=leave_out), make_book(TEXT)).annotations
    people = {c.name: c for c in found.characters}
    assert set(people) == {"Mr. Hale", "Anna Vane", "the old sailor", "the Misses Price"}
    assert people["Mr. Hale"].pronouns == "he/him"
    assert people["Mr. Hale"].mention_count == 5
    assert people["the Misses Price"].kind is CharacterKind.GROUP
    assert people["the old sailor"].pronouns is None
    voice = next(m for m in found.mentions if m.surface == "a voice")
    assert voice.character is None, "seen once and nameless: BookNLP lists nobody for it"
    assert found.narrator is None


def test_quotes_have_their_speakers(run: Run, tmp_path: Path) -> None:
    book = make_book(TEXT)
    found = imported(run.write(tmp_path), book).annotations
    hale = next(c.id for c in found.characters if c.name == "Mr. Hale")
    said = [(book.slice(q.span), q.speaker) for q in found.quotes]
    assert said == [("“Who is there?”", hale), ("“It is Anna Vane,”", None)]


def test_ids_are_the_same_every_time(run: Run, tmp_path: Path) -> None:
    one = imported(run.write(tmp_path / "1"), make_book(TEXT)).annotations
    run.entities.reverse()
    other = imported(run.write(tmp_path / "2"), make_book(TEXT)).annotations
    assert {c.id for c in one.characters} == {c.id for c in other.characters}
    assert one.characters[0].id.startswith("mr-hale-")


def test_who_has_no_pronouns_in_the_book_file_gets_none(run: Run, tmp_path: Path) -> None:
    run.people[0] = person(1, None)
    found = imported(run.write(tmp_path), make_book(TEXT)).annotations
    assert {c.name: c.pronouns for c in found.characters}["Mr. Hale"] is None


def test_without_the_book_file_pronouns_come_from_the_mentions(run: Run, tmp_path: Path) -> None:
    found = imported(run.write(tmp_path, leave_out=["book"]), make_book(TEXT)).annotations
    assert {c.name: c.pronouns for c in found.characters}["Mr. Hale"] == "he/him"


def test_gzip_is_read(run: Run, tmp_path: Path) -> None:
    plain = imported(run.write(tmp_path), make_book(TEXT)).annotations
    for path in list(tmp_path.iterdir()):
        (tmp_path / f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    assert imported(tmp_path, make_book(TEXT)).annotations == plain


def test_a_narrator_says_i(tmp_path: Path) -> None:
    text = "I opened the door. My dog barked at me. Tom laughed.\n"
    run = Run(text)
    for word in ("I", "My", "me"):
        run.mention(0, word, "PRON")
    run.mention(1, "Tom", "PROP")
    run.people = [person(0, None)]
    found = imported(run.write(tmp_path), make_book(text)).annotations
    assert found.narrator is not None
    teller = found.character(found.narrator)
    assert teller is not None
    assert (teller.name, teller.mention_count) == ("the narrator", 3)


def test_a_few_letters_make_no_narrator(tmp_path: Path) -> None:
    """BookNLP assigns every "I" outside quotes to a narrator, even in the letters of a novel."""
    text = "I remain yours. " + "Tom walked over the hill and far away. " * 400
    run = Run(text)
    run.mention(0, "I", "PRON")
    run.mention(1, "Tom", "PROP")
    found = imported(run.write(tmp_path), make_book(text)).annotations
    assert found.narrator is None
    assert found.mentions[0].character is None


def test_offsets_of_another_copy_are_not_believed(run: Run, tmp_path: Path) -> None:
    """With `.tokens` of a copy with a longer head, the words are searched for instead."""
    book = make_book("THE LONG TITLE\n\n" + TEXT)
    got = imported(run.write(tmp_path), book)
    assert got.aligned == 1
    check_promises(book, got.annotations)


def test_what_is_not_the_story_is_left_out(run: Run, tmp_path: Path) -> None:
    """BookNLP was run on the whole file, including its front matter."""
    whole = make_book(TEXT)
    front = whole.paragraphs[1].span
    rest = [p for p in whole.paragraphs if p.span != front]
    book = replace(
        whole,
        paragraphs=tuple(replace(p, index=i) for i, p in enumerate(rest)),
        excluded=(Exclusion(front, Part.FRONT, "licence header"),),
    )
    got = imported(run.write(tmp_path), book)
    assert (got.aligned, got.outside) == (1, 4)
    assert not [m for m in got.annotations.mentions if m.span.overlaps(front)]
    check_promises(book, got.annotations)


def test_another_book_is_refused(run: Run, tmp_path: Path) -> None:
    with pytest.raises(BookNLPMismatch, match="0%") as caught:
        imported(run.write(tmp_path), make_book("Nothing of this is in the other book at all.\n" * 9))
    assert "edition" in caught.value.advice


def test_what_a_shorter_edition_lacks_is_left_out(run: Run, tmp_path: Path) -> None:
    book = make_book(TEXT.replace("The Misses Price came\nin, and they sat down. ", ""))
    got = imported(run.write(tmp_path, leave_out=["tokens"]), book)
    assert 2 <= got.mentions - got.mentions_found <= 3, "two are gone, and one beside them may be in doubt"
    check_promises(book, got.annotations)
    assert "the old sailor" in {c.name for c in got.annotations.characters}


def _without(path: Path, column: str) -> None:
    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines()]
    at = rows[0].index(column)
    path.write_text("\n".join("\t".join(r[:at] + r[at + 1 :]) for r in rows), "utf-8")


@pytest.mark.parametrize(
    ("ending", "text", "says"),
    [
        ("entities", "a novel\nby nobody\n", "no column 'COREF'"),
        ("entities", "\t".join(ENTITIES) + "\n1\tx\t2\tPROP\tPER\tTom\n", "no number as start_token"),
        ("entities", "\t".join(ENTITIES) + "\n1\t5\t2\tPROP\tPER\tTom\n", "runs from 5 to 2"),
        ("entities", "\t".join(ENTITIES) + "\n1\t1\t1\tWHO\tPER\tTom\n", "other than PROP"),
        ("entities", "\t".join(ENTITIES) + "\n1\t1\t2\tPROP\tPER\tTom\n", "have 1 words"),
        ("entities", "\t".join(ENTITIES) + "\n1\t1\n", "2 columns instead of 6"),
        ("quotes", "quote_start\n", "no column 'quote_end'"),
        ("tokens", "word\n", "no column 'token_ID_within_document'"),
        ("book", "{", "not the JSON"),
        ("book", "[]", "not the JSON"),
        ("book", '{"characters": [{"agent": [3]}]}', "not the JSON"),
        ("book", '{"characters": [{"g": null}]}', "not the JSON"),
    ],
)
def test_what_is_not_booknlp_output_is_refused(
    run: Run, tmp_path: Path, ending: str, text: str, says: str
) -> None:
    run.write(tmp_path)
    (tmp_path / f"b.{ending}").write_text(text, "utf-8")
    with pytest.raises(BookNLPUnreadable, match=says):
        read_output(tmp_path)


@pytest.mark.parametrize("column", ["COREF", "start_token", "prop", "cat", "text"])
def test_a_missing_column_is_named(run: Run, tmp_path: Path, column: str) -> None:
    _without(run.write(tmp_path) / "b.entities", column)
    with pytest.raises(BookNLPUnreadable, match=f"no column '{column}'"):
        read_output(tmp_path)


def test_missing_files_are_named(run: Run, tmp_path: Path) -> None:
    with pytest.raises(BookNLPUnreadable, match="not a folder"):
        read_output(tmp_path / "nowhere")
    with pytest.raises(BookNLPUnreadable, match=r"no `\.entities`"):
        read_output(tmp_path)
    run.write(tmp_path)
    (tmp_path / "c.entities").write_text("", "utf-8")
    with pytest.raises(BookNLPUnreadable, match="several books"):
        read_output(tmp_path)


def test_damaged_files_are_refused(run: Run, tmp_path: Path) -> None:
    path = run.write(tmp_path) / "b.entities"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BookNLPUnreadable, match="UTF-8"):
        read_output(tmp_path)
    path.unlink()
    (tmp_path / "b.entities.gz").write_bytes(gzip.compress(b"COREF")[:-4])
    with pytest.raises(BookNLPUnreadable, match="damaged"):
        read_output(tmp_path)


def test_files_of_two_runs_are_refused(run: Run, tmp_path: Path) -> None:
    run.people[0] = person(1, None, does=[(run.place("opened")[0], "closed")])
    with pytest.raises(BookNLPUnreadable, match="disagree"):
        read_output(run.write(tmp_path))


# The alignment by itself


def test_one_of_many_is_found_by_counting() -> None:
    text = "She saw her and her and her and her again, said Tom."
    words = list(spans(text))
    number = [i for i, (a, b) in enumerate(words) if text[a:b] == "her"][2]
    tom = next(i for i, (a, b) in enumerate(words) if text[a:b] == "Tom")
    found = align(text, {number: "her", tom: "Tom", 0: "She"})
    assert (found.starts[number], found.ends[number]) == words[number]


def test_in_doubt_nothing_is_said() -> None:
    """A word between two places that are both off by one is left out."""
    text = "Anna saw her and her near Tom."
    found = align(text, {0: "Anna", 3: "her", 6: "Tom"})
    assert found.span(3, 3) is None
    assert found.doubtful == 1
    assert found.span(0, 0) is not None


def test_part_of_a_word_is_no_place() -> None:
    assert align("There they gathered.", {0: "her"}).span(0, 0) is None


def test_a_changed_word_costs_only_itself() -> None:
    text = "the quick brown fox jumped over the sleepy dog and ran away"
    said = text.replace("sleepy", "lazy").split()
    found = align(text, dict(enumerate(said)))
    assert [i for i in range(len(said)) if i not in found.starts] == [said.index("lazy")]
