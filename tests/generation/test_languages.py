"""Answers in English or Chinese, about books in either."""

from __future__ import annotations

import re
import string
from dataclasses import replace
from pathlib import Path

import pytest

from books.languages import identify
from books.types import Span
from coref.chinese.lexicon import simplify
from coref.chinese.resolver import ChineseResolver
from coref.types import Character, CharacterKind
from generation import lexicon
from generation.contexts import make_context
from generation.models.scripted_model import ScriptedModel
from generation.models.types import Finish
from generation.phrases import _phrases, phrase, spelt, tie_word, unsaid
from generation.story.named_people import Names, asks_who
from generation.types import AnswerLanguage, AnswerLimits, Context, Draft, Prompt, Task
from generation.writing.answer_faults import AnswerFault, ExpectedAnswer, faults
from generation.writing.answer_parsing import WrittenSentence
from generation.writing.citations import attach
from generation.writing.offline.composer import OfflineGenerator
from generation.writing.prompts import make_prompt
from generation.writing.templating import TemplatePiece, Templates
from generation.writing.writer import PortraitWriter
from retrieval.types import AnsweringPlace, Category, ScoredSpan, TellingSentence
from tests.coref.chinese.gold import read_gold
from tests.evaluation.metrics.samples import book_of
from tests.generation.novel import passages
from tests.generation.writing.told import Told

ENGLISH, CHINESE, TRADITIONAL = AnswerLanguage
SAID = "林秋月是渡口的老师，她等周大海的船回来[1]。她后来在码头上见到了周大海[2]。"

BY_MISTAKE = (
    "She is a teacher at the ferry who waits for the boat of her friend, and never told anybody of it."
)


@pytest.fixture(scope="module")
def ferry() -> Context:
    book = read_gold("ferry").book
    found = ChineseResolver().annotate(book)
    who = next(person.id for person in found.characters if person.name == "林秋月")
    return make_context(book, annotations=found, people=(who,))


def asked(context: Context, language: AnswerLanguage, *, task: Task = Task.DESCRIPTION) -> Prompt:
    return make_prompt(
        context, task=task, passages=passages(context.book), language=language, question="林秋月等谁？"
    )


def written(context: Context, said: str, language: AnswerLanguage) -> tuple[Draft, str]:
    model = ScriptedModel([said])
    draft = PortraitWriter(model).generate(asked(context, language), AnswerLimits(words=80))
    ((request,),) = model.asked
    return draft, "\n".join(message.content for message in request.messages)


def test_a_chinese_answer_about_a_chinese_book(ferry: Context) -> None:
    draft, shown = written(ferry, SAID, CHINESE)
    assert "介绍林秋月" in shown
    assert "外文" not in shown
    assert identify(draft.text) == CHINESE
    assert "[1]" not in draft.text


def test_an_english_answer_about_a_chinese_book(ferry: Context) -> None:
    said = "Lin Qiuyue (林秋月) is a teacher at the ferry who waits for the boat of the ferryman [1]."
    draft, shown = written(ferry, said, ENGLISH)
    assert "Liu Bei (刘备)" in shown, "how names are to be written"
    assert draft.text.startswith("Lin Qiuyue")


def test_a_chinese_answer_about_an_english_book(harbour: Told) -> None:
    book, annotations = harbour
    context = make_context(book, annotations=annotations, people=(annotations.characters[0].id,))
    draft, shown = written(
        context, "贝丝·法罗（Bess Farrow）是港务局里年轻的书记员，为人细心，总是帮助别人[1]。", CHINESE
    )
    assert "写出原文" in shown
    assert "贝丝" in draft.text


@pytest.mark.parametrize(("language", "said"), [(ENGLISH, SAID), (CHINESE, BY_MISTAKE)])
def test_the_wrong_language_is_a_fault(language: AnswerLanguage, said: str) -> None:
    found = faults(said, Finish.STOP, ExpectedAnswer(language=language))
    assert AnswerFault.LANGUAGE in found


