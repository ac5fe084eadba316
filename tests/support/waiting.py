"""How long a test waits for something that must happen."""

from __future__ import annotations

HANG_SECONDS = 180
"""Seconds after which a wait counts as hung. It only guards against waiting for ever, so it is far beyond what even a machine with
four times as much work as cores needs."""
