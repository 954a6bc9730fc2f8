"""The chapters that a question names."""

from __future__ import annotations

import pytest

from retrieval.asking.chapters import asked_chapters


@pytest.mark.parametrize(
    ("question", "numbers", "until", "rest"),
    [
        ("Who is the old man in chapter 3?", [3], False, "Who is the old man?"),
        ("In Chapter IV, who is he?", [4], False, "who is he?"),
        ("What happens in “Chapter IV”?", [4], False, "What happens?"),
        ("Why does she go at the end of chapter twenty-one?", [21], False, "Why does she go?"),
        ("Who comes in the third chapter?", [3], False, "Who comes?"),
        ("Who comes in the 21st chapter?", [21], False, "Who comes?"),
        ("Who dies in the last chapter?", [26], False, "Who dies?"),
        ("Who comes in chapters 3 to 5?", [3, 4, 5], False, "Who comes?"),
        ("Who comes in chapters 3–5?", [3, 4, 5], False, "Who comes?"),
        ("Who comes from chapter one to chapter three?", [1, 2, 3], False, "Who comes?"),
        ("Who comes between chapters 3 and 5?", [3, 4, 5], False, "Who comes?"),
        ("Who comes in chapters 3 and 5?", [3, 5], False, "Who comes?"),
        ("Who knows it by the end of chapter 3?", [1, 2, 3], True, "Who knows it?"),
        ("Who knows it before chapter 3?", [1, 2], True, "Who knows it?"),
        ("Who knows it after chapter 24?", [25, 26], False, "Who knows it?"),
        ("Who is it in chapter 80?", [80], False, "Who is it?"),
        ("Who is in the first chapter and in chapter 9?", [1, 9], False, "Who is and?"),
        ("第五章发生了什么？", [5], False, "发生了什么？"),
        ("在第二十一章里，他是谁？", [21], False, "他是谁？"),
        ("第3章到第五章发生了什么？", [3, 4, 5], False, "发生了什么？"),
        ("第三至五回谁来了？", [3, 4, 5], False, "谁来了？"),
        ("第一、三和五章谁来了？", [1, 3, 5], False, "谁来了？"),
        ("最后一章谁死了？", [26], False, "谁死了？"),
        ("最後一章誰死了？", [26], False, "誰死了？"),
        ("第三章, who comes in chapter 5?", [3, 5], False, "who comes?"),
        ("Who comes in chapter 0?", [0], False, "Who comes?"),
        ("Who comes by chapter 0?", [0], True, "Who comes?"),
        ("到第三章为止谁知道？", [1, 2, 3], True, "谁知道？"),
        ("第三章之前谁知道？", [1, 2], True, "谁知道？"),
        ("第二十四章以后谁知道？", [25, 26], False, "谁知道？"),
    ],
)
def test_chapters_are_read_out_of_a_question(
    question: str, numbers: list[int], until: bool, rest: str
) -> None:
    asked = asked_chapters(question, 26)
    assert asked is not None
    assert (list(asked.numbers), asked.until, asked.rest) == (numbers, until, rest)


@pytest.mark.parametrize(
    "question",
    [
        "Who wrote the chapter?",
        "What is the chapter called?",
        "Does one chapter tell it?",
        "Who?",
        "第一次是谁？",
    ],
)
def test_a_question_may_name_none(question: str) -> None:
    assert asked_chapters(question, 26) is None
