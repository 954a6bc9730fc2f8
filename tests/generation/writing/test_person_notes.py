"""The notes of a prompt: what the book says of its people, with the numbers of the passages shown."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from generation.types import Prompt, Strategy, Task
from generation.writing.message_rendering import MessageSheet
from generation.writing.person_notes import MOST, notes_on
from generation.writing.templating import Templates
from tests.generation.indexed import IndexedStory
from tests.generation.novel import passages

NOTE = re.compile(r"^- (?P<text>.+?)(?: \[(?P<number>\d+)\])?$", re.MULTILINE)


def asked(harbour_story: IndexedStory, *who: str, task: Task = Task.DESCRIPTION) -> Prompt:
    return replace(harbour_story.prompt(task, *who), passages=tuple(passages(harbour_story.book)))


def noted(prompt: Prompt, shown: list[int]) -> list[re.Match[str]]:
    [_, message] = MessageSheet(prompt, Templates.load()).messages("Material.", "Task.", shown=shown)
    return list(NOTE.finditer(message.content))


def test_each_note_stands_in_the_passage_that_it_names(harbour_story: IndexedStory) -> None:
    prompt = asked(harbour_story, "bess")
    notes = noted(prompt, list(range(1, len(prompt.passages) + 1)))
    assert 1 < len(notes) <= MOST
    assert len({note["text"] for note in notes}) == len(notes)
    for note in notes:
        if note["text"].startswith("“"):
            passage = _words(prompt.passages[int(note["number"]) - 1].text)
            assert all(_words(part) in passage for part in note["text"].split("…"))


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text))


def test_what_is_quoted_from_a_passage_left_out_is_not_told(harbour_story: IndexedStory) -> None:
    prompt = asked(harbour_story, "bess")
    few = noted(prompt, [1])
    assert len(few) < len(noted(prompt, list(range(1, len(prompt.passages) + 1))))
    assert all(note["number"] == "1" or not note["text"].startswith("“") for note in few)


def test_several_people_have_a_line_each(harbour_story: IndexedStory) -> None:
    prompt = asked(harbour_story, "bess", "crane", "tom", task=Task.JOINT)
    labels = [note.text.partition(":")[0] for note in notes_on(prompt)]
    assert labels == [label for label in ("Bess Farrow", "Captain Crane", "Tom Farrow") if label in labels]
    assert labels


@pytest.mark.parametrize("strategy", [s for s in Strategy if s is not Strategy.RETRIEVE])
def test_other_strategies_show_no_notes(harbour_story: IndexedStory, strategy: Strategy) -> None:
    assert notes_on(asked(harbour_story, "bess"))
    assert not notes_on(replace(asked(harbour_story, "bess"), strategy=strategy))
