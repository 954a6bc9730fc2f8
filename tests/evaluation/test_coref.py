"""`bookworm evaluate coref`: miniature corpora whose figures can be counted by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import pytest

from books.errors import BookwormError
from books.types import Book, Span
from coref.protocols import KnownCharacter, ParsedWords, Progress
from coref.training.litbank import LitbankDocument
from coref.types import (
    Annotations,
    EntityCategory,
    Mention,
    MentionKind,
    Quote,
)
from evaluation.coref import litbank, novels, pdnc, speed
from evaluation.coref.casting import speakers_of
from evaluation.coref.speed import peak_memory
from tests.evaluation.command import evaluated, printed
from tests.evaluation.pdnc_sheets import Said, at, person, write_novel

SENTENCES = ("Emma met Mr. Weston in Highbury .", "She liked him , and the old man liked her .")
ROWS = (
    "MENTION\tT1\t0\t0\t0\t0\tEmma\tPER\tPROP",
    "MENTION\tT2\t0\t2\t0\t3\tMr. Weston\tPER\tPROP",
    "MENTION\tT3\t0\t5\t0\t5\tHighbury\tGPE\tPROP",
    "MENTION\tT4\t1\t0\t1\t0\tShe\tPER\tPRON",
    "MENTION\tT5\t1\t2\t1\t2\thim\tPER\tPRON",
    "MENTION\tT6\t1\t5\t1\t7\tthe old man\tPER\tNOM",
    "MENTION\tT7\t1\t9\t1\t9\ther\tPER\tPRON",
    *(f"COREF\tT{at}\tEmma-0" for at in (1, 4, 7)),
    *(f"COREF\tT{at}\tWeston-1" for at in (2, 5, 6)),
)

PROSE = "The rain fell on the harbour all that day, and nobody went out to look at the boats or the sea. "
STORY = (
    f"{PROSE * 5}\n\n"
    '"Come in, Harriet," said Emma Woodhouse. "You are wet."\n\n'
    '"I am," she answered. Emma laughed.\n\n'
    '"Emma, who is there?" asked the Doctor.\n\n'
    '"Nobody."\n\n'
    '"Hurrah!"\n'
)
CAST = (
    ("Emma Woodhouse", {"Emma", "Emma Woodhouse"}, "major"),
    ("Harriet Smith", {"Harriet"}, "intermediate"),
    ("Dr. Perry", {"The Doctor"}, "minor"),
    ("Mrs. Goddard", {"Mrs. Goddard"}, "minor"),
    ("_group", {"_group"}, "minor"),
)
SAID = (
    Said(
        ("Come in, Harriet,", "You are wet."),
        "Emma",
        ((("Harriet", "Harriet"),), (("You", "Harriet"),)),
        heard=("Harriet",),
    ),
    Said(("I am,",), "Harriet Smith", ((("I", "Harriet"),),), "Anaphoric", ("Emma", "Dr. Perry")),
    Said(("Emma, who is there?",), "Dr. Perry", ((("Emma", "Emma"),),), heard=("Emma Woodhouse",)),
    Said(("Nobody.",), "Emma", ((),), "nan", ("_group",)),
    Said(("Hurrah!",), "_group", ((),), "Implicit", ("",)),
)
"""The first has two parts; one is a crowd's, and one has no type."""


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    folder = tmp_path / "litbank"
    (folder / "coref").mkdir(parents=True)
    for name in ("1_emma", "2_emma"):
        (folder / "coref" / f"{name}_brat.txt").write_text("\n".join(SENTENCES) + "\n", "utf-8")
        (folder / "coref" / f"{name}_brat.ann").write_text("\n".join(ROWS) + "\n", "utf-8")
    (folder / "dev.ids").write_text("2_emma\n", "utf-8")
    return folder


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    for name in ("Emma", "Emmeline", "Emmy"):
        write_novel(tmp_path / "pdnc" / name, STORY, CAST, SAID)
    return tmp_path / "pdnc"


