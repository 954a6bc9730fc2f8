"""What is learnt about a server: how long a prompt may be, and how it counts tokens."""

from __future__ import annotations

import time
from typing import Any

import pytest

from generation.errors import ModelServerFailed
from generation.models.openai import server as server_module
from generation.models.openai.token_estimate import estimate, estimate_prompt
from generation.types import Task
from tests.generation.models.openai.conftest import Ear, Make, ask
from tests.generation.models.openai.fake import Fake, Handler, Seen, drip_headers, error, raw, silent, status

TEXT = "Bess Farrow came by the morning train."
MESSAGES = ask().messages


def vllm_tokenize(handler: Handler, seen: Seen) -> None:
    body = seen.body
    if "messages" in body:
        said = " ".join(m["content"] for m in body["messages"])
        told: dict[str, Any] = {"count": 100 + len(said.split()), "max_model_len": 4096}
    elif "prompt" in body:
        told = {"count": len(body["prompt"].split()), "max_model_len": 4096}
    else:
        return status(400, {"error": {"message": "no prompt"}})(handler, seen)
    return status(200, told)(handler, seen)


def llama_cpp_tokenize(handler: Handler, seen: Seen) -> None:
    extra = ["<s>"] if seen.body.get("add_special") else []
    status(200, {"tokens": extra + seen.body.get("content", "").split()})(handler, seen)


def test_what_is_set_is_not_asked(fake: Fake, make: Make) -> None:
    assert make(context=1234).context == 1234
    assert not fake.seen


@pytest.mark.parametrize("name", ["max_model_len", "context_length", "context_window", "max_input_tokens"])
def test_the_list_of_models_tells(fake: Fake, make: Make, name: str) -> None:
    listed = [{"id": "other", name: 1}, {"id": "llama-3", name: 4096}]
    fake.reply(status(200, {"data": listed}), path="/v1/models")
    model = make()
    assert model.context == model.context == 4096
    assert len(fake.seen) == 1, "asked once"


@pytest.mark.parametrize(("said", "waits"), [("Loading model", True), ("Out of order", False)])
def test_a_server_that_is_loading_its_model_is_waited_for(
    fake: Fake, make: Make, monkeypatch: pytest.MonkeyPatch, said: str, waits: bool
) -> None:
    monkeypatch.setattr(server_module, "LOADING_PAUSE", 0.01)
    fake.reply(
        *[status(503, {"error": {"code": 503, "message": said, "type": "unavailable_error"}})] * 3,
        status(200, {"data": [{"id": "only"}]}),
        path="/v1/models",
    )
    model = make(model=None)
    if waits:
        assert "only" in model.name
    else:
        with pytest.raises(ModelServerFailed):
            _ = model.name


def test_an_adapter_has_its_bases_context(fake: Fake, make: Make) -> None:
    listed = [
        {"id": "base", "max_model_len": 4096},
        {"id": "llama-3", "parent": "base", "max_model_len": None},
    ]
    fake.reply(status(200, {"data": listed}), path="/v1/models")
    assert make().context == 4096


def test_the_smallest_of_several(fake: Fake, make: Make) -> None:
    listed = [{"id": "llama-3", "max_model_len": 9000}, {"id": "essays", "max_model_len": 3000}]
    fake.reply(status(200, {"data": listed}), path="/v1/models")
    assert make(models={"analysis": "essays"}).context == 3000
    assert make(models={t.value: "llama-3" for t in Task}, model="essays").context == 9000


def test_llama_cpp_tells_what_a_slot_takes(fake: Fake, make: Make) -> None:
    fake.reply(status(200, {"data": [{"id": "llama-3", "meta": {"n_ctx_train": 131072}}]}), path="/v1/models")
    fake.reply(status(200, {"default_generation_settings": {"n_ctx": 2048}}), path="/props")
    assert make().context == 2048


