"""Train an adapter for MiniLM."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import torch
from torch import Tensor, nn

from retrieval.embedders.adapters import ADAPTED, DOWN, UP

_SCALE: Final = 2
"""What the product of the two matrices is multiplied by."""
_CLIPPED: Final = 1.0


class AdaptedEncoder(nn.Module):
    """MiniLM with matrices to be learnt beside its own."""

    def __init__(self, folder: Path, *, rank: int, dropout: float = 0.0) -> None:
        """`rank` is the width of the two matrices that are learnt for each matrix of the encoder."""
        from peft import LoraConfig, get_peft_model
        from transformers import AutoModel

        super().__init__()
        base = AutoModel.from_pretrained(folder, local_files_only=True)
        adapter = LoraConfig(
            r=rank, lora_alpha=_SCALE * rank, target_modules=list(ADAPTED), lora_dropout=dropout
        )
        self.width = int(base.config.hidden_size)
        self.encoder = get_peft_model(base, adapter)

    def forward(self, pieces: Tensor) -> Tensor:
        hidden: Tensor = self.encoder(input_ids=pieces, attention_mask=(pieces > 0).long()).last_hidden_state
        return hidden

    def adapter(self) -> dict[str, Tensor]:
        """Return the learnt weights by the names of the matrices that they are added to."""
        found = {}
        for name, tensor in self.encoder.state_dict().items():
            for part, ending in ((".lora_A.default.weight", DOWN), (".lora_B.default.weight", UP)):
                if name.endswith(part):
                    place = name.removeprefix("base_model.model.").removesuffix(part)
                    found[f"{place}.weight{ending}"] = tensor * _SCALE if ending == UP else tensor
        return {name: tensor.detach().clone() for name, tensor in found.items()}


class AdapterSteps:
    """Takes one step after the other, with a rate that rises and then falls."""

    def __init__(self, network: nn.Module, steps: int, *, rate: float, decay: float, warm: int) -> None:
        """`warm` are the steps in which the rate rises."""
        self._learnt = [p for p in network.parameters() if p.requires_grad]
        self._optimiser = torch.optim.AdamW(self._learnt, lr=rate, weight_decay=decay)
        self._rate, self._warm, self._all = rate, warm, max(1, steps)
        self._done = 0

    def __call__(self, loss: Tensor) -> None:
        rise, fall = (self._done + 1) / self._warm, 1.05 - self._done / self._all
        for group in self._optimiser.param_groups:
            group["lr"] = self._rate * min(1.0, rise, fall)
        self._optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self._learnt, _CLIPPED)
        self._optimiser.step()
        self._done += 1
