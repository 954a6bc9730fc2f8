"""Errors on the way from evidence to an answer."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from books.errors import BookwormError, EngineUnavailable
from generation.types import Usage

_log = logging.getLogger(__name__)

T = TypeVar("T")


def told_in_log(call: Callable[[], T]) -> T:
    """Return the result of the call. If it fails, the log says in full why, wherever the error goes."""
    try:
        return call()
    except BookwormError as error:
        if error.in_full is not None:
            _log.warning(error.in_full.detail)
        raise


class GeneratorUnavailable(EngineUnavailable):
    code = "generator_unavailable"
    remedy = "Choose the `offline` generator, or run `bookworm doctor` to see what this one lacks."
    plain = "The language model is not set up as it should be."
    plain_remedy = "Ask whoever runs this service, or do without a language model."


class JudgeUnavailable(EngineUnavailable):
    code = "judge_unavailable"
    remedy = "Choose the `offline` judge, or run `bookworm doctor` to see what this one lacks."
    plain = "The judge of facts is not set up as it should be."
    plain_remedy = "Choose the `offline` judge, or ask whoever runs this service."


class ExtractorUnavailable(EngineUnavailable):
    code = "extractor_unavailable"
    remedy = "Choose the `offline` extractor, or run `bookworm doctor` to see what this one lacks."
    plain = "The extractor of facts is not set up as it should be."


class ContextUnsupported(BookwormError):
    code = "context_unsupported"
    remedy = "Choose a model of Ollama, or start the other server with the context that you want."


class NotYetMet(BookwormError):
    """The character exists, but only past the spoiler gate."""

    code = "not_yet_met"
    remedy = "Check the spelling, or choose a later chapter when you have read on."


class StrategyUnsupported(BookwormError):
    code = "strategy_unsupported"
    remedy = "Omit the strategy, or choose a generator with a language model."


class SummaryMissing(BookwormError):
    code = "summary_missing"
    remedy = "Give the summary with the question, or choose another strategy."


class TemplatesInvalid(BookwormError):
    """A folder of prompt templates is incomplete, or a template can't be filled in."""

    code = "templates_invalid"
    remedy = "Start from the templates that come with Bookworm, and keep their placeholders."


class PromptTooLong(BookwormError):
    """Instructions and answer alone leave no room in the model's context."""

    code = "prompt_too_long"
    remedy = "Ask for fewer words or characters, or use a model with a longer context."


class DraftRejected(BookwormError):
    """What a model wrote, twice, is not fit to be shown."""

    code = "draft_rejected"
    remedy = "Ask with another seed or retriever, or choose the `offline` generator."
    retryable = True
    usage: Usage = Usage()
    """Tokens that were spent all the same."""
    unfounded: bool = False
    """Whether it is because nothing of what it says is found in the book."""


class BudgetExceeded(BookwormError):
    code = "budget_exceeded"
    remedy = "Allow more tokens, or ask for less. A dry run shows how many an answer needs."


class WritingCancelled(BookwormError):
    code = "writing_cancelled"
    remedy = "Ask again if you still want the answer."
    retryable = True

    def __init__(self, detail: str = "The answer was cancelled: nobody is waiting for it.") -> None:
        super().__init__(detail)


class ModelServerFailed(BookwormError):
    """A server of language models is down, busy, slow, or sends unreadable answers."""

    code = "model_server_failed"
    remedy = "Try again later, ask whoever runs this service, or do without a language model."
    retryable = True
