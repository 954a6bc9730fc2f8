"""Assigns the names of a Chinese book to people: merges only on evidence, and records a doubt otherwise."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum

from coref.chinese.lexicon import roles, signs, surname_of, surnames, title_of, titles
from coref.chinese.name_links import OtherName
from coref.types import CharacterKind

_GIVEN, _SUFFIXED, _FOREIGN, _TITLED, _NICKNAMED = 0.9, 0.85, 0.85, 0.7, 0.6
_DOUBTED = 0.4
_DOUBTS_EACH = 3
_SELDOM = 0.2
"""Share of the mentions of the most mentioned bearer of a surname, up to which another one is passed over."""


class NameShape(IntEnum):
    """The fullest shapes come first, so that names find their bearers when their turn comes."""

    FULL = 0
    FOREIGN = 1
    GIVEN = 2
    TITLED = 3
    NICKNAME = 4
    ROLE = 5


@dataclass(frozen=True, slots=True)
class NameForm:
    """The parts of a name."""

    text: str
    shape: NameShape
    surname: str = ""
    given: str = ""
    title: str = ""

    @property
    def gender(self) -> str | None:
        if self.shape is NameShape.ROLE:
            return roles().get(self.text)
        return titles()[self.title][0] if self.title else None

    @property
    def own(self) -> bool:
        """Whether a shared surname is no evidence: a wife has the title with her husband's name."""
        return bool(self.title) and titles()[self.title][1]


@dataclass(slots=True)
class ChinesePerson:
    number: int
    forms: list[NameForm]
    gender: str | None = None
    kind: CharacterKind = CharacterKind.PERSON
    chapter: int | None = None
    """The only chapter in which a word such as 老人 is this person."""
    sure: dict[str, float] = field(default_factory=dict)
    """For each name, the confidence that it is this person's."""

    @property
    def surname(self) -> str:
        return next((f.surname for f in self.forms if f.surname), "")

    @property
    def role(self) -> bool:
        return all(f.shape is NameShape.ROLE for f in self.forms)

    @property
    def full(self) -> NameForm | None:
        return next((f for f in self.forms if f.shape is NameShape.FULL), None)


@dataclass(frozen=True, slots=True)
class NameLink:
    """Two names of one person, or of two who may be one."""

    one: int
    name: str
    other: str
    confidence: float
    evidence: str
    other_person: int | None = None


@dataclass(slots=True)
class ChineseCast:
    people: list[ChinesePerson] = field(default_factory=list)
    options: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """The people that a name may refer to. There are several if full names share it."""
    merges: list[NameLink] = field(default_factory=list)
    doubts: list[NameLink] = field(default_factory=list)

    def enter(self, form: NameForm) -> ChinesePerson:
        person = ChinesePerson(len(self.people), [form], form.gender)
        self.people.append(person)
        self.options[form.text] = (person.number,)
        person.sure[form.text] = 1.0
        return person

    def enter_role(self, role: str, chapter: int | None) -> None:
        known = self.options.get(role, ())
        person = self.enter(NameForm(role, NameShape.ROLE))
        person.chapter = chapter
        self.options[role] = (*known, person.number)

    def give(self, person: ChinesePerson, form: NameForm, confidence: float, evidence: str) -> None:
        """Add a name to a person."""
        self.merges.append(NameLink(person.number, person.forms[0].text, form.text, confidence, evidence))
        person.forms.append(form)
        person.gender = person.gender or form.gender
        person.sure[form.text] = confidence
        self.options[form.text] = (person.number,)

    def doubt(self, person: ChinesePerson, other: ChinesePerson, confidence: float, evidence: str) -> None:
        name, theirs = person.forms[0].text, other.forms[0].text
        self.doubts.append(NameLink(person.number, name, theirs, confidence, evidence, other.number))


