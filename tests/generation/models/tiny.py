"""A tiny model with Llama-3's architecture, and LoRA adapters of it: built by the tests, never downloaded.

Everything is as in the real ones (byte-level BPE, special tokens, chat template, grouped attention heads),
only small: some 156,000 random weights, far enough apart that the most likely token does not depend on
rounding.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import evaluation.novella

SPECIAL = (
    "<|begin_of_text|>",
    "<|end_of_text|>",
    "<|start_header_id|>",
    "<|end_header_id|>",
    "<|eot_id|>",
    "<|finetune_right_pad_id|>",
)
TEMPLATE = (
    "{{ bos_token }}"
    "{% for message in messages %}"
    "{{ '<|start_header_id|>' + message['role'] + '<|end_header_id|>\n\n' }}"
    "{{ message['content'] | trim }}{{ '<|eot_id|>' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{% endif %}"
)
WORDS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
"""How Llama 3 splits a text before it looks for pairs."""
CONTEXT = 1024
PROJECTIONS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")


def build(folder: Path, *, seed: int = 0, hidden: int = 64, context: int = CONTEXT) -> Path:
    """Build a base model with its tokenizer for `from_pretrained`. Another seed gives another model."""
    import torch
    from transformers import GenerationConfig, LlamaConfig, LlamaForCausalLM

    tokenizer = make_tokenizer()
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=hidden,
        intermediate_size=2 * hidden,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=context,
        initializer_range=0.25,
        tie_word_embeddings=False,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    model = LlamaForCausalLM(config)
    ends = [tokenizer.convert_tokens_to_ids(token) for token in ("<|end_of_text|>", "<|eot_id|>")]
    # `transformers serve` uses the temperature of a request only if the folder says that it samples.
    model.generation_config = GenerationConfig(
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=ends,
        pad_token_id=tokenizer.pad_token_id,
        do_sample=True,
        temperature=0.6,
        top_p=0.9,
    )
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def make_tokenizer() -> Any:
    """Make byte-level pairs learnt from the project's own novella, with Llama-3's special tokens."""
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(WORDS), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    raw.decoder = decoders.ByteLevel()
    raw.train_from_iterator(
        [evaluation.novella.path().read_text("utf-8")[:60_000]],
        trainers.BpeTrainer(
            vocab_size=640,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            special_tokens=list(SPECIAL),
            show_progress=False,
        ),
    )
    begin = SPECIAL[0]
    raw.post_processor = processors.TemplateProcessing(
        single=f"{begin} $A", special_tokens=[(begin, raw.token_to_id(begin))]
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=raw,
        bos_token=begin,
        eos_token="<|eot_id|>",
        pad_token="<|finetune_right_pad_id|>",
        extra_special_tokens=[token for token in SPECIAL if token not in (begin, "<|eot_id|>", SPECIAL[-1])],
        model_max_length=CONTEXT,
        clean_up_tokenization_spaces=False,
    )
    tokenizer.chat_template = TEMPLATE
    return tokenizer


def adapt(base: Path, folder: Path, *, seed: int = 1, strength: float = 0.2) -> Path:
    """Make a LoRA adapter of `base` in PEFT's own format. What it adds to every projection is random and
    large enough to change the answers. With `strength` 0 it adds nothing, like an adapter that was never
    trained.
    """
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import LlamaForCausalLM

    model = LlamaForCausalLM.from_pretrained(base, dtype=torch.float32, local_files_only=True)
    adapted = get_peft_model(model, LoraConfig(r=8, lora_alpha=16, target_modules=list(PROJECTIONS)))
    torch.manual_seed(seed)
    with torch.no_grad():
        for name, weight in adapted.named_parameters():
            if "lora_B" in name:
                weight.normal_(std=strength) if strength else weight.zero_()
    adapted.save_pretrained(folder)
    return folder


def teach(base: Path, folder: Path, answers: Mapping[str, str], *, steps: int = 50) -> Path:
    """Make a LoRA adapter that has memorised the answer to each question, and ends there."""
    import torch
    from peft import LoraConfig, get_peft_model
    from torch.nn.utils.rnn import pad_sequence
    from transformers import AutoTokenizer, LlamaForCausalLM

    tokenizer = AutoTokenizer.from_pretrained(base, local_files_only=True)
    torch.manual_seed(0)
    model = LlamaForCausalLM.from_pretrained(base, dtype=torch.float32, local_files_only=True)
    adapted = get_peft_model(model, LoraConfig(r=8, lora_alpha=16, target_modules=list(PROJECTIONS)))
    optimizer = torch.optim.AdamW([p for p in adapted.parameters() if p.requires_grad], lr=1e-2)
    wholes, targets = [], []
    for question, answer in answers.items():
        asked = [{"role": "user", "content": question}]
        told = [*asked, {"role": "assistant", "content": answer}]
        prompt = tokenizer.apply_chat_template(asked, add_generation_prompt=True)["input_ids"]
        whole = torch.tensor(tokenizer.apply_chat_template(told)["input_ids"])
        wholes.append(whole)
        targets.append(torch.cat([torch.full((len(prompt),), -100), whole[len(prompt) :]]))
    # No word sees what follows it, so what fills the shorter ones up needs no mask.
    batch = pad_sequence(wholes, batch_first=True, padding_value=tokenizer.pad_token_id)
    labels = pad_sequence(targets, batch_first=True, padding_value=-100)
    for _ in range(steps):
        adapted(input_ids=batch, labels=labels).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    adapted.save_pretrained(folder)
    return folder


def merge(base: Path, adapter: Path, folder: Path) -> Path:
    """Merge the adapter into the base, for servers that take no adapters."""
    import torch
    from peft import PeftModel
    from transformers import AutoTokenizer, LlamaForCausalLM

    model = LlamaForCausalLM.from_pretrained(base, dtype=torch.float32, local_files_only=True)
    PeftModel.from_pretrained(model, adapter).merge_and_unload().save_pretrained(folder)
    AutoTokenizer.from_pretrained(base, local_files_only=True).save_pretrained(folder)
    return folder
