"""Descriptions of several people in one answer, or in smaller groups if a model breaks the template.

All are requested together. If the answer breaks the template, they are requested five at a time, and the
groups that break it again one by one. Entries keep the requested order and names.
"""

from __future__ import annotations

from collections.abc import Sequence

from coref.types import Character
from generation.errors import DraftRejected, PromptTooLong
from generation.models.prompt_quoting import quoted_name, restored
from generation.models.types import Finish
from generation.types import Draft, Plan, Sentence, Task
from generation.writing.answer_faults import AnswerFault, faults
from generation.writing.answer_parsing import WrittenSection, said_in, sections
from generation.writing.answer_sizes import answer_tokens
from generation.writing.assignment import Assignment, Show
from generation.writing.attempts import Asking, Check, TextAsk, expectation, once, twice
from generation.writing.citations import attach
from generation.writing.passage_relevance import RelevanceReader
from generation.writing.prompt_fitting import FittedPrompt
from generation.writing.request_rounds import Steps, Work

FEW = 5
_PLAIN = (AnswerFault.EMPTY, AnswerFault.REFUSED, AnswerFault.CUT_OFF)
"""Faults that say more than that the template is broken."""
Group = tuple[Character, ...]


Failed = list[tuple[Group, AnswerFault]]


class JointAnswer:
    def __init__(self, assignment: Assignment, show: Show) -> None:
        self._to, self._show = assignment, show
        self._people = assignment.prompt.context.people
        self._bodies: dict[str, str] = {}
        """The texts of the entries written so far, by character id."""
        self._notes: list[str] = []

    def plan(self) -> Plan:
        """Return the cost if the first answer follows the template."""
        asks, _ = self._first_that_fit()
        prompts = sum(self._to.model.count_prompt(ask.shown.messages) for _, ask in asks)
        return Plan(len(asks), prompts, sum(ask.answer for _, ask in asks))

    def write(self) -> Work:
        asked, size = self._first_that_fit()
        if size < len(self._people):
            self._notes.append(f"Asked {_how(size)}: all together do not fit into the model's context.")
        self._notes += self._to.notes(max((ask.shown for _, ask in asked), key=lambda shown: shown.left_out))
        again: str | None = None
        while failed := (yield from self._round(asked, size=size, again=again)):
            size = FEW if size > FEW else 1
            again = f"Asked {_how(size)} for {_whom(failed)}: of an answer for more at once, {failed[0][1]}."
            self._notes.append(again)
            asked = [self._ask(part) for group, _ in failed for part in _parted(group, size)]
        return Draft(self._sentences(), notes=tuple(dict.fromkeys(self._notes)))

    def _round(
        self, asked: Sequence[tuple[Group, TextAsk]], *, size: int, again: str | None
    ) -> Steps[Failed]:
        """Ask for some groups and return those whose entries are not fit. One person is asked for twice."""
        asking: Asking = (twice if size == 1 else once)(
            self._to, [ask for _, ask in asked], heard=again is None, again=again
        )
        written = yield from asking
        failed: Failed = []
        for (group, _), one in zip(asked, written, strict=True):
            self._notes += one.notes
            # An unfinished answer of which the whole sentences were kept may have no entries.
            bodies = None if one.fault else entries(one.text, group)
            fault = one.fault or (AnswerFault.TEMPLATE if bodies is None else None)
            if fault is None:
                self._bodies.update(zip((c.id for c in group), bodies or [], strict=True))
            elif size == 1:
                raise DraftRejected(
                    f"The entry on {group[0].name} is not fit, even when asked for alone: {fault}."
                )
            else:
                failed.append((group, fault))
        return failed

    def _first_that_fit(self) -> tuple[list[tuple[Group, TextAsk]], int]:
        for size in dict.fromkeys((len(self._people), min(FEW, len(self._people)))):
            try:
                return [self._ask(group) for group in _parted(self._people, size)], size
            except PromptTooLong:
                continue
        return [self._ask(group) for group in _parted(self._people, 1)], 1

    def _ask(self, group: Group) -> tuple[Group, TextAsk]:
        words = self._to.limits.words
        answer = answer_tokens(words, len(group))
        everybody = len(group) == len(self._people)
        shown = self._show(self._to.sheet.task(words, group), answer, None if everybody else group)
        return group, TextAsk(shown, answer, words * len(group), Task.JOINT, self._check(shown, group))

    def _check(self, shown: FittedPrompt, group: Group) -> Check:
        """Return a check of each entry: two that both say there is too little evidence are no repetition."""
        expected = expectation(self._to, shown)

        def check(text: str, finish: Finish) -> AnswerFault | None:
            bodies = entries(text, group)
            if bodies is None:
                found = faults(text, finish, expected)
                return next((f for f in found if f in _PLAIN), AnswerFault.TEMPLATE)
            ends = [*[Finish.STOP] * (len(bodies) - 1), finish]
            every = (f for body, end in zip(bodies, ends, strict=True) for f in faults(body, end, expected))
            return next(every, None)

        return check

    def _sentences(self) -> tuple[Sentence, ...]:
        prompt, reader = self._to.prompt, RelevanceReader(self._to.prompt.context)
        said = {c.id: list(said_in(WrittenSection(c.name, self._bodies[c.id]))) for c in self._people}
        return tuple(
            sentence
            for c in self._people
            for sentence in attach(said[c.id], prompt, about=(c.id,), reader=reader)
        )


def entries(text: str, group: Group) -> list[str] | None:
    """Return the texts of the entries if they have exactly the requested names in order, else None."""
    found = sections(text)
    if len(group) == 1 and len(found) == 1 and found[0].heading is None:
        return [found[0].body]
    names = [_plain(section.heading or "") for section in found]
    if names != [_plain(restored(quoted_name(c.name))) for c in group]:
        return None
    return [section.body for section in found]


def _plain(name: str) -> str:
    return " ".join(name.casefold().replace("’", "'").strip(" :*").split())


def _parted(people: Group, size: int) -> list[Group]:
    return [people[at : at + size] for at in range(0, len(people), size)]


def _how(size: int) -> str:
    return "one by one" if size == 1 else "five at a time"


def _whom(failed: Failed) -> str:
    people = sum(len(group) for group, _ in failed)
    return "1 person" if people == 1 else f"{people} people"
