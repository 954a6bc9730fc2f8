"""How many calls run side by side is learnt from the server."""

from __future__ import annotations

import threading
import time

import pytest

from generation.errors import ModelServerFailed, WritingCancelled
from generation.models.openai.learnt_slots import LearntSlots
from generation.models.openai.parallel_calls import Switch
from tests.failing import fails
from tests.generation.models.openai.conftest import Make, ask
from tests.generation.models.openai.fake import ANSWER, Fake, Handler, Reply, Seen, error, says, silent


def one_at_a_time(seconds: float, text: str = ANSWER) -> Reply:
    """A server with one slot: the other calls wait without a byte."""
    slot = threading.Lock()

    def reply(handler: Handler, seen: Seen) -> None:
        with slot:
            time.sleep(seconds)
            says(text)(handler, seen)

    return reply


def test_a_server_with_one_slot_answers_many_calls(fake: Fake, make: Make) -> None:
    """Side by side the last of eight would wait for 1.6 seconds, and one second is too long."""
    fake.reply(one_at_a_time(0.2))
    got = make(timeout=1.0, concurrency=8).complete([ask(str(n)) for n in range(8)])
    assert [each.text for each in got] == [ANSWER] * 8
    assert fake.peak == 2


def test_a_server_that_begins_soon_gets_more(fake: Fake, make: Make) -> None:
    fake.reply(says("one two three four five", pause=0.05))
    make(timeout=5.0, concurrency=6).complete([ask(str(n)) for n in range(24)])
    assert 4 <= fake.peak <= 6


def test_a_server_that_is_silent_with_one_call_is_down(fake: Fake, make: Make) -> None:
    fake.reply(silent)
    with fails(ModelServerFailed, match="silent"):
        make(timeout=0.2, attempts=2).complete([ask()])
    assert len(fake.asked()) == 1


def test_a_server_that_refuses_a_second_call_gets_one_at_a_time(fake: Fake, make: Make) -> None:
    lock, answered, refused = threading.Lock(), list[Handler](), list[Seen]()

    def reply(handler: Handler, seen: Seen) -> None:
        with lock:
            taken = any(each in fake.open for each in answered)
            if taken:
                refused.append(seen)
            else:
                answered.append(handler)
        if taken:
            return error(429, "one at a time", Retry_After="0.3")(handler, seen)
        return says(pause=0.01)(handler, seen)

    fake.reply(reply)
    got = make(concurrency=8).complete([ask(str(n)) for n in range(8)])
    assert [each.text for each in got] == [ANSWER] * 8
    assert len(refused) <= 2, "more are not tried again at once"


def test_fewer_are_allowed_after_silence() -> None:
    slots, switch = LearntSlots(8, timeout=60), Switch()
    with slots.slot(switch):
        assert not slots.was_silent(), "nobody else is there to wait for"
        with slots.slot(switch):
            assert slots.was_silent()
    switch.turn_off()
    with slots.slot(switch), pytest.raises(WritingCancelled), slots.slot(switch):
        pass


def test_more_are_allowed_only_if_all_were_needed() -> None:
    slots, switch = LearntSlots(3, timeout=60), Switch()
    with slots.slot(switch):
        slots.began(0.1)
        with slots.slot(switch):
            slots.began(30.0)
            slots.began(0.1)
            with slots.slot(switch):
                slots.began(0.1)
                switch.turn_off()
                with pytest.raises(WritingCancelled), slots.slot(switch):
                    pass