def form_of(name: str) -> NameForm:
    if any(not sign.isalnum() for sign in name):
        return NameForm(name, NameShape.FOREIGN)
    title = title_of(name)
    base = name[: len(name) - len(title)]
    if title:
        surname = base if base in surnames() else surname_of(base)
        return NameForm(name, NameShape.TITLED, surname, base[len(surname) :], title)
    if len(name) == 2 and name[0] in "老小阿大":
        known = name[1] if name[0] != "阿" and name[1] in surnames() else ""
        return NameForm(name, NameShape.NICKNAME, known, name[1])
    surname = surname_of(name)
    if surname and len(name) - len(surname) <= 2 and not (len(name) == 2 and name[1] == "儿"):
        return NameForm(name, NameShape.FULL, surname, name[len(surname) :])
    return NameForm(name, NameShape.GIVEN, "", name)


def draw_up(
    names: Mapping[str, int], role_names: Sequence[tuple[str, int | None]], others: Sequence[OtherName]
) -> ChineseCast:
    """Build the cast. `others` are other names of somebody with a full name, the likeliest first."""
    cast = ChineseCast()
    forms = sorted(_forms(names), key=lambda f: (f.shape, -names[f.text], f.text))
    told = _told(forms, others)
    registers = _Registers()
    for form in forms:
        if form.text not in told or told[form.text].full in told:
            _settle(cast, form, registers, names)
    for form in forms:
        if form.text not in cast.options and told[form.text].full in cast.options:
            link = told[form.text]
            bearer = cast.people[cast.options[link.full][0]]
            cast.give(bearer, form, link.probability, link.evidence)
            registers.add(form, bearer)
    for role, chapter in role_names:
        cast.enter_role(role, chapter)
    _doubt_nicknames(cast, registers)
    return cast


def _told(forms: Sequence[NameForm], others: Sequence[OtherName]) -> dict[str, OtherName]:
    """Return the likeliest bearer of each name that is another name of somebody.

    With 云长 for 关羽, 关云长 is he too.
    """
    names = {form.text for form in forms}
    told: dict[str, OtherName] = {}
    for link in others:
        if {link.full, link.other} <= names:
            told.setdefault(link.other, link)
    for form in forms:
        short = told.get(form.given) if form.shape is NameShape.FULL else None
        if short and short.full != form.text and surname_of(short.full) == form.surname:
            told.setdefault(form.text, replace(short, other=form.text))
    return told


def _forms(names: Mapping[str, int]) -> list[NameForm]:
    """Return the shapes of names.

    玉兰 is no 兰 of the family 玉 beside 沈玉兰, nor is 罗斯 Chinese beside 约翰·罗斯.
    """
    forms = [form_of(name) for name in names]
    parts = {form.given for form in forms if form.shape is NameShape.FULL and len(form.given) > 1}
    parts |= {part for form in forms if form.shape is NameShape.FOREIGN for part in _parts(form.text)}
    return [
        NameForm(f.text, NameShape.GIVEN, "", f.text)
        if f.shape in (NameShape.FULL, NameShape.NICKNAME) and f.text in parts
        else f
        for f in forms
    ]


@dataclass(slots=True)
class _Registers:
    """People indexed by the parts of their full names."""

    by_name: dict[str, ChinesePerson] = field(default_factory=dict)
    by_surname: dict[str, list[ChinesePerson]] = field(default_factory=lambda: defaultdict(list))
    by_given: dict[str, list[ChinesePerson]] = field(default_factory=lambda: defaultdict(list))
    by_titled: dict[str, list[ChinesePerson]] = field(default_factory=lambda: defaultdict(list))
    """七爷, for 赵七爷."""
    by_part: dict[str, list[ChinesePerson]] = field(default_factory=lambda: defaultdict(list))

    def add(self, form: NameForm, person: ChinesePerson) -> None:
        self.by_name.setdefault(form.text, person)
        if form.shape is NameShape.FULL:
            self.by_surname[form.surname].append(person)
            self.by_given[form.given].append(person)
        elif form.shape is NameShape.FOREIGN:
            for part in {part for part in _parts(form.text) if len(part) > 1}:
                self.by_part[part].append(person)
        elif form.shape is NameShape.GIVEN:
            self.by_given[form.given].append(person)
        elif form.surname and form.given and form.title:
            self.by_titled[form.given + form.title].append(person)


def _parts(name: str) -> list[str]:
    return "".join(sign if sign.isalnum() else " " for sign in name).split()


