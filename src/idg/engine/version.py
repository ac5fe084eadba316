"""The version of the engine's answers. Answers that are stored carry it, so that old ones are not taken for new ones."""

from __future__ import annotations

ENGINE_VERSION = "3"
"""Raised whenever the same question about the same program and books may get another answer."""
