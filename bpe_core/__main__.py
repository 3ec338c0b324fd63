"""Entry point of `python -m bpe_core`: the command line."""

from __future__ import annotations

import sys

from bpe_core.cli import main

if __name__ == "__main__":
    sys.exit(main())
