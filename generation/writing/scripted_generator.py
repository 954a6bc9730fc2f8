"""A test double, registered like any other generator, that writes fixed sentences of which one is false.

It never checks facts, so a judge of its answers must find what is wrong with them.
"""

from __future__ import annotations

from coref.types import Character
from generation.story.cast import cast_of
from generation.types import AnswerLimits, Citation, Draft, Prompt, Sentence, Task, Usage
from generation.writing.modelless import Modelless

NAME = "scripted/1"


class ScriptedGenerator(Modelless):
    name = NAME

    def draft(self, prompt: Prompt, limits: AnswerLimits) -> Draft:
        made = [s for character in prompt.context.people for s in _script(character, prompt)]
        if limits.words < 20 and prompt.task is not Task.JOINT:
            made = made[:1]
        words = sum(len(s.text.split()) for s in made)
        usage = Usage(prompt_tokens=len(prompt.passages), completion_tokens=words, calls=1)
        return Draft(tuple(made), usage)


def _script(character: Character, prompt: Prompt) -> list[Sentence]:
    """Return one true sentence, one that the book contradicts, and one that the book says nothing about."""
    cast = cast_of(prompt.context.book, prompt.context.annotations)
    paragraphs = [prompt.context.book.paragraphs[at] for at in cast.paragraphs_of(character.id)]
    first = paragraphs[0].chapter if paragraphs else 0
    cited = tuple(Citation(p.span, p.chapter) for p in paragraphs[:1])
    name, about = character.name, (character.id,)
    return [
        Sentence(f"{name} first appears in chapter {first + 1}.", cited, None, about),
        Sentence(f"{name} first appears in chapter {first + 1001}.", cited, None, about),
        Sentence(f"{name} flew to the moon on a copper zeppelin.", (), None, about),
    ]
