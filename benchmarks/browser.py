"""Measure response times of the app in a headless Chromium, each against its limit.

python -m benchmarks.browser                 # on a megabyte of Python's standard library
python -m benchmarks.browser --corpus FILE   # on the first megabyte of your own text
python -m benchmarks.browser --only keys     # only some journeys: train, steps, scrub, keys, pastes, cold
python -m benchmarks.browser --write         # and write the table to docs/speed.md
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from playwright.sync_api import Browser

from benchmarks import corpus, journeys
from benchmarks.stopwatch import Landmark, Taken
from benchmarks.tables import SPEED, write_table
from tests.browser.serving import launched_chromium, served_app

BYTES = 1_000_000
JOURNEYS = ("train", "steps", "scrub", "keys", "pastes", "cold")


@dataclass(frozen=True)
class Line:
    """One line of the table, in milliseconds. `server`, `page`: mean CPU times, None where not measured."""

    what: str
    limit: float | None
    rounds: Sequence[float]
    server: float | None = None
    page: float | None = None
    by_landmark: str = ""

    @classmethod
    def of(cls, what: str, limit: float | None, taken: Sequence[Taken], first: Sequence[Landmark] = ()) -> Line:
        """`first`: the landmarks that count; all if empty."""
        landmarks = [
            f"{landmark} {_median(each.by_landmark[landmark] for each in taken):,.0f}"
            for landmark in taken[0].by_landmark
        ]
        landmarks.append(f"idle {_median(each.idle for each in taken):,.0f}")
        server, page = (statistics.fmean(values) for values in zip(*((t.server, t.page) for t in taken), strict=True))
        names = [landmark.name for landmark in first] or list(taken[0].by_landmark)
        painted = [max(each.by_landmark[name] for name in names) for each in taken]
        return cls(what, limit, painted, server, page, ", ".join(landmarks))

    @property
    def median(self) -> float:
        return statistics.median(self.rounds)

    @property
    def passes(self) -> str:
        if self.limit is None:
            return ""
        return "pass" if self.median <= self.limit else "**over**"


def main() -> None:
    """Run the journeys, print each line as it arrives, then the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.browser", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--rounds", type=int, default=9, help="of each line; the median counts")
    parser.add_argument("--cold-rounds", type=int, default=5, help="of the cold start")
    parser.add_argument("--corpus", help="a text in UTF-8 instead of Python's standard library")
    parser.add_argument("--only", nargs="+", choices=JOURNEYS, default=JOURNEYS, help="these journeys only")
    parser.add_argument("--write", action="store_true", help=f"write the table to docs/{SPEED.name}")
    options = parser.parse_args()
    text = _megabyte(corpus.files([options.corpus]) if options.corpus else corpus.standard_library())
    load_before = os.getloadavg()[0]
    lines = []
    with launched_chromium() as chromium:
        for line in _lines(chromium, text, options.only, options.rounds, options.cold_rounds):
            lines.append(line)
            print(
                f"{line.what}: {line.median:,.0f} ms, at most {_ms(line.limit) or 'any'} ({line.by_landmark})",
                flush=True,
            )
        facts = f"Chromium {chromium.version}, Streamlit {version('streamlit')}, Python {platform.python_version()}"
    load = f"load {load_before:.1f} before and {os.getloadavg()[0]:.1f} after, on {os.cpu_count()} cores"
    table = "\n".join(_report(lines, f"{platform.machine()}, {facts}; {load}."))
    print(f"\n{table}")
    if options.write:
        write_table("python -m benchmarks.browser", table)


def _lines(chromium: Browser, text: str, only: Sequence[str], rounds: int, cold_rounds: int) -> Iterator[Line]:
    with tempfile.TemporaryDirectory() as folder, served_app(Path(folder)) as server:
        if "train" in only:
            taken = journeys.train(chromium, server, text, rounds)
            yield Line.of("train 1 MB to 2,048 tokens, click to first picture, engine warm", 1_500, taken)
        if "steps" in only:
            nexts, slides = journeys.steps(chromium, server, text, rounds)
            for what, limit, steps in (
                ("next step, click to painted, 1 MB corpus", 150, nexts),
                ("any step by the slider, 1 MB corpus, 2,000 merges", 250, slides),
            ):
                yield Line.of(what, limit, steps, journeys.IN_SIGHT)
                yield Line.of("– the same until the cards below have followed", None, steps)
        if "scrub" in only:
            yield from _scrubbed(journeys.scrub(chromium, server, text, rounds))
        if "keys" in only:
            for name, title in (("Encode", "Encode"), ("Compare", "Compare, 3 tokenizers")):
                for size, length, limit in (("10,000 characters", 10_000, 60), ("1 MB", len(text), 120)):
                    for what, taken in journeys.edits(chromium, server, name, text[:length], rounds):
                        yield Line.of(f"{title}, {size}: {what} to painted spans", limit, taken)
        if "pastes" in only:
            into_encode, into_compare = journeys.pastes(chromium, server, text, rounds)
            yield Line.of("1 MB pasted into Encode: counts and first screen", 700, into_encode)
            yield Line.of("1 MB pasted into Compare, 3 tokenizers: counts and first screen", 1_000, into_compare)
        if "Traceback" in server.log_text():
            raise RuntimeError(f"the server failed meanwhile:\n{server.log_text()}")
    if "cold" in only:
        first, second = journeys.cold_starts(chromium, cold_rounds)
        yield Line("cold start of a fresh copy: command to the first answered click", 5_000, first)
        yield Line("second start of this copy: command to the first answered click", 2_000, second)


def _scrubbed(dragged: Sequence[journeys.Dragged]) -> Iterator[Line]:
    """Figures of a drag over 200 positions: median and 95th percentile of each round."""
    for what, limit, share in (("", 16.7, 0.5), (", the slowest in twenty", None, 0.95)):
        shown = [_quantile(each.shown, share) if each.shown else float("inf") for each in dragged]
        frames = [_quantile(each.frames, share) for each in dragged]
        yield Line(f"slider over 200 positions, 3,000 characters: position to spans{what}", limit, shown)
        yield Line(f"– a frame meanwhile{what}", limit, frames)
    painted = statistics.median(len(each.shown) for each in dragged)
    yield Line(f"– all of it; {painted:,.0f} of the 200 were painted", None, [each.took for each in dragged])
    yield Line("– from its end to the server's figures", None, [each.figures for each in dragged])


def _quantile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def _megabyte(texts: Iterable[str]) -> str:
    return "".join(texts).encode()[:BYTES].decode(errors="ignore")


def _report(lines: Sequence[Line], machine: str) -> Iterator[str]:
    yield "| what | median | at most | | worst | server computes | page computes |"
    yield "| --- | ---: | ---: | --- | ---: | ---: | ---: |"
    for line in lines:
        cells = (line.what, _ms(line.median), _ms(line.limit), line.passes)
        yield f"| {' | '.join(cells)} | {_ms(max(line.rounds))} | {_ms(line.server)} | {_ms(line.page)} |"
    yield ""
    rounds = sorted({len(line.rounds) for line in lines})
    yield (
        f"Medians of {' and '.join(map(str, rounds))} rounds, in headless Chromium, from the event to the frame after "
        f"the answer is drawn, by the page's own clock. {machine}"
    )


def _ms(milliseconds: float | None) -> str:
    return "" if milliseconds is None else f"{milliseconds:,.0f} ms"


def _median(values: Iterable[float]) -> float:
    return statistics.median(values)


if __name__ == "__main__":
    main()