def _settle(cast: ChineseCast, form: NameForm, registers: _Registers, counts: Mapping[str, int]) -> None:
    known = _bearers(form, registers)
    if known is None:
        registers.add(form, cast.enter(form))
        return
    people, confidence, evidence = known
    fitting = [p for p in people if not (p.gender and form.gender and p.gender != form.gender)]
    fitting = often_enough(fitting, counts, _SELDOM)
    loose = form.shape is NameShape.NICKNAME or (form.shape is NameShape.TITLED and not form.given)
    if len(fitting) == 1:
        cast.give(fitting[0], form, confidence, evidence)
    elif fitting and not loose:
        cast.options[form.text] = tuple(p.number for p in fitting)
    else:
        person = cast.enter(form)
        for other in fitting[:_DOUBTS_EACH]:
            cast.doubt(person, other, _DOUBTED / len(fitting), "same surname, and others have it too")
        if not loose:
            registers.add(form, person)


def often_enough(
    people: Sequence[ChinesePerson], counts: Mapping[str, int], share: float
) -> list[ChinesePerson]:
    """Return those of some people with one surname or given name who are not far rarer than another."""
    most = max((_count(person, counts) for person in people), default=0)
    return [person for person in people if _count(person, counts) > share * most]


def _count(person: ChinesePerson, counts: Mapping[str, int]) -> int:
    return sum(counts.get(form.text, 0) for form in person.forms)


def _bearers(form: NameForm, registers: _Registers) -> tuple[list[ChinesePerson], float, str] | None:
    """Return the people whose name it may be, with confidence and reason, or None if it is nobody's yet."""
    found: list[ChinesePerson] = []
    reason, confidence = "", 0.0
    if form.text.endswith("儿") and form.text[:-1] in registers.by_name:
        return [registers.by_name[form.text[:-1]]], _SUFFIXED, "the same name with 儿"
    if form.shape is NameShape.GIVEN:
        found, confidence, reason = registers.by_given.get(form.given, []), _GIVEN, "given name"
        if not found:
            found, confidence, reason = registers.by_part.get(form.text, []), _FOREIGN, "part of the name"
    elif form.shape is NameShape.TITLED and form.given and not form.own:
        base = form.text[: -len(form.title)]
        known = registers.by_name.get(base)
        found = [known] if known else registers.by_given.get(base, []) or registers.by_part.get(base, [])
        found = found or registers.by_titled.get(form.text, [])
        confidence, reason = _SUFFIXED, "the same name with a title"
    elif form.shape is NameShape.TITLED and not form.own:
        found, confidence, reason = (
            registers.by_surname.get(form.surname, []),
            _TITLED,
            "the only such surname",
        )
    elif form.shape is NameShape.NICKNAME and form.surname:
        found = registers.by_surname.get(form.surname, [])
        confidence, reason = _NICKNAMED, "the only such surname"
    return (found, confidence, reason) if found else None


def _doubt_nicknames(cast: ChineseCast, registers: _Registers) -> None:
    """Record doubts.

    阿贵 may be a pet name of 李贵, and a name with a title may belong to somebody with another name.
    """
    ends: dict[str, list[ChinesePerson]] = defaultdict(list)
    for given, people in registers.by_given.items():
        ends[given[-1:]] += people
    titled: dict[str, list[ChinesePerson]] = defaultdict(list)
    for person in cast.people:
        form = person.forms[0]
        if form.shape is NameShape.NICKNAME and form.text[0] in "阿小":
            for other in ends.get(form.given, [])[:_DOUBTS_EACH]:
                cast.doubt(person, other, _DOUBTED, "a pet name of its last character")
        if form.shape in (NameShape.TITLED, NameShape.NICKNAME) and form.surname:
            same = titled[form.surname]
            fitting = [p for p in same if not (p.gender and person.gender and p.gender != person.gender)]
            for other in fitting[:_DOUBTS_EACH]:
                cast.doubt(person, other, _DOUBTED / 2, "the same surname under another title")
            if len(same) < _DOUBTS_EACH:
                same.append(person)


def gender_of_given(given: str) -> str | None:
    """Return the gender that the characters of a given name suggest, or None if none or both."""
    she = sum(sign in signs("chinese_given_she") for sign in given)
    he = sum(sign in signs("chinese_given_he") for sign in given)
    return "she" if she > he else "he" if he > she else None
