"""What can go wrong between evidence and an answer."""

from __future__ import annotations

from books.errors import BookwormError


class GeneratorUnavailable(BookwormError):
    code = "generator_unavailable"
    remedy = "Choose the `offline` generator, or run `bookworm doctor` to see what this one lacks."


class JudgeUnavailable(BookwormError):
    code = "judge_unavailable"
    remedy = "Choose the `offline` judge, or run `bookworm doctor` to see what this one lacks."


class NotYetMet(BookwormError):
    """The character exists, but only past the spoiler gate."""

    code = "not_yet_met"
    remedy = "Read on, or move the gate."