def test_a_good_chinese_answer_has_no_fault_and_a_copied_or_looped_one_has() -> None:
    expected = ExpectedAnswer(
        language=CHINESE,
        sources=("渡口的水很急，" * 2 + "船家把缆绳系在柳树上，说今天不能过河了，明天再看天色罢。" * 3,),
    )
    good = SAID.replace("[1]", "").replace("[2]", "")
    assert faults(good, Finish.STOP, expected) == []
    copied = "船家把缆绳系在柳树上，说今天不能过河了，明天再看天色罢。" * 3
    assert AnswerFault.COPIED in faults(copied, Finish.STOP, expected)
    assert AnswerFault.LOOP in faults("她走了又来，来了又走。" * 12, Finish.STOP, expected)
    assert AnswerFault.CUT_OFF in faults("她走到渡口，看见", Finish.LENGTH, expected)


def test_an_offline_description_speaks_the_language_that_was_asked_for(ferry: Context) -> None:
    (person,) = ferry.people
    start = ferry.book.text.index("林秋月")
    end = ferry.book.text.index("。", start) + 1
    said = TellingSentence(
        Span(start, end), 0, person.id, 1.0, dict.fromkeys(Category, 0.0), 1.0, 0.9, 0.9, True
    )
    texts = {}
    for language in AnswerLanguage:
        prompt = replace(asked(ferry, language), telling=(said,), passages=())
        texts[language] = OfflineGenerator().generate(prompt, AnswerLimits(words=80)).text
    assert "书中这样写林秋月：“" in texts[CHINESE]
    assert "書中這樣寫林秋月：「" in texts[TRADITIONAL]
    assert "The book says of Lin Qiuyue (林秋月): “" in texts[ENGLISH]


def test_as_much_is_quoted_in_either_language(ferry: Context) -> None:
    (person,) = ferry.people
    text = ferry.book.text
    spans = [m.span() for m in re.finditer("林秋月[^。“”\n]{8,}。", text)]
    assert len(spans) > 6
    told = tuple(
        TellingSentence(Span(*span), 0, person.id, 1.0, dict.fromkeys(Category, 0.0), 1.0, 0.9, 0.95, False)
        for span in spans
    )
    quoted = {}
    for language, words in ((CHINESE, 80), (ENGLISH, 40)):
        prompt = replace(asked(ferry, language), telling=told, passages=())
        draft = OfflineGenerator().generate(prompt, AnswerLimits(words=words))
        quoted[language] = [citation.span for s in draft.sentences for citation in s.citations]
    assert quoted[ENGLISH] == quoted[CHINESE]
    assert len(quoted[CHINESE]) > 1


def cited(context: Context, text: str, number: int) -> list[str]:
    prompt = asked(context, CHINESE)
    (sentence,) = attach([WrittenSentence(text, (number,))], prompt)
    return [citation.span.of(context.book.text) for citation in sentence.citations]


def test_a_citation_of_a_chinese_book_holds_by_words_or_by_its_people(ferry: Context) -> None:
    numbered = {passage.text: n for n, passage in enumerate(passages(ferry.book), 1)}
    told = next(n for text, n in numbered.items() if "提着一只旧皮箱" in text)
    other = next(n for text, n in numbered.items() if "林秋月" in text and "皮箱" not in text)
    nobody = next(n for text, n in numbered.items() if "天还没有亮" in text)
    (said,) = cited(ferry, "林秋月提着旧皮箱走下石阶。", told)
    assert "旧皮箱" in said
    assert all("旧皮箱" in text for text in cited(ferry, "林秋月提着旧皮箱走下石阶。", other)), (
        "it is searched for"
    )
    assert cited(ferry, "林秋月在省城的银行做会计。", other) == []
    english = "Lin Qiuyue (林秋月) comes down the steps with an old suitcase."
    assert cited(ferry, english, told)
    assert cited(ferry, english, nobody) == []


def test_an_offline_reply_that_finds_nothing_says_so_in_chinese(ferry: Context) -> None:
    span = ferry.book.paragraphs[1].span
    place = AnsweringPlace(span, 0, (0,), 0.01, (ScoredSpan(span, 0.1),))
    prompt = replace(asked(ferry, CHINESE, task=Task.QUESTION), places=(place,))
    draft = OfflineGenerator().generate(prompt, AnswerLimits(words=60))
    assert draft.sentences[0].text == phrase(CHINESE, "unsaid")
    assert draft.sentences[0].text in unsaid()
    assert draft.sentences[1].text.startswith("第1章：“")
    assert draft.sentences[1].heading == "最接近的地方"


