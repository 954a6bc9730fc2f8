from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from generation.errors import TemplatesInvalid
from generation.models.prompt_quoting import quoted
from generation.models.scripted_model import ScriptedModel
from generation.models.types import TemplateSet, WriterSetup
from generation.registry import make_generator
from generation.types import AnswerLimits, Strategy, Task
from generation.writing.message_rendering import MessageSheet
from generation.writing.templating import OPTIONAL, VERSION, TemplatePiece, Templates
from generation.writing.writer import PortraitWriter
from tests.generation.writing.told import Told, prompt

OWN = {
    TemplatePiece.ANALYSIS_STRETCH: "Analyse $name here in $words words.",
    TemplatePiece.PART: "$number. $text",
    TemplatePiece.DESCRIPTION_MERGE: "<book>\n$parts\n</book>\nDescribe $name in $words words.",
    TemplatePiece.ANALYSIS_MERGE: "<book>\n$parts\n</book>\nAnalyse $name in $words words.",
}


def put(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, "utf-8")
    return folder


def test_the_shipped_ones_pass_their_own_checks(tmp_path: Path) -> None:
    shipped = Templates.load()
    for piece, text in shipped.pieces.items():
        put(tmp_path, f"{piece}.txt", text)
    assert Templates.load(tmp_path).pieces == shipped.pieces
    assert Templates.load(tmp_path).simple == shipped.pieces, "one's own are for small models, too"


def test_a_folder_replaces_pieces_by_name_and_the_answer_shows_it(tmp_path: Path, harbour: Told) -> None:
    put(tmp_path, "description.txt", "Tell $$5 worth about $name in $words words.")
    templates = Templates.load(tmp_path)
    assert templates.pieces[TemplatePiece.ANALYSIS] == Templates.load().pieces[TemplatePiece.ANALYSIS]
    model = ScriptedModel()
    PortraitWriter(model, templates=templates).generate(prompt(harbour, "bess"), AnswerLimits(words=33))
    assert model.asked[0][0].messages[1].content.endswith("Tell $5 worth about Bess Farrow in 33 words.")


def test_the_hash_is_of_every_piece(tmp_path: Path) -> None:
    shipped = Templates.load()
    hashes = {shipped.hash}
    for piece in TemplatePiece:
        folder = tmp_path / piece
        folder.mkdir()
        put(folder, f"{piece}.txt", f"{shipped.pieces.get(piece, OWN.get(piece))} Please.")
        hashes.add(Templates.load(folder).hash)
    assert len(hashes) == 1 + len(TemplatePiece)
    assert all(h.startswith(f"{VERSION}/") for h in hashes)


def test_the_setting_reaches_the_writer(tmp_path: Path) -> None:
    put(tmp_path, "system.txt", "Be brief.")
    own = make_generator("scripted-model", setup=WriterSetup(templates=tmp_path))
    assert own.prompts == Templates.load(tmp_path).hash != make_generator("scripted-model").prompts


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("descripton.txt", "x", "No template is called “descripton”"),
        ("description.txt", "About $name.", r"lacks \$words"),
        ("description.txt", "About $name in $words, $nmae.", r"\$nmae"),
        ("description.txt", "About $name in $words for $5.", "without a placeholder"),
        ("passages.txt", "Read: $passages", "must enclose"),
        ("description-merge.txt", "Merge in $words words about $name: $parts", "must enclose"),
        ("joint.txt", "In $words words.", r"lacks \$names"),
        ("system.txt", "  \n", "is empty"),
    ],
)
def test_a_slip_is_named(tmp_path: Path, name: str, text: str, said: str) -> None:
    with pytest.raises(TemplatesInvalid, match=said):
        Templates.load(put(tmp_path, name, text))


