"""The language of a text, and what the reader does about it."""

from __future__ import annotations

import unicodedata

import pytest

from books import reading
from books.errors import UnsupportedLanguage
from books.languages import SUPPORTED, identify, name_of
from books.reading import read
from books.source import Source
from tests.books.laws import assert_lawful
from tests.books.passages import PASSAGES

FRENCH = "\n\n".join([PASSAGES["fr"]] * 3)
NAMES = "\n".join(
    f"{last}, {first}, merchant, of {town}"
    for last in ("Abbott", "Baker", "Carr", "Dunn", "Eliot", "Frost", "Grant", "Hale")
    for first, town in (("John", "Hull"), ("Mary", "York"), ("Anne", "Leeds"), ("Saul", "Bath"))
)
RECIPE = (
    "Plum cake. 2 cups flour, 1 cup sugar, 3 eggs, 8 oz butter, 1 tsp soda, pinch salt. Cream butter, sugar;"
    " beat in eggs; sift flour, soda, salt; fold in. Stone plums, halve, press into batter. Bake 40 minutes,"
    " moderate oven. Serve warm with cream. Keeps three days. Variation: apricots, brown sugar, almonds. "
)
GIBBERISH = (
    "qwmz plorth vekk snarb tizzle grunph moxit brell dwaf knolp sprit wugg fenth zorble quib narth " * 5
)


@pytest.mark.parametrize("name", PASSAGES)
def test_a_passage_is_in_the_language_it_is_in(name: str) -> None:
    language = name.split("-")[0]
    assert identify(PASSAGES[name]) == language
    assert identify("\n\n".join([PASSAGES[name]] * 40)) == language


@pytest.mark.parametrize("text", [NAMES, RECIPE * 4])
def test_lists_and_recipes_are_in_no_other_language(text: str) -> None:
    assert identify(text) in ("en", None)


@pytest.mark.parametrize(
    "text", ["", "It rained.", "12 34 56 " * 200, "* * *\n" * 99, "Ha! " * 6, GIBBERISH, "Le chat est noir."]
)
def test_too_little_to_tell_is_unknown(text: str) -> None:
    assert identify(text) is None


def test_a_short_question_about_a_death_is_not_german() -> None:
    assert identify("Does Ann die?", few=3) == "en"
    assert identify("Why did Ann die?", few=3) == "en"
    assert identify("Wo ist die Ann?", few=3) == "de"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("他走了，沒有人知道。", "zh"),
        ("もう帰ります。", "ja"),
        ("그는 떠났다.", "ko"),
        ("Он ушёл домой.", "ru"),
    ],
)
def test_a_writing_of_its_own_tells_at_once(text: str, language: str) -> None:
    assert identify(text) == language


def test_english_front_matter_does_not_make_a_french_book_english() -> None:
    licence = PASSAGES["en"] * 4
    assert identify(licence + "\n\n" + "\n\n".join([PASSAGES["fr"]] * 60) + "\n\n" + licence) == "fr"


def test_letters_with_their_marks_apart_are_the_same_letters() -> None:
    assert identify(unicodedata.normalize("NFD", PASSAGES["tr"])) == "tr"


def test_every_language_has_a_name() -> None:
    assert (name_of("fr"), name_of("en"), name_of("nb"), name_of("zh")) == (
        "French",
        "English",
        "Norwegian",
        "Chinese",
    )
    assert "“xx”" in name_of("xx")


def test_french_is_refused_by_name() -> None:
    with pytest.raises(UnsupportedLanguage) as caught:
        read(FRENCH.encode())
    assert "French" in caught.value.detail
    assert "force" in caught.value.advice


def test_french_is_read_by_force_and_the_report_says_so() -> None:
    book = read(FRENCH.encode(), force=True)
    assert_lawful(book)
    assert book.language == "fr"
    assert any("French" in warning for warning in book.report.warnings)


@pytest.mark.parametrize("name", ["en-huck", "en-bible", "zh-traditional", "zh-classical"])
def test_what_is_understood_is_read_without_a_warning_about_it(name: str) -> None:
    book = read("\n\n".join([PASSAGES[name]] * 3).encode())
    assert book.language in SUPPORTED
    assert not any("language" in warning or "is in" in warning for warning in book.report.warnings)


@pytest.mark.parametrize(
    ("name", "codec"), [("zh-simplified", "gb18030"), ("zh-traditional", "cp950"), ("zh-classical", "cp950")]
)
def test_a_chinese_book_in_an_old_encoding_is_read(name: str, codec: str) -> None:
    text = "\n\n".join(f"　　{PASSAGES[name]}" for _ in range(5))
    book = read(text.encode(codec))
    assert_lawful(book)
    assert book.text == text
    assert (book.language, book.report.encoding, book.report.encoding_by) == ("zh", codec, "guessed")
    assert len(book.paragraphs) == 5


def test_a_text_too_short_to_tell_passes_as_english_with_a_warning() -> None:
    book = read(b"It rained.")
    assert book.language == "en"
    assert any("could not be told" in warning for warning in book.report.warnings)


def declaring(monkeypatch: pytest.MonkeyPatch, text: str, language: str) -> None:
    source = Source(text=text, format="text", encoding="utf-8", language=language)
    monkeypatch.setattr(reading, "extract", lambda *_, **__: source)


def test_a_file_that_calls_its_english_french_is_english_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    declaring(monkeypatch, PASSAGES["en"], "fr")
    assert read(b"").language == "en"


def test_a_file_that_calls_its_french_english_is_refused_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    declaring(monkeypatch, FRENCH, "en")
    with pytest.raises(UnsupportedLanguage):
        read(b"")


def test_a_long_text_that_says_nothing_is_what_its_file_says(monkeypatch: pytest.MonkeyPatch) -> None:
    declaring(monkeypatch, GIBBERISH * 3, "mi")
    with pytest.raises(UnsupportedLanguage):
        read(b"")


def test_a_short_text_that_says_nothing_is_not_refused_for_what_its_file_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    declaring(monkeypatch, "It rained.", "fr")
    assert read(b"").language == "en"


def test_a_text_that_says_nothing_is_english_if_its_file_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    declaring(monkeypatch, "It rained.", "en")
    assert not any("language" in warning for warning in read(b"").report.warnings)
