"""Train an adapter for MiniLM."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from torch import Tensor, nn

from retrieval.embedders.adapters import ADAPTED, DOWN, UP

_SCALE: Final = 2
"""What the product of the two matrices is multiplied by."""


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
