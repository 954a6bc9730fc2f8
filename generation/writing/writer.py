"""The generator for any language model: what to show it, what to ask, and how to use its answer."""

from __future__ import annotations

from generation.errors import PromptTooLong
from generation.models.protocols import LanguageModel, Notebook
from generation.protocols import Audience
from generation.types import AnswerLimits, Draft, Plan, Prompt, Task
from generation.writing.answer_sizes import PASSAGES, answer_tokens
from generation.writing.assignment import Assignment
from generation.writing.message_rendering import outline
from generation.writing.request_rounds import remaining, run
from generation.writing.strategies import way_of
from generation.writing.templating import Templates

_TYPICAL_CAST = 5
"""Number of people assumed for a joint description if it is not known."""


class PortraitWriter:
    def __init__(
        self, model: LanguageModel, *, templates: Templates | None = None, notebook: Notebook | None = None
    ) -> None:
        """`notebook` keeps what is written for summaries and recaps, which take many requests."""
        self.model = model
        self._templates = templates or Templates.load()
        self._notebook = notebook

    def remembering(self, notebook: Notebook) -> PortraitWriter:
        """Return the same writer with a notebook."""
        return PortraitWriter(self.model, templates=self._templates, notebook=notebook)

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def prompts(self) -> str | None:
        return self._templates.hash

    def count_tokens(self, text: str) -> int:
        return self.model.count_tokens(text)

    def room(self, task: Task, limits: AnswerLimits) -> int | None:
        people = _TYPICAL_CAST if task is Task.JOINT else 1
        asked = outline(task, templates=self._templates, words=limits.words, people=people)
        taken = self.model.count_prompt(asked) + answer_tokens(limits.words, people)
        return max(0, int((self.model.context - taken) * PASSAGES))

    def plan(self, prompt: Prompt, limits: AnswerLimits) -> Plan:
        """Return the most that `generate` costs if the model does well.

        Further requests come on top: a draft that is not fit is requested once more, and a cast with wrong
        entries in smaller groups. What the notebook has costs nothing.
        """
        assignment = self._assign(prompt, limits)
        planned = way_of(assignment).plan()
        if self._notebook is None:
            return planned
        work = way_of(assignment).write()
        return remaining(planned, work, model=self.model, notebook=self._notebook)

    def generate(self, prompt: Prompt, limits: AnswerLimits, *, audience: Audience | None = None) -> Draft:
        context = self.model.context
        try:
            return self._write(prompt, limits, audience)
        except PromptTooLong as error:
            # A server may take less than was known, and say so only now. The prompt is fitted once more.
            if self.model.context >= context:
                raise
            if audience is not None:
                audience.again(error.detail)
            return self._write(prompt, limits, audience)

    def _write(self, prompt: Prompt, limits: AnswerLimits, audience: Audience | None) -> Draft:
        work = way_of(self._assign(prompt, limits)).write()
        return run(work, model=self.model, limits=limits, audience=audience, notebook=self._notebook)

    def _assign(self, prompt: Prompt, limits: AnswerLimits) -> Assignment:
        return Assignment(prompt, limits, self.model, self._templates)
