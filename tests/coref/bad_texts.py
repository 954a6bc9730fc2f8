"""Texts that no novelist wrote: without people, without end, without sense, in other languages."""

from __future__ import annotations

import random
from collections.abc import Callable

MIB = 1 << 20
WORDS_IN_A_PARAGRAPH = 200_000
COPIES = 20_000
SENTENCES = 10_000
SHARE, LITTLE = 4, 20
"""Divisors of the endless texts: the soak uses a quarter, and at length all; `make test` a twentieth."""
PEOPLE, FEWER = 250, 60
PEOPLE_ZH = 510
VERY_LONG = 2_000_000
_SYLLABLES = ("Ba", "Ke", "Lo", "Mu", "Ri", "Ta", "Vo", "Zu", "Da", "Fe", "Gi", "Ho", "Ja", "Ly", "Ne")
_ENDS = ("bert", "nard", "mond", "vina", "lia", "wick", "thorn", "ley", "ston", "by")

COOKBOOK = """Chapter 1

Apple Tart

Peel six apples and cut them into thin slices. Rub the butter into the flour, add a pinch of salt
and two spoons of cold water, and roll the paste out on a board. Line a dish with it. Lay the slices
in rings, strew them with sugar and cinnamon, and bake the tart in a hot oven for forty minutes.

Pea Soup

Soak the peas over night. Put them into a pot with three pints of water, an onion and a bone of ham.
Let them simmer for two hours, then rub them through a sieve. Season with pepper, and serve with
fried bread.

Chapter 2

Plum Pudding

Take a pound of raisins, a pound of currants, and a pound of suet. Mix them with six eggs, a glass
of brandy and as much flour as will bind them. Boil the pudding in a cloth for seven hours. Serve it
with brandy butter.

Lemon Curd

Beat four eggs. Add the juice of three lemons, their grated rind and half a pound of sugar. Stir
over a slow fire until it thickens. Pour into jars, and cover them when cold.
"""
LAW = """Chapter 1

Section 1. This Act may be cited as the Harbours and Moorings Act.

Section 2. In this Act, unless the context otherwise requires, “vessel” means any ship, boat or
barge; “owner” means the person in whose name a vessel is registered; and “authority” means the
authority of the harbour.

Section 3. (1) No person shall moor a vessel in a harbour without the leave of the authority. (2) A
person who contravenes subsection (1) is guilty of an offence and liable on conviction to a fine not
exceeding level three.

Section 4. The authority may make regulations as to the lights that are to be shown, the fees that
are to be paid, and the times at which vessels may enter or leave. No such regulation shall have
effect until it is published.

Section 5. Where a vessel is abandoned, the authority may remove it, and recover the cost from its
owner.
"""
DIARY = """Chapter 1

Monday. I rose at six and walked to the river. I saw nobody. The ice has gone from the banks, and I
sat on the wall for an hour and thought of nothing. Then I went home and made my soup, and I ate it
by the window.

Tuesday. It rained. I took my books down, dusted them, and put them back. I do this when I cannot
sleep. I wrote two letters and burned them both.

Chapter 2

Wednesday. I went to buy flour. The road was deep in mud and I fell, and I laughed at myself. I was
home before dark. I lit my lamp and I have been sitting beside it since.

Thursday. I am tired. I shall stay in bed, and I shall not write tomorrow.
"""
POEM = """Chapter 1

The tide goes out, the tide comes in,
  And still the gulls complain;
The sand is white, the reeds are thin,
  And grey, and grey the rain.

O wind that walks upon the hill,
  What have you seen today?
A mill that turned, a wheel stood still,
  A road that ran away.

Go home, go home, the night is near,
  The lamps are in the town;
There is no sail, no song to hear,
  And the long stars come down.
"""
FRENCH = """Chapitre premier

Monsieur Lambert ouvrit la porte et regarda dans la rue. Il pleuvait encore. « Où est Jeanne ? »
demanda-t-il à sa femme.

— Elle est partie ce matin, répondit madame Lambert. Elle n’a rien dit.

Il prit son chapeau et sortit. Dans la boutique du coin, Jeanne parlait avec le vieux Michel. «
Viens, dit Lambert, ta mère t’attend. » Elle le suivit sans un mot, et Michel les regarda partir.
"""
GERMAN = """Erstes Kapitel

Herr Brandt öffnete die Tür und sah auf die Straße. Es regnete noch immer. »Wo ist Anna?«, fragte er
seine Frau.

„Sie ist heute früh gegangen“, sagte Frau Brandt. „Sie hat nichts gesagt.“

Er nahm seinen Hut und ging hinaus. Im Laden an der Ecke sprach Anna mit dem alten Martin. „Komm“,
sagte Brandt, „deine Mutter wartet.“ Sie folgte ihm ohne ein Wort, und Martin sah ihnen nach.
"""
PAGE = """“Who is there?” asked Mrs. Hale.

“Only me,” said Tom Hale. He shut the door, and she gave him his supper. Edward Vane came in after him.

“You are late, Tom,” Mr. Vane said. “Your mother was afraid.”

Tom laughed at him. Mrs. Hale looked at her son and then at the lamp. “I was never afraid,” she said.
"""
COOKBOOK_ZH = """第一章

红烧肉

五花肉五百克，姜三片，葱两根，冰糖二十克，老抽一勺，黄酒半碗。五花肉切块，冷水下锅，焯水三分钟，
捞出洗净。
锅中放少许油，放入冰糖，小火炒化。放入五花肉翻炒上色，加入黄酒、老抽，再放姜片和葱段。

清蒸鲈鱼

鲈鱼一条，姜五片，葱三根，料酒一勺。鱼洗净，在鱼身上划几刀，抹上盐和料酒，腌十分钟。水开后上锅，
蒸八分钟。

第二章

麻婆豆腐

豆腐一块，牛肉末一百克，豆瓣酱两勺，花椒一小把，蒜三瓣。豆腐切块，放入盐水中煮两分钟。勾芡，撒上
花椒粉和葱花。
"""
LAW_ZH = """第一章 总则

第一条 为了保护公民的合法权益，规范市场秩序，根据宪法，制定本法。

第二条 在境内从事经营活动的自然人、法人和其他组织，应当遵守本法。任何组织和个人不得侵犯他人的合
法权益。

第三条 经营者向消费者提供商品或者服务，应当真实、全面。消费者有权知悉真实情况。当事人对决定不服
的，可以提起诉讼。
"""
DIARY_ZH = """三月五日

今天我起得很早，一个人到河边走了一圈。河水已经化了。我想起去年冬天，我在这里摔过一跤，自己也笑了
。

三月六日

下了一天的雨，我没有出门。我把书架上的书都拿下来，擦干净，又放回去。晚上我写了两封信，可是都没有
寄。

三月七日

我到镇上买了米和盐。路很滑，我走得很慢。回来的时候天已经黑了，我点了灯，坐在窗前，什么也没有想。
"""