def test_a_name_is_spelt_for_english_readers() -> None:
    assert spelt("刘备", ENGLISH) == "Liu Bei (刘备)"
    assert spelt("诸葛孔明", ENGLISH) == "Zhuge Kongming (诸葛孔明)"
    assert spelt("刘备", CHINESE) == "刘备"
    assert spelt("Jane Eyre", ENGLISH) == spelt("Jane Eyre", CHINESE) == "Jane Eyre"


def test_every_phrase_is_there_in_each_language_with_the_same_places() -> None:
    for key, words in _phrases().items():
        assert set(words) == set(AnswerLanguage), key
        places = [
            {name for _, name, _, _ in string.Formatter().parse(text) if name} for text in words.values()
        ]
        assert places == [places[0]] * len(places), key
        assert words["zh"] in ("", simplify(words["zh-Hant"])), key


def test_relations_have_the_same_name_in_both_scripts() -> None:
    for predicate in lexicon.table("ties_zh"):
        assert simplify(tie_word(predicate, TRADITIONAL) or "") == tie_word(predicate, CHINESE), predicate
    assert tie_word("father", TRADITIONAL) == "父親"
    assert tie_word("cousin", CHINESE) is None


def test_chinese_templates_have_the_places_of_the_english_ones() -> None:
    templates = Templates.load()
    assert templates.chinese.keys() == templates.pieces.keys()
    for piece in templates.pieces:
        english, chinese = (string.Template(t.pieces[piece]) for t in (templates, templates.said_in(CHINESE)))
        assert english.is_valid()
        assert set(chinese.get_identifiers()) == set(english.get_identifiers()), piece


def test_a_folder_replaces_chinese_templates_too(tmp_path: Path) -> None:
    (tmp_path / "zh").mkdir()
    (tmp_path / "zh" / "description.txt").write_text("用$words字写$name。", "utf-8")
    own = Templates.load(tmp_path)
    assert own.said_in(CHINESE).pieces[TemplatePiece.DESCRIPTION] == "用$words字写$name。"
    assert own.pieces == Templates.load().pieces
    assert own.hash != Templates.load().hash


def test_languages_of_books() -> None:
    books = [book_of("霧", language=language) for language in ("en", "fr")]
    assert [AnswerLanguage.of(book) for book in books] == [ENGLISH] * 2
    assert [AnswerLanguage.of(read_gold(name).book) for name in ("ferry", "lantern")] == [
        CHINESE,
        TRADITIONAL,
    ]


def test_people_are_known_by_their_names_in_either_script(ferry: Context) -> None:
    names = Names(ferry.annotations.characters)
    (lin,) = ferry.people
    for question in ("林秋月在等谁？", "昨天林老师来了吗？", "Who waits for Lin Qiuyue?"):
        assert [named.character for named in names.find(question)] == [lin.id], question
    assert names.find("渡口的水很急。") == ()


@pytest.mark.parametrize("name", ["賈雨村", "贾雨村"])
def test_people_are_asked_about_in_either_chinese_script(name: str) -> None:
    names = Names((Character("jia", name, (), CharacterKind.PERSON, None, 1, 0),))
    for question in ("贾雨村是谁？", "賈雨村是誰？"):
        assert [(each.character, each.span) for each in names.find(question)] == [("jia", Span(0, 3))]


def test_somebodys_father_is_not_whoever_is_called_father() -> None:
    named = [("lin", "林秋月"), ("father", "父亲")]
    names = Names(tuple(Character(who, name, (), CharacterKind.PERSON, None, 1, 0) for who, name in named))
    assert [named.character for named in names.find("林秋月的父亲是谁？")] == ["lin"]
    assert [named.character for named in names.find("父亲说了什么？")] == ["father"]


@pytest.mark.parametrize(
    ("question", "who"),
    [("林秋月是谁？", True), ("谁是林秋月？", True), ("Who is Lin Qiuyue?", True), ("林秋月在等谁？", False)],
)
def test_who_somebody_is_is_asked_in_either_language(ferry: Context, question: str, who: bool) -> None:
    assert asks_who(question, ferry.people) == who
