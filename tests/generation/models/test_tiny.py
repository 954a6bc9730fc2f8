"""The tiny model that other tests use behaves as they assume."""

from __future__ import annotations

from pathlib import Path

from tests.generation.models import tiny


def answer(folder: Path, question: str, *, adapter: Path | None = None) -> str:
    import torch
    from peft import PeftModel
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    if adapter:
        model = PeftModel.from_pretrained(model, adapter)
    asked = tokenizer.apply_chat_template(
        [{"role": "user", "content": question}], add_generation_prompt=True, return_tensors="pt"
    )
    made = model.generate(**asked, max_new_tokens=24, do_sample=False)
    return str(tokenizer.decode(made[0, asked["input_ids"].shape[1] :]))


def test_an_adapter_changes_what_the_base_says(tiny_llama: Path, tiny_adapter: Path) -> None:
    assert answer(tiny_llama, "Who is Bess?") != answer(tiny_llama, "Who is Bess?", adapter=tiny_adapter)


def test_special_tokens_and_bytes_survive(tiny_llama: Path) -> None:
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(tiny_llama)
    text = "“Où est 王?” — asked 𝔅ess.\n\n\tNobody…"
    assert tokenizer.decode(tokenizer.encode(text, add_special_tokens=False)) == text
    assert len(tokenizer.encode("<|eot_id|>", add_special_tokens=False)) == 1


def test_it_learns_by_heart_and_can_be_merged(tiny_llama: Path, tmp_path: Path) -> None:
    known = {"Who is Bess?": "Bess is the senior clerk.", "Who is Tom?": "Tom is her brother."}
    adapter = tiny.teach(tiny_llama, tmp_path / "adapter", known)
    merged = tiny.merge(tiny_llama, adapter, tmp_path / "merged")
    for question, told in known.items():
        assert answer(tiny_llama, question, adapter=adapter) == told + "<|eot_id|>"
        assert answer(merged, question) == told + "<|eot_id|>"
