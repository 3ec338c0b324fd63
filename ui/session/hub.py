"""Whether this server may ask the Hugging Face hub for a tokenizer, which it does only when a visitor says so.

BPE_LAB_HUB=off scripts/run
"""

from __future__ import annotations

from bpe_core.hub.switch import SETTING, is_allowed
from ui.memory.environment import setting

HUB_ALLOWED = setting(SETTING, is_allowed)
"""What holds for this server."""