@dataclass
class Told:
    """A resolver with prescribed results: stretches of the text, and whom they mean."""

    mentions: Sequence[tuple[str, int, str | None]]
    quotes: Sequence[tuple[str, str | None]] = ()
    name: str = "told/1"
    heard: Mapping[str, str] = field(default_factory=dict)
    """Addressees, by a quote's words."""

    def annotate(self, book: Book, *, progress: Progress | None = None) -> Annotations:
        mentions = [Mention(at(book.text, w, n), kind_of(w), who) for w, n, who in self.mentions]
        who = {m.character for m in mentions if m.character} | {s for _, s in self.quotes if s}
        quotes = [
            Quote(at(book.text, words), speaker, self.heard.get(words), 1.0) for words, speaker in self.quotes
        ]
        return Annotations(
            self.name,
            tuple(map(person, sorted(who))),
            tuple(sorted(mentions, key=lambda m: m.key)),
            tuple(quotes),
        )


def kind_of(words: str) -> MentionKind:
    pronouns = {"She", "him", "her", "You", "I", "he"}
    return MentionKind.PRONOUN if words in pronouns else MentionKind.PROPER


@dataclass
class Linker(Told):
    """Adds linking: finds Emma and Mr.

    Weston by their words, and gives every quote to the first of the cast.
    """

    def link(self, book: Book, spans: Sequence[Span]) -> Sequence[Sequence[Span]]:
        emma = [s for s in spans if s.of(book.text) in ("Emma", "She", "her")]
        weston = [s for s in spans if s.of(book.text) in ("Mr. Weston", "him", "the old man")]
        return [emma, weston]

    def annotate_given(self, book: Book, cast: Sequence[KnownCharacter]) -> Annotations:
        first, second = cast[0].id, cast[1].id
        quotes = tuple(Quote(at(book.text, words), first, second, 1.0) for words, _ in self.quotes)
        return Annotations(self.name, tuple(person(c.id) for c in cast), (), quotes)


TRUTH = (
    ("Emma", 0, "emma"),
    ("Mr. Weston", 0, "weston"),
    ("Highbury", 0, "highbury"),
    ("She", 0, "emma"),
    ("him", 0, "weston"),
    ("the old man", 0, "weston"),
    ("her", 0, "emma"),
)


def document(bank: Path) -> LitbankDocument:
    return litbank.documents(bank, bank / "dev.ids")[0]


def test_a_document_is_a_book_of_its_tokens(bank: Path) -> None:
    assert litbank.book_of(document(bank)).text == " ".join(SENTENCES)


def test_the_truth_is_wholly_right(bank: Path) -> None:
    found = litbank.scored(document(bank), Told(TRUTH)).all
    assert found.mentions.f1 == 1
    assert found.with_singletons.conll == found.without_singletons.conll == 1
    recall = {name: score.recall.value for name, score in found.categories.items() if score.recall.all}
    assert recall == {"PER": 1, "GPE": 1}
    assert found.categories["PER"].precision.value == 1


def test_what_is_wrong_is_counted_by_hand(bank: Path) -> None:
    """Found: Emma with She; Weston alone, not resolved; "Weston" without its title; nothing more."""
    told = Told((("Emma", 0, "emma"), ("She", 0, "emma"), ("Mr. Weston", 0, None), ("Weston", 0, "w")))
    found = litbank.scored(document(bank), told)
    assert (found.all.mentions.precision.of, found.all.mentions.precision.all) == (3, 4)
    assert (found.all.mentions.recall.of, found.all.mentions.recall.all) == (3, 7)
    assert (found.all.kinds["PROP"].precision.value, found.all.kinds["PROP"].recall.value) == (2 / 3, 2 / 3)
    assert (found.all.kinds["PRON"].precision.value, found.all.kinds["PRON"].recall.value) == (1, 1 / 3)
    assert found.all.kinds["NOM"].f1 == 0
    assert found.all.with_singletons.muc.precision.value == 1
    assert found.all.with_singletons.muc.recall.value == 1 / 4
    b_cubed = found.all.with_singletons.b_cubed
    assert b_cubed.precision.value == pytest.approx((1 + 1 + 1) / 4)
    assert b_cubed.recall.value == pytest.approx((2 / 3 + 2 / 3 + 1 / 3) / 7)
    assert found.all.without_singletons.b_cubed.precision.value == 1
    assert found.all.with_singletons.ceaf_e.precision.value == pytest.approx((4 / 5 + 2 / 4) / 3)
    assert found.off_tokens == 0, "a part of a mention is still whole tokens"
    assert found.persons.mentions.recall.all == 6


