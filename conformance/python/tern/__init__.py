"""Tern 0.1, implemented from its specification alone.

`run` takes a whole file; `read_document` and `State` do the same step by step.
"""

from __future__ import annotations

from .document import Document, Record, read_document
from .messages import Limits, Outcome
from .result import Result, run
from .state import State

__all__ = ["Document", "Limits", "Outcome", "Record", "Result", "State", "read_document", "run"]
