"""Grammar, measured on a treebank so small that every figure is counted by hand."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from books.errors import BookwormError
from books.types import Book
from coref import registry
from coref.protocols import ParsedWords, Progress
from coref.training import english_treebank
from coref.types import Annotations
from evaluation.coref.tallies import Share
from evaluation.coref.treebank_scores import GrammarScores, compared, measured
from tests.evaluation.command import evaluated, printed

CONLLU = """# sent_id = a-1
1\tAnn\tAnn\tPROPN\tNNP\t_\t2\tnsubj\t_\t_
2\twas\tbe\tAUX\tVBD\t_\t3\taux:pass\t_\t_
3-4\tseenn't\t_\t_\t_\t_\t_\t_\t_\t_
3\tseen\tsee\tVERB\tVBN\t_\t0\troot\t_\t_
3.1\tthere\tthere\tADV\tRB\t_\t_\t_\t_\t_
4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_

# sent_id = a-2
1\tGo\t_\tVERB\tVB\t_\t0\troot\t_\t_
2\t!\t!\tPUNCT\t.\t_\t1\tpunct\t_\t_
"""
RIGHT = ParsedWords(
    tags=("PROPN", "AUX", "VERB", "PUNCT", "VERB", "PUNCT"),
    lemmas=("Ann", "be", "see", ".", "anything", "!"),
    heads=(1, 2, -1, 2, -1, 4),
    relations=("nsubj", "aux:pass", "root", "punct", "root", "punct"),
    events=(False, False, True, False, False, False),
)


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    for part in ("dev", "test"):
        text = CONLLU if part == "test" else CONLLU.split("\n\n")[1]
        (tmp_path / f"en_ewt-{part}.conllu.gz").write_bytes(gzip.compress(text.encode()))
    return tmp_path


@dataclass
class Parser:
    found: ParsedWords
    name: str = "parser/1"

    def annotate(self, book: Book, *, progress: Progress | None = None) -> Annotations:
        return Annotations(self.name, (), (), ())

    def parse_words(self, sentences: Sequence[Sequence[str]]) -> ParsedWords:
        assert [list(sentence) for sentence in sentences] == [["Ann", "was", "seen", "."], ["Go", "!"]]
        return self.found


def figures(found: ParsedWords, treebank: Path) -> GrammarScores:
    return measured(english_treebank.together(english_treebank.read(treebank, "test")), Parser(found))


def test_the_truth_is_wholly_right(treebank: Path) -> None:
    """A lemma that the treebank does not give matches any."""
    every, words = Share(6, 6), Share(4, 4)
    assert figures(RIGHT, treebank) == GrammarScores(every, every, every, every, every, words, words)


def test_what_is_wrong_is_counted_by_hand(treebank: Path) -> None:
    """Wrong are one tag, one lemma (by its capital), the head of a mark, one subtype and one relation."""
    found = figures(
        replace(
            RIGHT,
            tags=("NOUN", *RIGHT.tags[1:]),
            lemmas=("ann", *RIGHT.lemmas[1:]),
            heads=(1, 2, -1, 0, -1, 4),
            relations=("obj", "aux", "root", "punct", "root", "punct"),
        ),
        treebank,
    )
    assert found == GrammarScores(
        tags=Share(5, 6),
        lemmas=Share(5, 6),
        unlabelled=Share(5, 6),
        labelled=Share(4, 6),
        labelled_with_subtypes=Share(3, 6),
        unlabelled_without_punctuation=Share(4, 4),
        labelled_without_punctuation=Share(3, 4),
    )


def test_a_head_in_another_sentence_is_wrong(treebank: Path) -> None:
    """The head of the second sentence's punctuation is its own first word, not the second word overall."""
    assert figures(replace(RIGHT, heads=(1, 2, -1, 2, -1, 0)), treebank).unlabelled == Share(5, 6)


def test_a_word_too_few_is_an_error(treebank: Path) -> None:
    short = replace(RIGHT, tags=RIGHT.tags[:-1])
    with pytest.raises(ValueError, match="argument"):
        compared(english_treebank.read(treebank, "test"), short)


@pytest.fixture
def parser(monkeypatch: pytest.MonkeyPatch) -> str:
    wrong = replace(RIGHT, heads=(1, 2, -1, 0, -1, 4))
    monkeypatch.setitem(registry.RESOLVERS, "parser", lambda _: Parser(wrong))
    return "parser"


def test_the_command(treebank: Path, parser: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = printed(capsys, "coref", "--ewt", treebank, "--resolver", parser)
    assert found["ewt"]["split"] == "test"
    assert found["ewt"]["grammar"]["unlabelled"] == {"value": pytest.approx(5 / 6), "of": 5, "all": 6}
    assert found["litbank"] is None
    assert evaluated("coref", "--ewt", treebank, "--resolver", parser) == 0
    page = capsys.readouterr().out
    assert "Heads (UAS)" in page
    assert "83.3" in page


def test_a_resolver_without_grammar(treebank: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = ("--ewt", treebank, "--split", "dev", "--resolver", "rules")
    assert printed(capsys, "coref", *rules)["ewt"] == {"split": "dev", "grammar": "not offered"}
    assert evaluated("coref", *rules) == 0
    assert "Grammar: not offered" in capsys.readouterr().out


@pytest.mark.parametrize(
    "text", [b"", gzip.compress(b"1\tAnn\n", mtime=0), gzip.compress(CONLLU.encode(), mtime=0)[:-20]]
)
def test_a_damaged_treebank_is_an_error(treebank: Path, text: bytes) -> None:
    (treebank / "en_ewt-test.conllu.gz").write_bytes(text)
    for split in ("test", "train"):
        with pytest.raises(BookwormError) as error:
            evaluated("coref", "--ewt", treebank, "--split", split, "--resolver", "rules")
        assert error.value.code == "gold_invalid"
