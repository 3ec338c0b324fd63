"""`bpe-lab`, or `python -m ui`: starts the app, and has the commands of `python -m bpe_core`.

Imports Streamlit only for `run`: the other commands need the core alone.
"""

from __future__ import annotations

import sys
from functools import partial

from bpe_core import BpeError
from bpe_core.cli import main as run_command
from bpe_core.cli.arguments import Commands
from bpe_core.language import _, add_catalogues, message
from ui.session.folders import CATALOGUE_FOLDER


def main() -> int:
    """Run one command and return its exit code."""
    add_catalogues(CATALOGUE_FOLDER)
    arguments, options = sys.argv[1:], []
    if arguments[:1] == ["run"] and arguments[1:] not in (["--help"], ["-h"]):
        arguments, options = arguments[:1], arguments[1:]
    return run_command(arguments, program="bpe-lab", add_commands=partial(_add_run, options))


def _add_run(options: list[str], commands: Commands) -> None:
    about = _("Start the app and open it in the browser.")
    command = commands.add_parser("run", help=about, description=about)
    known = _("options of streamlit run, such as --server.port 8600; paths among them must be absolute")
    command.add_argument("options", nargs="*", metavar="OPTION", help=known)
    command.set_defaults(run=lambda _asked: _run(options))


def _run(options: list[str]) -> None:
    try:
        from ui.serving import serve
    except ModuleNotFoundError as error:
        raise BpeError(
            message("The library {library} is not installed.", library=error.name or "streamlit"),
            limit=message("The app needs it; the other commands do not."),
            remedy=message("Install the extra app: pip install '.[app]' in the project's folder."),
        ) from None
    serve.main(options)


if __name__ == "__main__":
    sys.exit(main())
