"""`bpe-lab`, or `python -m ui`: starts the app or writes its pages, and has the commands of `python -m bpe_core`.

Imports Streamlit only for the commands of this module: the others need the core alone.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial

from bpe_core import BpeError, CorpusError
from bpe_core.cli import main as run_command
from bpe_core.cli import values
from bpe_core.cli.arguments import Commands, page_options
from bpe_core.cli.pictures import page_languages, report_page
from bpe_core.cli.terminal import read_text
from bpe_core.errors import quoted
from bpe_core.language import _, add_catalogues, listed, message, translate
from bpe_core.page.html import Page, write_page
from ui.session.folders import CATALOGUE_FOLDER


def main() -> int:
    """Run one command and return its exit code."""
    add_catalogues(CATALOGUE_FOLDER)
    arguments, options = sys.argv[1:], []
    if arguments[:1] == ["run"] and arguments[1:] not in (["--help"], ["-h"]):
        arguments, options = arguments[:1], arguments[1:]
    return run_command(arguments, program="bpe-lab", add_commands=partial(_add_commands, options))


def _add_commands(options: list[str], commands: Commands) -> None:
    command = _command(commands, "run", _("Start the app and open it in the browser."), lambda _asked: _run(options))
    known = _("options of streamlit run, such as --server.port 8600; paths among them must be absolute")
    command.add_argument("options", nargs="*", metavar="OPTION", help=known)
    about = _("Train several algorithms on a text, and write a page that plays them without a server.")
    command = _page_command(commands, "page-algorithms", about, _page_of_algorithms)
    command.add_argument("file", metavar="FILE", help=_("a text file; - for stdin"))
    command.add_argument("--encoding", type=values.encoding, metavar="NAME", help=_("of the text (default: utf-8)"))
    names = _("bpe, picky, superbpe, boundlessbpe, wordpiece, unigram or sentencepiece; repeatable, at most four")
    command.add_argument("--algorithm", action="append", dest="algorithms", metavar="NAME", help=names)
    size = _("pieces of each vocabulary (default: as on Algorithms)")
    command.add_argument("--vocab-size", type=values.count, metavar="N", help=size)
    about = _("Write a lesson as a page that asks, waits for the answer and plays what the lesson opens.")
    command = _page_command(commands, "page-lesson", about, _page_of_lesson)
    command.add_argument("lesson", metavar="NAME", help=_("name of the lesson, as in its URL: lesson=NAME"))


def _command(
    commands: Commands, name: str, about: str, run: Callable[[argparse.Namespace], None]
) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=about, description=about)
    command.set_defaults(run=partial(_with_app, run))
    return command


def _page_command(
    commands: Commands, name: str, about: str, run: Callable[[argparse.Namespace], None]
) -> argparse.ArgumentParser:
    command = _command(commands, name, about, run)
    command.add_argument("--json", action="store_true", help=_("write the result as one line of JSON"))
    page_options(command)
    return command


def _with_app(run: Callable[[argparse.Namespace], None], asked: argparse.Namespace) -> None:
    """Run a command. Raises BpeError if a library of the app is missing."""
    try:
        run(asked)
    except ModuleNotFoundError as error:
        raise BpeError(
            message("The library {library} is not installed.", library=error.name or "streamlit"),
            limit=message("The app needs it; the other commands do not."),
            remedy=message("Install the extra app: pip install '.[app]' in the project's folder."),
        ) from None


def _run(options: list[str]) -> None:
    from ui.serving import serve

    serve.main(options)


def _page_of_algorithms(asked: argparse.Namespace) -> None:
    from ui.algorithms.as_page import trainings_page
    from ui.session.algorithms import TITLES

    names, page = trainings_page(read_text(asked.file, asked.encoding), asked.algorithms, asked.vocab_size)
    _write(asked, page, {"algorithms": list(names)}, translate(listed([TITLES[name] for name in names])))


def _page_of_lesson(asked: argparse.Namespace) -> None:
    from ui.lessons.as_page import lesson_page
    from ui.session.places import place

    shown = place(asked.lesson)
    if shown is None:
        raise CorpusError(
            message("{name} is not the name of a lesson.", name=quoted(asked.lesson)),
            limit=message("Only lessons that come with the app can be written as a page."),
            remedy=message("Open the lesson in the app: NAME is in its URL, after lesson=."),
        )
    _write(asked, lesson_page(shown), {"lesson": shown.lesson_name}, shown.lesson_name)


def _write(asked: argparse.Namespace, page: Callable[[], Page], facts: dict[str, object], contents: str) -> None:
    def titled(title: str) -> Page:
        made = page()
        return made._replace(title=title or made.title)

    write_page(asked.out, titled, title=asked.title, language=page_languages(asked))
    report_page(asked.out, facts, contents, as_json=asked.json)


if __name__ == "__main__":
    sys.exit(main())
