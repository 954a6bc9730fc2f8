"""OpenVINO without its telemetry, which would report each import to its makers over the network.

Nothing leaves the machine of a reader. OpenVINO works without the package that reports, so Python is told
that there is none. Only this module may import OpenVINO.
"""

from __future__ import annotations

import sys

sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]

import openvino as ov  # noqa: E402
from openvino import opset13 as ops  # noqa: E402

__all__ = ["ops", "ov"]