def test_places_are_clusters_too_but_no_persons(bank: Path) -> None:
    """Found: Emma, who is she, and two places that are one for us: one right, one wrong."""
    told = Told((("Emma", 0, "emma"), ("She", 0, "emma")))

    def annotate(book: Book, *, progress: Progress | None = None) -> Annotations:
        place = partial(
            Mention, kind=MentionKind.PROPER, character=None, category=EntityCategory.GEOPOLITICAL
        )
        places = (place(at(book.text, "Highbury"), entity=0), place(at(book.text, "liked"), entity=0))
        found = Told.annotate(told, book)
        return replace(found, mentions=(*found.mentions, *places))

    told.annotate = annotate  # type: ignore[method-assign]
    found = litbank.scored(document(bank), told)
    assert (found.persons.mentions.precision.of, found.persons.mentions.precision.all) == (2, 2)
    assert (found.all.mentions.precision.of, found.all.mentions.precision.all) == (3, 4)
    muc = found.all.with_singletons.muc.precision
    assert (muc.of, muc.all) == (1, 2), "the places are linked, and wrongly"
    gpe = found.all.categories["GPE"]
    assert (gpe.precision.value, gpe.recall.value) == (1 / 2, 1)


NO_WORDS = ParsedWords((), (), (), (), ())


@dataclass
class Parser(Told):
    """Adds grammar: it returns prescribed parses for every document."""

    parsed: ParsedWords = NO_WORDS

    def parse_words(self, sentences: Sequence[Sequence[str]]) -> ParsedWords:
        assert [word for sentence in sentences for word in sentence] == " ".join(SENTENCES).split()
        return self.parsed


def mark_events(bank: Path) -> None:
    (bank / "events").mkdir()
    sentences = ["\n".join(f"{word}\t{_mark(word)}" for word in line.split()) for line in SENTENCES]
    for name in ("1_emma", "2_emma"):
        (bank / "events" / f"{name}_brat.tsv").write_text("\n\n".join(sentences) + "\n", "utf-8")


def _mark(word: str) -> str:
    return "EVENT" if word in ("met", "liked") else "O"


def test_events_by_hand(bank: Path) -> None:
    """Three are annotated (met, and liked twice); found are met and Highbury."""
    mark_events(bank)
    words = " ".join(SENTENCES).split()
    parsed = ParsedWords((), (), (), (), tuple(word in ("met", "Highbury") for word in words))
    found = litbank.scored(document(bank), Parser(TRUTH, parsed=parsed)).events
    assert found is not None
    assert (found.precision.value, found.recall.value) == (1 / 2, 1 / 3)
    both = [litbank.scored(document(bank), Parser(TRUTH, parsed=parsed)) for _ in range(2)]
    pooled = litbank.together("both", both).events
    assert pooled is not None
    assert (pooled.recall.of, pooled.recall.all) == (2, 6)


def test_no_events_where_they_are_not_offered_or_not_marked(bank: Path) -> None:
    assert litbank.scored(document(bank), Parser(TRUTH)).events is None
    mark_events(bank)
    assert litbank.scored(document(bank), Told(TRUTH)).events is None
    assert litbank.together("all", [litbank.scored(document(bank), Told(TRUTH))]).events is None


def test_a_mention_inside_a_token_is_told(bank: Path) -> None:
    assert litbank.scored(document(bank), Told((("High", 0, "x"),))).off_tokens == 1


def test_gold_mentions_only_where_they_are_offered(bank: Path) -> None:
    assert litbank.scored(document(bank), Told(TRUTH)).all.gold_with_singletons is None
    given = litbank.scored(document(bank), Linker(())).all
    assert given.mentions.f1 == 0
    assert given.gold_with_singletons is not None
    assert given.gold_with_singletons.conll == 1, "Highbury, which it leaves out, is alone"


def test_documents_are_summed_before_anything_is_divided(bank: Path) -> None:
    right = litbank.scored(document(bank), Told(TRUTH))
    wrong = litbank.scored(document(bank), Told((("Emma", 0, "emma"),)))
    both = litbank.together("both", [right, wrong]).all
    assert (both.mentions.recall.of, both.mentions.recall.all) == (8, 14)
    assert both.with_singletons.muc.recall.value == 4 / 8


QUOTES = (
    ('"Come in, Harriet,"', "emma"),
    ('"You are wet."', "harriet"),
    ('"I am,"', "harriet"),
    ('"Emma, who is there?"', "emma"),
    ('"Nobody."', None),
    ('"Hurrah!"', "emma"),
)
MENTIONS = (
    ("Harriet", 0, "harriet"),
    ("Emma Woodhouse", 0, "emma"),
    ("You", 0, "emma"),
    ("I", 0, "harriet"),
    ("Emma", 1, "emma"),
    ("the Doctor", 0, None),
    ("boats", 0, "boats"),
)


