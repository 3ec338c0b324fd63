"""Whether this server may ask the Hugging Face hub for a tokenizer, which it does only when a visitor says so.

BPE_LAB_HUB=off scripts/run
"""

from __future__ import annotations

import os

from bpe_core.hub.switch import SETTING, is_allowed

HUB_ALLOWED = is_allowed(os.environ.get(SETTING))
"""What holds for this server."""