def test_lm_studio_tells_what_a_loaded_model_takes(
    fake: Fake, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until it is loaded, what LM Studio loads a model with by default is reckoned with."""
    monkeypatch.setattr("generation.models.openai.server_knowledge.REST", 0.0)
    other = {"id": "other", "max_context_length": 32768, "loaded_context_length": 512}
    mine = {"id": "llama-3", "state": "not-loaded", "max_context_length": 131072}
    loaded = {**mine, "state": "loaded", "loaded_context_length": 16384}
    fake.reply(*(status(200, {"data": [other, one]}) for one in (mine, loaded)), path="/api/v0/models")
    model = make()
    assert (model.context, model.context) == (4096, 16384)


def test_ollama_tells_what_a_loaded_model_takes(fake: Fake, make: Make) -> None:
    loaded = {
        "models": [
            {"name": "other", "context_length": 1},
            {"name": "llama-3:latest", "context_length": 32768},
        ]
    }
    fake.reply(status(200, loaded), path="/api/ps")
    assert make().context == 32768


@pytest.mark.parametrize(
    ("parameters", "most", "context"),
    [
        ('stop "<|eot|>"\nnum_ctx                        16384', 131072, 16384),
        ("num_ctx 16384", 8192, 8192),
        ("", 131072, 4096),
        ("", 2048, 2048),
    ],
)
def test_ollama_tells_what_is_set_for_a_model(
    fake: Fake, make: Make, parameters: str, most: int, context: int
) -> None:
    """Ollama does not give a model all the context it could take, nor more, and cuts longer prompts without
    notice.
    """
    info = {"general.architecture": "llama", "llama.context_length": most}
    shown = {"parameters": parameters, "model_info": info}
    fake.reply(status(200, {"models": []}), path="/api/ps")
    fake.reply(status(200, shown), path="/api/show")
    assert make().context == context
    assert fake.asked("/api/show")[0].body == {"model": "llama-3"}


def test_what_ollama_gives_is_known_better_once_a_model_is_loaded(
    fake: Fake, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("generation.models.openai.server_knowledge.REST", 0.1)
    fake.reply(status(200, {"parameters": "", "model_info": {}}), path="/api/show")
    model = make()
    assert model.context == model.context == 4096
    assert len(fake.asked("/api/show")) == 1
    fake.reply(status(200, {"models": [{"name": "llama-3", "context_length": 32768}]}), path="/api/ps")
    time.sleep(0.15)
    assert model.context == 32768


def test_nobody_tells(fake: Fake, make: Make) -> None:
    assert make().context == 8192


@pytest.mark.parametrize(
    "reply", [raw(b"<html>"), raw(b"[]"), status(200, {"data": 7, "models": 7}), raw(b"")]
)
def test_nonsense_tells_nothing(fake: Fake, make: Make, reply: Any) -> None:
    for path in ("/v1/models", "/props", "/api/ps", "/api/show", "/tokenize", "/apply-template"):
        fake.reply(reply, path=path)
    model = make()
    assert model.context == 8192
    assert model.count_tokens(TEXT) == estimate(TEXT)
    assert model.count_prompt(MESSAGES) == estimate_prompt(MESSAGES)


@pytest.mark.parametrize("reply", [silent, drip_headers])
def test_asking_takes_no_longer_than_it_may(
    fake: Fake, make: Make, reply: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module, "SECONDS", 0.3)
    for path in ("/v1/models", "/props", "/tokenize"):
        fake.reply(reply, path=path)
    model, begun = make(), time.monotonic()
    assert model.context == 8192
    assert model.count_tokens(TEXT) == estimate(TEXT)
    assert time.monotonic() - begun < 12, "the server would take twenty seconds"
    assert len(fake.seen) == 2, "a server that does not tell is left alone for a while"


def test_what_was_not_told_is_asked_again_later(
    fake: Fake, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("generation.models.openai.server_knowledge.REST", 0.0)
    fake.reply(
        error(503, "busy"), status(200, {"default_generation_settings": {"n_ctx": 2048}}), path="/props"
    )
    model = make()
    assert model.context == 8192
    assert model.context == 2048


def test_vllm_counts(fake: Fake, make: Make) -> None:
    fake.reply(vllm_tokenize, path="/tokenize")
    model = make()
    assert model.count_tokens(TEXT) == 7
    assert model.count_prompt(MESSAGES) == 107
    asked = fake.asked("/tokenize")[-2:]
    assert asked[0].body == {"model": "llama-3", "prompt": TEXT, "add_special_tokens": False}
    assert asked[1].body["add_generation_prompt"] is True


def test_llama_cpp_counts(fake: Fake, make: Make) -> None:
    filled = "<|user|> Who is Bess? <|assistant|>"
    fake.reply(llama_cpp_tokenize, path="/tokenize")
    fake.reply(status(200, {"prompt": filled}), path="/apply-template")
    model = make()
    assert model.count_tokens(TEXT) == 7
    assert model.count_prompt(MESSAGES) == 6
    assert fake.asked("/apply-template")[0].body["messages"][1] == {"role": "user", "content": "Who is Bess?"}


def test_a_text_is_counted_once(fake: Fake, make: Make) -> None:
    fake.reply(vllm_tokenize, path="/tokenize")
    model = make()
    model.count_tokens(TEXT)
    before = len(fake.seen)
    assert [model.count_tokens(TEXT) for _ in range(5)] == [7] * 5
    assert len(fake.seen) == before
    assert model.count_tokens("") == 0


def test_a_server_without_a_tokenizer_is_asked_for_one_once(fake: Fake, make: Make) -> None:
    model = make()
    for n in range(5):
        model.count_tokens(f"{TEXT} {n}")
    model.count_prompt(MESSAGES)
    assert len(fake.seen) == 2, "once as vLLM, once as llama.cpp"


def test_a_tokenizer_that_fails_once_in_a_while(
    fake: Fake, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("generation.models.openai.server_knowledge.REST", 0.0)
    model = make()
    fake.reply(vllm_tokenize, path="/tokenize")
    assert model.count_tokens("Bess came.") == 2
    fake.reply(error(500, "oh"), path="/tokenize")
    assert model.count_tokens(TEXT) == estimate(TEXT)
    fake.reply(vllm_tokenize, path="/tokenize")
    assert model.count_tokens(TEXT) == 7, "the guess is not remembered"


def test_a_server_far_away_is_not_asked_for_every_text(fake: Fake, make: Make) -> None:
    def far(handler: Handler, seen: Seen) -> None:
        time.sleep(0.01)
        vllm_tokenize(handler, seen)

    fake.reply(far, path="/tokenize")
    model = make()
    counted = [model.count_tokens(f"{TEXT} {TEXT} {TEXT} ({n})") for n in range(60)]
    assert 20 <= len(fake.asked("/tokenize")) <= 23
    assert counted[:20] == [22] * 20
    assert all(22 <= n <= 26 for n in counted[20:]), "the guess, corrected by what the first ones had"
    assert model.count_prompt(MESSAGES) == 107, "a whole prompt is counted by the server"


def test_a_server_nearby_is_always_asked(fake: Fake, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generation.models.openai.server_knowledge.QUICK", 5.0)
    fake.reply(vllm_tokenize, path="/tokenize")
    model = make()
    assert [model.count_tokens("word " * n) for n in range(1, 60)] == list(range(1, 60))


def test_usage_is_the_servers_even_if_it_says_nothing_else(fake: Fake, make: Make) -> None:
    (got,) = make().complete([ask()], listener=Ear())
    assert got.usage.prompt_tokens == 40
    assert not fake.asked("/tokenize")
