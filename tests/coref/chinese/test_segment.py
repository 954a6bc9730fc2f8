"""jieba is used without messages, and leaves nothing behind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from coref.chinese.lexicon import simplify, surname_of, surnames, title_of
from coref.chinese.segment import segment
from tests.coref.chinese.gold import chinese

ROOT = Path(__file__).parents[3]
_RUN = """
import sys
import coref.registry, coref.chinese.resolver
assert "jieba" not in sys.modules
from tests.coref.chinese.gold import read_gold
found = coref.chinese.resolver.ChineseResolver().annotate(read_gold("ferry").book)
assert found.characters
"""


def test_it_is_loaded_late_says_nothing_and_writes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "tmp"
    folder.mkdir()
    environment = {
        "PATH": "/usr/bin:/bin",
        "TMPDIR": str(folder),
        "PYTHONPATH": f"{ROOT}:{ROOT}/tests/offline",
        "OMP_NUM_THREADS": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", _RUN],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(folder.iterdir()) == []
    assert [p.name for p in tmp_path.iterdir()] == ["tmp"]


@given(st.text(alphabet="玉林黛說道：“”。，abＱ1 \n\u3000\U00020000\u0301", max_size=80))
@settings(max_examples=60, deadline=None)
def test_words_are_where_they_say(text: str) -> None:
    book = chinese(text)
    words = segment(book, lambda _: None)
    for i, word in enumerate(words.words):
        assert simplify(book.text[words.starts[i] : words.ends[i]]) == word
    assert list(words.starts) == sorted(words.starts)
    told = sum(len(p.split()) for p in ("".join(words.words),))
    assert told <= 1
    inside = "".join(book.slice(p.span) for p in book.paragraphs)
    assert sum(map(len, words.words)) == sum(not sign.isspace() for sign in inside)


def test_traditional_is_compared_as_simplified_sign_for_sign() -> None:
    assert simplify("沈玉蘭對喬天祥說：「妳還沒有到家？」") == "沈玉兰对乔天祥说：「你还没有到家？」"
    assert simplify("乾隆") == "乾隆"


def test_every_surname_and_title_is_simplified() -> None:
    assert {simplify(name) for name in surnames()} == set(surnames())
    assert (surname_of("欧阳克"), surname_of("林黛玉"), surname_of("黛玉")) == ("欧阳", "林", "")
    assert (title_of("王先生"), title_of("先生"), title_of("老太太")) == ("先生", "", "太太")