def test_a_novel_is_read_with_its_places(corpus: Path) -> None:
    novel = pdnc.load(corpus / "Emma")
    assert novel.book.text == STORY
    assert [quote.speaker for quote in novel.quotes][:3] == ["Emma Woodhouse", "Harriet Smith", "Dr. Perry"]
    assert [quote.type for quote in novel.quotes][3] == ""
    assert [m.span.of(STORY) for m in novel.quotes[0].mentions] == ["Harriet", "You"]


def test_a_quote_is_ours_that_has_most_of_it(corpus: Path) -> None:
    novel = pdnc.load(corpus / "Emma")
    ours = speakers_of(novel.quotes, Told(MENTIONS, QUOTES).annotate(novel.book))
    assert [quote and quote.speaker for quote in ours] == ["emma", "harriet", "emma", None, "emma"]


def test_speakers_mentions_and_cast_by_hand(corpus: Path) -> None:
    """The first two quotes are right; we give the Doctor's to Emma, and the fourth has no speaker."""
    found = novels.measured(pdnc.load(corpus / "Emma"), Told(MENTIONS, QUOTES), "a")
    assert {kind: (share.of, share.all) for kind, share in found.speakers.items()} == {
        "all": (2, 4),
        "Explicit": (1, 2),
        "Anaphoric": (1, 1),
        "Implicit": (0, 0),
    }
    assert found.quotes_found.value == 1
    assert (found.mentions.of, found.mentions.all) == (2, 4), "You is wrong, and Emma in the quote not found"
    assert (found.mentions_found.of, found.mentions_found.all) == (3, 4)
    recall = {category: (share.of, share.all) for category, share in found.cast.items()}
    assert recall == {"major": (1, 1), "intermediate": (1, 1), "minor": (0, 2)}
    assert (found.splits.of, found.splits.all) == (1, 1)
    assert (found.strangers.of, found.strangers.all) == (1, 3)
    assert found.strange_names.of == 1
    assert found.merges.of == 0
    assert found.given_speakers is None
    assert found.missing == ()


def test_a_split_character_and_a_merged_one(corpus: Path) -> None:
    """Of two that are Emma the one with more evidence is her partner; the other's quotes are wrong."""
    novel = pdnc.load(corpus / "Emma")
    split = Told(
        (("Emma Woodhouse", 0, "miss"), ("Emma", 1, "emma"), ("Emma", 2, "emma")), (('"Nobody."', "miss"),)
    )
    found = novels.measured(novel, split, "a")
    assert (found.splits.of, found.splits.all) == (2, 1)
    twice = "Harriet Emma " * 3
    merged = Told(tuple((words, n, "both") for words in ("Harriet", "Emma") for n in range(3)))
    longer = pdnc.load(write_novel(corpus / "Long", STORY + "\n" + twice, CAST, SAID))
    assert novels.measured(longer, merged, "a").merges.of == 1


def test_with_the_given_cast_where_it_is_offered(corpus: Path) -> None:
    """All are attributed to Emma: hers are right, two of four."""
    found = novels.measured(pdnc.load(corpus / "Emma"), Linker(MENTIONS, QUOTES), "a").given_speakers
    assert found is not None
    assert (found["all"].of, found["all"].all) == (2, 4)


def test_addressees_of_what_is_said_to_one_alone(corpus: Path) -> None:
    """Two are: the first, which is right, and the Doctor's; others go to two, to a crowd, to nobody."""
    heard = {'"Come in, Harriet,"': "harriet", '"I am,"': "emma", '"Emma, who is there?"': "harriet"}
    found = novels.measured(pdnc.load(corpus / "Emma"), Told(MENTIONS, QUOTES, heard=heard), "a")
    assert (found.addressees.of, found.addressees.all) == (1, 2)
    assert found.given_addressees is None
    deaf = novels.measured(pdnc.load(corpus / "Emma"), Told(MENTIONS, QUOTES), "a")
    assert (deaf.addressees.of, deaf.addressees.all) == (0, 2), "nobody named is wrong"