def test_a_folder_must_be_there_and_hold_templates_in_utf_8(tmp_path: Path) -> None:
    with pytest.raises(TemplatesInvalid, match="no folder"):
        Templates.load(tmp_path / "nowhere")
    with pytest.raises(TemplatesInvalid, match="contains no template"):
        Templates.load(put(tmp_path, "README.md", "hello"))
    (tmp_path / "system.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(TemplatesInvalid, match="UTF-8"):
        Templates.load(tmp_path)


def test_the_papers_prompts_are_those_of_its_appendix(harbour: Told) -> None:
    """Their words, in their order; without a system message, numbers, or a demand for citations."""
    templates = Templates.load(shipped=TemplateSet.PAPER)
    asked = replace(prompt(harbour, "bess"), cast_list=True)
    sheet = MessageSheet(asked, templates)
    [message] = sheet.messages(sheet.passages([1, 2]), sheet.task(90), shown=[1, 2])
    first, second = (quoted(p.text) for p in asked.passages[:2])
    names = ", ".join(c.name for c in asked.context.annotations.characters)
    assert message.content == (
        f"The following story has these characters: {names}.\n"
        f"Describe character: Bess Farrow given the following context.\n\nContext: {first}\n{second}"
    )


def test_the_papers_texts_on_stretches_are_merged_as_in_its_repository(harbour: Told) -> None:
    """Their words and their empty lines, and no label before a text."""
    templates = Templates.load(shipped=TemplateSet.PAPER)
    described, analysed = (
        MessageSheet(prompt(harbour, "bess", task=task), templates)
        for task in (Task.DESCRIPTION, Task.ANALYSIS)
    )
    texts = ["Bess waits.", "Bess leaves."]
    [message] = described.merging(texts, described.task(90), 90)
    assert message.content == (
        "Describe character: Bess Farrow by merging the following descriptions into a single description."
        "\n\nDescriptions:\nBess waits.\nBess leaves."
    )
    [message] = analysed.merging(texts, analysed.task(90), 90)
    assert message.content == (
        "Analyse in-depth character: Bess Farrow by merging the following analyses into a single analysis."
        "\n\nAnalyses:\nBess waits.\nBess leaves."
    )
    assert analysed.stretch(90) == analysed.task(90), "what is merged are analyses"


def test_other_sets_merge_by_the_task_and_one_s_own_may_say_how(tmp_path: Path, harbour: Told) -> None:
    asked = prompt(harbour, "bess", task=Task.ANALYSIS)
    sheet = MessageSheet(asked, Templates.load())
    assert not set(OPTIONAL) & set(sheet.templates.pieces)
    texts = ["Bess waits [1].", "Bess leaves [2]."]
    merging = sheet.merging(texts, sheet.task(90), 90)
    assert merging == sheet.messages(sheet.parts(texts), sheet.task(90))
    assert "\nStretch 1: Bess waits [1].\nStretch 2: Bess leaves [2].\n" in merging[1].content
    for piece in OPTIONAL:
        put(tmp_path, f"{piece}.txt", OWN[piece])
    own = MessageSheet(asked, Templates.load(tmp_path))
    assert own.merging(texts, own.task(90), 90)[1].content == (
        "<book>\n1. Bess waits [1].\n2. Bess leaves [2].\n</book>\nAnalyse Bess Farrow in 90 words."
    )
    assert own.stretch(50) == "Analyse Bess Farrow here in 50 words."


@pytest.mark.parametrize("task", [Task.DESCRIPTION, Task.ANALYSIS])
@pytest.mark.parametrize("strategy", list(Strategy))
def test_the_papers_prompts_serve_every_task_and_strategy(
    harbour: Told, task: Task, strategy: Strategy
) -> None:
    model = ScriptedModel(context=100_000)
    asked = replace(prompt(harbour, "bess", task=task), strategy=strategy, summary="Bess leaves.")
    draft = PortraitWriter(model, templates=Templates.load(shipped=TemplateSet.PAPER)).generate(
        asked, AnswerLimits(words=40)
    )
    assert draft.sentences
