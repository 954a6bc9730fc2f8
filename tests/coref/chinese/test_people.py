"""Who counts as a person in Chinese, and which names belong to one person."""

from __future__ import annotations

import pytest

from coref.chinese.resolver import ChineseResolver
from coref.types import Annotations, Character
from tests.coref.chinese.gold import chinese


def resolve(text: str) -> Annotations:
    return ChineseResolver().annotate(chinese(text))


def named(found: Annotations, alias: str) -> Character:
    fitting = [c for c in found.characters if alias in {a.text for a in c.aliases}]
    assert len(fitting) == 1, (alias, [c.name for c in found.characters])
    return fitting[0]


JIA = """贾宝玉走进门来，笑道：“林妹妹在么？”

林黛玉冷笑道：“宝玉，你来做什么？”宝玉忙道：“来看你。”

黛玉说道：“我不要你看。”王夫人听见了，问道：“宝玉，你又惹她了？”

贾宝玉说：“我没有。”林黛玉转身就走，黛玉的眼睛红了。王夫人叹道：“冤家！”
"""


def test_a_given_name_is_its_bearers() -> None:
    found = resolve(JIA)
    assert {a.text for a in named(found, "贾宝玉").aliases} >= {"贾宝玉", "宝玉"}
    assert {a.text for a in named(found, "林黛玉").aliases} >= {"林黛玉", "黛玉"}
    assert named(found, "林黛玉").pronouns == "she/her"


def test_a_wifes_title_is_nobody_else_of_the_surname() -> None:
    found = resolve(JIA + "\n\n王熙凤笑道：“太太别生气。”王熙凤又说：“我去劝他。”王夫人点了点头。")
    assert named(found, "王夫人").id != named(found, "王熙凤").id


def test_a_surname_that_two_have_is_not_guessed_but_doubted() -> None:
    found = resolve(
        "张大山说：“下雨了。”张小河说：“不要紧。”张大山笑道：“走吧。”张小河点点头。\n\n"
        "张先生问道：“几点了？”张先生又说：“该走了。”张大山和张小河都没有回答。"
    )
    known = {c.name: c.id for c in found.characters}
    doubted = {frozenset((d.one, d.other)) for d in found.doubts}
    assert frozenset((known["张先生"], known["张大山"])) in doubted
    assert frozenset((known["张先生"], known["张小河"])) in doubted
    assert all(0 < d.confidence < 0.5 for d in found.doubts)


def test_a_courtesy_name_is_apart_until_the_book_says_whose_it_is() -> None:
    story = "刘备问道：“如何是好？”刘备叹道：“难矣！”玄德曰：“吾当自去。”玄德笑道：“何难之有？”"
    apart = resolve(story)
    assert named(apart, "刘备").id != named(apart, "玄德").id
    told = resolve("那人姓刘，名备，字玄德。" + story)
    assert named(told, "刘备").id == named(told, "玄德").id
    assert any("字" in m.evidence for m in told.merges)


@pytest.mark.parametrize("name", ["阿Q", "老王", "小翠", "欧阳克", "司马长风", "约翰·史密斯", "凤姐儿"])
def test_names_of_every_shape(name: str) -> None:
    found = resolve(
        f"{name}走了进来。{name}笑道：“下雪了。”\n\n{name}问：“你去不去？”掌柜摇摇头。{name}也不说话了。"
    )
    assert [c.name for c in found.characters][:1] == [name]


def test_places_and_things_are_not_people() -> None:
    found = resolve(
        "他们到了江宁县，在江宁县住了三天。白糖卖完了，黄酒也卖完了。从江宁县到石头城要走一天，石头城里没有人。\n\n"
        "高兴的时候，他就到石头城去。马上就要下雨了，马上要收摊。"
    )
    assert found.characters == ()


def test_ta_tells_no_gender_where_the_book_has_no_other() -> None:
    text = "薛宝钗笑道：“好热。”他放下扇子。薛宝钗说：“走罢。”他站起来。薛宝钗道：“等等。”他又坐下了。"
    assert named(resolve(text), "薛宝钗").pronouns != "he/him"


def test_i_and_you_inside_quotes() -> None:
    text = "陈志明对何秀英说：“我在这里等你。”何秀英问：“你等我做什么？”陈志明说：“我有话说。”何秀英笑了。"
    book = chinese(text)
    found = ChineseResolver().annotate(book)
    names = {c.id: c.name for c in found.characters}
    said = [(m.surface, names.get(m.character or "")) for m in found.mentions if m.surface in ("我", "你")]
    assert said == [
        ("我", "陈志明"),
        ("你", "何秀英"),
        ("你", "陈志明"),
        ("我", "何秀英"),
        ("我", "陈志明"),
    ]


def test_a_role_that_speaks_is_somebody() -> None:
    found = resolve(
        "掌柜问道：“客官，住店么？”赵铁生说：“住。”掌柜笑道：“里面请。”掌柜提起灯。赵铁生跟着掌柜走了。"
    )
    assert {"掌柜", "赵铁生"} == {c.name for c in found.characters}