def phone_list() -> str:
    """Return names that do nothing. Whether they are people is for the resolver to decide."""
    chosen = random.Random(3)
    return "Chapter 1\n\n" + "\n".join(
        f"{name} ........ 0{chosen.randint(100, 999)} {chosen.randint(10000, 99999)}" for name in names(300)
    )


def names(count: int) -> list[str]:
    """Return different given names and surnames that are in no list."""
    givens = [a + b.lower() + "n" for a in _SYLLABLES for b in _SYLLABLES]
    families = [a + b for a in _SYLLABLES for b in _ENDS]
    return [f"{givens[i % len(givens)]} {families[(i * 7) % len(families)]}" for i in range(count)]


def many_people(people: int = PEOPLE) -> str:
    pages = []
    for i, name in enumerate(names(people)):
        given, family = name.split()
        pages.append(
            f"“Is that you?” said {name}. {given} opened the door of house {i}.\n\n"
            f"“It is late,” {given} said. Then {given} {family} went away."
        )
    return "Chapter 1\n\n" + "\n\n".join(pages)


def many_people_zh() -> str:
    surnames = "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕张孔曹严华金魏陶"
    given = (
        "志明",
        "秀英",
        "建国",
        "玉兰",
        "德胜",
        "小梅",
        "文斌",
        "海涛",
        "桂芳",
        "永福",
        "春生",
        "雪琴",
        "家驹",
        "凤仙",
        "立新",
        "思远",
        "月娥",
    )
    return "\n\n".join(
        f"{s}{g}推开门，问道：“谁在那里？”{s}{g}点了灯。\n\n“天晚了。”{s}{g}说。"
        for s in surnames
        for g in given
    )


