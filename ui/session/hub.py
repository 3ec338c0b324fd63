"""Whether this server may access the Hugging Face hub. It does so only at a visitor's request.

BPE_LAB_HUB=off scripts/run
"""

from __future__ import annotations

from bpe_core.hub.switch import SETTING, is_allowed
from ui.memory.environment import setting

HUB_ALLOWED = setting(SETTING, is_allowed)
"""The setting of this server."""