def test_addressees_with_the_given_cast(corpus: Path) -> None:
    """Everything is attributed to Harriet as addressee."""
    given = novels.measured(pdnc.load(corpus / "Emma"), Linker(MENTIONS, QUOTES), "a")
    other = novels.measured(pdnc.load(corpus / "Emmy"), Linker(MENTIONS, QUOTES[1:]), "a")
    both = novels.together("both", [given, other]).given_addressees
    assert both is not None
    assert (both.of, both.all) == (2, 4), "the first quote, of which the other one has no part but its second"


def test_halves_are_every_second_novel(corpus: Path) -> None:
    assert pdnc.halves(pdnc.folders(corpus)) == {"Emma": "a", "Emmeline": "b", "Emmy": "a"}
    assert pdnc.folders(corpus / "Emmy") == [corpus / "Emmy"]


def test_another_text_is_refused(corpus: Path) -> None:
    (corpus / "Emma" / pdnc.TEXT).write_text("A" + STORY, "utf-8")
    with pytest.raises(pdnc.PdncDamaged, match="Emma: of 6 quotes only 0"):
        pdnc.load(corpus / "Emma")


run = partial(evaluated, "coref")


def test_the_command_on_both_corpora(bank: Path, corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = printed(capsys, "coref", "--litbank", bank, "--pdnc", corpus, "--resolver", "rules")
    assert found["resolver"].startswith("rules/")
    assert [document["name"] for document in found["litbank"]["documents"]] == ["1_emma", "2_emma"]
    assert found["litbank"]["pooled"]["tokens"] == 36
    assert found["litbank"]["pooled"]["all"]["gold_with_singletons"] == "not offered"
    assert found["litbank"]["pooled"]["persons"]["mentions"]["recall"] > 0.5
    pools = found["pdnc"]["pooled"]
    assert [(pool["name"], pool["half"]) for pool in pools] == [
        ("all", "ab"),
        ("half a", "a"),
        ("half b", "b"),
    ]
    assert [pool["speakers"]["all"]["all"] for pool in pools] == [12, 8, 4]
    assert found["pdnc"]["novels"][0]["given_speakers"] == "not offered"
    assert found["speed"] == []


def test_ids_and_halves_choose(bank: Path, corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parts = ("--ids", bank / "dev.ids", "--half", "b")
    found = printed(capsys, "coref", "--litbank", bank, "--pdnc", corpus, *parts)
    assert [document["name"] for document in found["litbank"]["documents"]] == ["2_emma"]
    assert [novel["name"] for novel in found["pdnc"]["novels"]] == ["Emmeline"]


def test_speed_is_measured_in_a_process_of_its_own(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [time] = printed(capsys, "coref", "--speed", corpus / "Emma" / pdnc.TEXT)["speed"]
    assert time["name"] == f"Emma/{pdnc.TEXT}"
    assert time["words"] == len(STORY.split())
    assert time["words_per_second"] == pytest.approx(time["words"] / time["seconds"])
    assert time["peak"] > 5e6


def test_peak_memory_counts_what_is_held() -> None:
    held = bytearray(b"x") * 400_000_000
    assert peak_memory() >= len(held)


def test_the_page_for_people(
    bank: Path, corpus: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speed, "timed", lambda path, _: speed.Timed(path.name, 100, 0.5, 300_000_000))
    assert run("--litbank", bank, "--pdnc", corpus, "--speed", corpus / "Emma" / pdnc.TEXT) == 0
    page = capsys.readouterr().out
    for words in (
        "Coreference, persons",
        "2 documents, 36 tokens",
        "Emmeline",
        "half b",
        "not offered",
        "300 MB",
    ):
        assert words in page


@pytest.mark.parametrize("what", ["--litbank", "--pdnc"])
def test_an_empty_folder_is_an_error(tmp_path: Path, what: str) -> None:
    with pytest.raises(BookwormError) as error:
        run(what, tmp_path)
    assert error.value.code == "gold_invalid"


def test_damaged_gold_is_an_error(bank: Path, corpus: Path) -> None:
    (bank / "coref" / "1_emma_brat.ann").write_text("MENTION\tT1\tzero\n", "utf-8")
    (corpus / "Emma" / pdnc.QUOTES).write_text("quoteID\nQ0\n", "utf-8")
    for arguments in (("--litbank", bank), ("--pdnc", corpus)):
        with pytest.raises(BookwormError) as error:
            run(*arguments)
        assert error.value.code == "gold_invalid"


def test_there_must_be_something_to_measure() -> None:
    with pytest.raises(Exception, match="at least one"):
        run()