def one_paragraph(share: int) -> str:
    flat = " ".join(PAGE.split())
    return flat * (WORDS_IN_A_PARAGRAPH // len(flat.split()) // share)


def every_sentence(share: int) -> str:
    verbs = ("rose", "slept", "laughed", "fell", "waited", "sang", "left", "wept", "dug", "read")
    return "Chapter 1\n\n" + " ".join(f"Tom {verbs[i % 10]} again." for i in range(SENTENCES // share))


def unclosed() -> str:
    return "Chapter 1\n\n" + PAGE.replace("”", "") * 40


def controls() -> str:
    """Return control characters, letters beyond the first plane, and marks that join or reverse."""
    odd = (
        "“Who is \x0bthere?\x1f” asked Mrs. Hale.\x85 \u2028 Tom\u200d Hale\ufeff laughed.",
        "\U0001d4af\U0001d4c4\U0001d4c2 \U00020000\U0002a6d6 said: “\U0001f600\U0001f468\u200d\U0001f469.”",
        "\u202eHale\u202c To\u0301m\u0301 \U000e0041\ufffd \ud7ff \U0010fffd saw him.",
    )
    return PAGE * 100 + "\n\n".join(odd * 2)


def very_long(words: int = VERY_LONG) -> str:
    """Return a novel's text over and over, in chapters with different names, so that the cast grows."""
    people = names(400)
    page_words = len(PAGE.split())
    parts = []
    for i in range(words // page_words):
        if i % 200 == 0:
            parts.append(f"Chapter {i // 200 + 1}\n\n")
        given, family = people[(i // 50) % len(people)].split()
        parts.append(
            PAGE.replace("Edward", given).replace("Vane", family).replace("Hale", family[::-1].title())
        )
        parts.append("\n")
    return "".join(parts)


def _whole(make: Callable[[], str]) -> Callable[[int], str]:
    return lambda share: make()


def _copies(text: str) -> Callable[[int], str]:
    return lambda share: text * (COPIES // share)


NOBODY: dict[str, tuple[Callable[[], str], int]] = {
    "cookbook": (lambda: COOKBOOK, 0),
    "law": (lambda: LAW, 0),
    "poem": (lambda: POEM, 0),
    "cookbook_zh": (lambda: COOKBOOK_ZH, 2),
    "law_zh": (lambda: LAW_ZH, 0),
}
"""Texts without people, with the number of false characters allowed."""

BAD: dict[str, Callable[[int], str]] = {
    **{name: _whole(make) for name, (make, _) in NOBODY.items()},
    "phone_list": _whole(phone_list),
    "diary": _whole(lambda: DIARY),
    "diary_zh": _whole(lambda: DIARY_ZH),
    "many_people": lambda share: many_people(max(FEWER, PEOPLE // share)),
    "many_people_zh": _whole(many_people_zh),
    "capitals": _whole(lambda: ("Chapter 1\n\n" + PAGE * 20).upper()),
    "no_quotes": _whole(lambda: "Chapter 1\n\n" + PAGE.replace("“", "").replace("”", "") * 20),
    "unclosed": _whole(unclosed),
    "french": _whole(lambda: FRENCH),
    "german": _whole(lambda: GERMAN),
    "punctuation": lambda share: "“”‘’!?.,;:—…()[]{}*_-#·「」『』。 \n\n" * (3000 // share),
    "opening_marks": _copies("“‘「『« \n"),
    "one_word": lambda share: "a" * (MIB // share),
    "one_word_zh": lambda share: "说" * (MIB // 4 // share),
    "one_paragraph": one_paragraph,
    "same_sentence": _copies("Tom gave Mrs. Hale her hat, and she thanked him. "),
    "same_sentence_zh": _copies("王大明对李小红说：“我走了。”"),
    "same_lines": _copies("“Yes,” said Tom.\n\n"),
    "controls": _whole(controls),
    "every_sentence": every_sentence,
    "titles": _copies("Mr. Mrs. Captain "),
    "pronouns": _copies("he she it they I you "),
    "pronouns_zh": _copies("他她它我你他们自己"),
    "names_only": lambda share: " ".join(names(COPIES // share)),
    "nested_names": lambda share: "the son of the friend of the wife of " * (COPIES // share) + "Tom.",
    "dots_zh": _copies("约翰·史密斯·"),
    "quotes_in_a_line": _copies("Tom said: “Go.” "),
    "one_paragraph_zh": lambda share: "".join(many_people_zh().split()) * max(1, 10 // share),
    "leads_zh": _copies("王大明道："),
}
"""Functions that make a whole text, or one over the given number of it."""


def very_long_zh(words: int = VERY_LONG) -> str:
    page = many_people_zh()
    return "".join(f"第{i + 1}章\n\n{page}\n\n" for i in range(words // len(page) + 1))


VERY = {"very_long": very_long, "very_long_zh": very_long_zh}
