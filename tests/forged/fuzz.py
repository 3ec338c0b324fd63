"""Send forged messages to every page of a server and check their effects: python -m tests.forged.fuzz --help."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.browser.serving import Server, served_app
from tests.forged.forgery import EVENTS, Forger
from tests.forged.visitor import Run, Visitor, visiting
from ui.session.choices import PAGES
from ui.session.shared_view import SETTINGS

PATHS = tuple(PAGES)
UNKNOWN = ("", "no widget", "$$ID-0123-None", f"$$ID-{'x' * 70_000}-step", "$$STREAMLIT_INTERNAL_KEY", *EVENTS)
OF_LINKS = ("sample", "corpus", "file", "step", "forks", "lesson", "via", *SETTINGS)


def fuzz(server: Server, seed: int, rounds: int, pages: Sequence[str] = PATHS) -> list[str]:
    """Forbidden effects of `rounds` of forged messages to each page; empty if none."""
    found: list[str] = []
    with visiting(server.url) as witness, visiting(server.url) as honest:
        witness.open("encode")
        shown = witness.run().text()
        for page in pages:
            before = len(server.log_text())
            problems, changed = _fuzz_page(server, Forger(seed), page, rounds, honest)
            found += [f"{page}: {problem}" for problem in problems]
            log = server.log_text()[before:]
            if "Traceback" in log:
                found.append(f"{page}: a traceback in the log:\n{log[-8_000:]}")
            outcomes = (log.count("message was not taken"), log.count("values were left out"), changed)
            if min(outcomes) < rounds // 6:
                found.append(f"{page}: only {outcomes} of {rounds} messages refused, values left out, pages changed")
        if witness.run().text() != shown:
            found.append("another visitor's page changed")
    return found


def _fuzz_page(server: Server, forger: Forger, page: str, rounds: int, honest: Visitor) -> tuple[list[str], int]:
    """Forbidden effects, and how many of the runs changed the page."""
    path = "" if page == "train" else page
    found: list[str] = []
    changed = 0
    known = honest.open(path)
    strangers = [*UNKNOWN, *known.widgets()]
    names = [*OF_LINKS, *(choice.name for choice in PAGES[page])]
    for _ in range(max(1, rounds // 4)):
        with visiting(server.url) as visitor:  # its first message names widgets before any exist
            query = forger.query(names)
            found += _wrong(
                visitor.run(list(forger.values(known, UNKNOWN)), query=query, page_name=path, page_hash=""), query
            )
    with visiting(server.url) as visitor:
        visitor.open(path)
        for number in range(rounds):
            visitor.send(forger.message(honest.session))
            visitor.send(_of_no_fragment(visitor))
            visitor.answers()
            values = list(forger.values(visitor.page, strangers))
            fragment = forger.random.choice(("", *visitor.page.fragments.values()))
            before = visitor.page.text()
            found += _wrong(visitor.run(values, fragment=fragment), f"round {number}")
            changed += visitor.page.text() != before
    return found, changed


def _of_no_fragment(visitor: Visitor) -> BackMsg:
    message = BackMsg()
    message.rerun_script.page_script_hash = visitor.page_hash
    message.rerun_script.fragment_id = "no fragment"
    return message


def _wrong(run: Run, what: str) -> list[str]:
    return [f"{what}: {problem}" for problem in run.exceptions]


def main() -> None:
    """Start a server, fuzz it, print the findings."""
    parser = argparse.ArgumentParser(prog="python -m tests.forged.fuzz", description=main.__doc__)
    parser.add_argument("pages", nargs="*", choices=[*PATHS, []], help="all if none is named")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=200, help="messages to each page")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, served_app(Path(folder)) as server:
        found = fuzz(server, options.seed, options.rounds, options.pages or PATHS)
    print("\n".join(found) or "nothing found")
    raise SystemExit(bool(found))


if __name__ == "__main__":
    main()
