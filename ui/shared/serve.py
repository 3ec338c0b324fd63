"""Start the server, what its first visitor would wait for already loaded: scripts/run does python -m ui.shared.serve.

`streamlit run app.py` serves the same app. It begins to load when the first visitor comes, though, and he waits.
"""

from __future__ import annotations

import sys
from importlib import import_module

from streamlit.web import cli

from ui.server.socket import read_messages_only
from ui.shared import startup
from ui.shared.kept_themes import keep_themes
from ui.shared.light_state import lighten_states
from ui.shared.served_files import serve_from_memory
from ui.shared.served_scripts import serve_scripts

FIRST_USED_BY_A_PAGE = ("pandas", "PIL.Image")
"""What Streamlit and the pages import only when they need it, and take long to."""

PATIENCE = 5
"""Seconds to wait for kernels and vocabularies. From disk they take one; kernels are compiled beside the server."""

LONGEST_TURN = 0.001
"""Seconds after which a thread that computes lets another one run, above all the one that sends what is ready to the
browsers. Python's own 5 ms are many steps of a class in a row."""


def main(arguments: list[str]) -> None:
    """Serve the app in the current folder until it is stopped; `arguments` are those of `streamlit run app.py`."""
    for module in FIRST_USED_BY_A_PAGE:
        import_module(module)
    startup.prepare().join(PATIENCE)
    serve_from_memory()
    read_messages_only()
    serve_scripts()
    lighten_states()
    keep_themes()
    sys.setswitchinterval(LONGEST_TURN)
    cli.main(["run", "app.py", *arguments], prog_name="streamlit")


if __name__ == "__main__":
    main(sys.argv[1:])
