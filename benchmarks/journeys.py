"""User journeys behind each line of the speed table, and the landmarks that identify the response."""

from __future__ import annotations

import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect

from benchmarks.stopwatch import PATIENCE, Landmark, Stopwatch, Taken
from tests.browser.helpers import open_page, wait_until_idle
from tests.browser.serving import PROJECT, Server, served_app

SCRUB = Path(__file__).with_name("scrub.js")
POSITIONS = 200
VIEWPORT = {"width": 1280, "height": 900}
NOT_IN_A_CHECKOUT = shutil.ignore_patterns(".*_cache", "__pycache__", ".git", ".venv", ".hypothesis", "node_modules")
_KERNELS_COMPILED = 45
"""Seconds in which a fresh copy compiles and caches all its kernels."""

_NUMBER = Landmark("number", "player", ".field input", "value")
_STORY = Landmark("story", "story", ".story", "text")
_TEXT = Landmark("text", "text-view", ".flow", "rev")
_PAIRS = Landmark("pairs", "candidates-table", ".space", "node")
IN_SIGHT = (_NUMBER, _STORY, _TEXT, _PAIRS)
"""Views that a step updates first, in the upper 900 pixels of the page; the cards below follow."""

_CHANGES = Landmark("changes", "changes-table", ".space", "node")
_SPANS = Landmark("spans", "encode-view", ".flow", "rev")
_FIRST_SPANS = Landmark("first spans", "encode-view", ".flow > *", "node")
_LINES = Landmark("lines", "lines-view", ".lanes", "rev")
_FIRST_LINES = Landmark("first lines", "lines-view", ".chunk.done", "node")

_PASTED = "and twenty words more, to be read " * 3
_EDITS = (
    ("key at the beginning", 0, "x", "keydown"),
    ("key in the middle", 0.5, "x", "keydown"),
    ("key at the end", 1, "x", "keydown"),
    ("deleting in the middle", 0.5, "Backspace", "keydown"),
    ("pasting 100 characters in the middle", 0.5, "Control+v", "paste"),
)
"""Edits: what is done, at which fraction of the text, by which key, and the event that starts the clock."""

_DRAWN = 20_000
"""Minimum characters of a text in which a key may change no drawn span: the rest is only counted."""


@contextmanager
def visitor(chromium: Browser, server: Server) -> Iterator[tuple[Page, Stopwatch]]:
    """A new tab, with a stopwatch."""
    context = chromium.new_context(base_url=server.url, viewport=VIEWPORT)  # type: ignore[arg-type]
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server.url)
    page = context.new_page()
    stopwatch = Stopwatch(page, server.pid)
    open_page(page)
    yield page, stopwatch
    context.close()


def train(chromium: Browser, server: Server, corpus: str, rounds: int) -> list[Taken]:
    """Paste the corpus, each time with a different first line, and click the button that trains."""
    taken = []
    with visitor(chromium, server) as (page, stopwatch):
        _set_vocabulary(page, 2_048)
        for number in range(rounds + 1):
            first_line = f"# reading number {number + 1}"
            page.get_by_role("button", name=re.compile("^Paste")).click()
            _fill(page.get_by_role("textbox", name="Your text"), f"{first_line}\n{corpus}")
            picture = Landmark("text", "text-view", ".flow", "text", first_line.replace(" ", "·"))
            story = Landmark("story", "story", ".story", "text", "Step 0.")
            button = page.get_by_role("button", name="Train on this text")
            taken.append(stopwatch.time(button.click, "pointerdown", (story, picture)))
    return taken[1:]


def steps(chromium: Browser, server: Server, corpus: str, rounds: int) -> tuple[list[Taken], list[Taken]]:
    """Next repeatedly from the middle of 2,000 merges, then clicks all over the slider."""
    landmarks = (*IN_SIGHT, _CHANGES)
    with visitor(chromium, server) as (page, stopwatch):
        _set_vocabulary(page, 256 + 2_000)
        _train_on(page, corpus)
        expect(page.locator(".st-key-player .of")).to_have_text("of 2,000")
        field = page.get_by_role("spinbutton", name="Go to merge")
        field.fill("1000")
        field.press("Enter")
        button = page.locator(".st-key-player").get_by_role("button", name=re.compile("Next"))
        nexts = [stopwatch.time(button.click, "click", landmarks) for _ in range(rounds + 1)][1:]
        box = page.get_by_role("slider", name="Merges applied").bounding_box()
        assert box is not None
        shares = [(0.1 + 0.618 * number) % 1 for number in range(rounds)]  # spread out, and never near the previous one
        slides = []
        for share in shares:
            x, y = box["x"] + share * box["width"], box["y"] + box["height"] / 2
            slides.append(stopwatch.time(lambda x=x, y=y: page.mouse.click(x, y), "pointerdown", landmarks))
    return nexts, slides


@dataclass(frozen=True)
class Dragged:
    """A drag of the slider, in milliseconds: its frames, the delay from each position to its paint, and the time from
    its end to the server's figures of the last position."""

    frames: list[float]
    shown: list[float]
    took: float
    figures: float


def scrub(chromium: Browser, server: Server, corpus: str, rounds: int) -> list[Dragged]:
    """Drag the slider over 200 positions, one per frame, from the first to the last merge of 3,000 characters."""
    dragged = []
    with visitor(chromium, server) as (page, _):
        page.add_init_script(path=SCRUB)
        page.evaluate(SCRUB.read_text("utf-8"))
        _set_vocabulary(page, 256 + 512)
        _train_on(page, corpus[:3_000])
        for _ in range(rounds + 1):
            page.keyboard.press("Home")
            expect(page.locator(".st-key-story")).to_contain_text("Step 0.")
            wait_until_idle(page, quiet=600)
            page.evaluate("positions => scrub.drag(positions)", POSITIONS)
            page.wait_for_function("() => scrub.result !== null", timeout=PATIENCE, polling=50)
            dragged.append(Dragged(**page.evaluate("scrub.result")))
    return dragged[1:]


def edits(chromium: Browser, server: Server, name: str, text: str, rounds: int) -> Iterator[tuple[str, list[Taken]]]:
    """Edits of a text on a page, "Encode" or "Compare", each with the times until its tokens are painted."""
    with visitor(chromium, server) as (page, stopwatch):
        area, landmark = (_open_encode(page), _SPANS) if name == "Encode" else (_open_compare(page), _LINES)
        _fill(area, text)
        wait_until_idle(page, quiet=1_000, timeout=PATIENCE)
        page.evaluate("text => navigator.clipboard.writeText(text)", _PASTED)
        for what, share, key, event in _EDITS:
            place = int(share * len(text))
            if place > _DRAWN:
                continue
            area.evaluate("(area, at) => { area.focus(); area.setSelectionRange(at, at); }", place)
            done = [stopwatch.time(lambda key=key: area.press(key), event, (landmark,)) for _ in range(rounds + 1)]
            yield what, done[1:]


def pastes(chromium: Browser, server: Server, corpus: str, rounds: int) -> tuple[list[Taken], list[Taken]]:
    """Paste the corpus from the clipboard into Encode, and into Compare with three tokenizers."""
    with visitor(chromium, server) as (page, stopwatch):
        area = _open_encode(page)
        into_encode = _paste(page, stopwatch, area, corpus, rounds, "tokens", _FIRST_SPANS)
    with visitor(chromium, server) as (page, stopwatch):
        area = _open_compare(page)
        into_compare = _paste(page, stopwatch, area, corpus, rounds, "counts", _FIRST_LINES)
    return into_encode, into_compare


def cold_starts(chromium: Browser, rounds: int) -> tuple[list[float], list[float]]:
    """Milliseconds from the command to a page that has responded to a click, in a fresh copy of the project, and again.

    The second start in the same copy, which has compiled modules and kernels by then, is in a new browser window too.
    """
    first, second = [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            project = Path(folder) / "project"
            shutil.copytree(PROJECT, project, ignore=NOT_IN_A_CHECKOUT)
            first.append(_start(chromium, Path(folder), project, _KERNELS_COMPILED))
            second.append(_start(chromium, Path(folder), project, 0))
    return first, second


def _start(chromium: Browser, folder: Path, project: Path, stays: float) -> float:
    """Start the app and click; keep it running for `stays` seconds afterwards."""
    context = chromium.new_context(viewport=VIEWPORT)  # type: ignore[arg-type]
    page = context.new_page()
    started = time.time()
    with served_app(folder, project) as server:
        page.goto(server.url)
        button = page.locator(".st-key-player").get_by_role("button", name=re.compile("Next"))
        button.click(timeout=60_000)
        expect(page.get_by_role("spinbutton", name="Go to merge")).to_have_value("1")
        expect(page.locator(".st-key-story")).to_contain_text("Merge 1.")
        painted = page.evaluate("new Promise(seen => requestAnimationFrame(() => seen(Date.now())))")
        context.close()
        time.sleep(stays)
    return float(painted) - 1000 * started


def _set_vocabulary(page: Page, size: int) -> None:
    page.get_by_role("button", name="Settings").click()
    field = page.get_by_role("spinbutton", name="Vocabulary size, all ids")
    field.fill(str(size))
    field.press("Tab")
    wait_until_idle(page, quiet=300)
    page.get_by_role("button", name="Train with these settings").click()
    expect(page.get_by_role("button", name=f"Settings: {size:,} ids")).to_be_visible()
    wait_until_idle(page, quiet=300)


def _train_on(page: Page, text: str) -> None:
    page.get_by_role("button", name=re.compile("^Paste")).click()
    _fill(page.get_by_role("textbox", name="Your text"), text)
    page.get_by_role("button", name="Train on this text").click()
    expect(page.get_by_role("button", name=re.compile("^Pasted text"))).to_be_visible(timeout=60_000)
    wait_until_idle(page, quiet=300)


def _open_encode(page: Page) -> Locator:
    page.get_by_role("link", name="Encode").click()
    area = page.get_by_role("textbox", name="Text to encode")
    expect(area).to_be_visible()
    wait_until_idle(page, quiet=300)
    return area


def _open_compare(page: Page) -> Locator:
    """Open Compare with three tokenizers."""
    page.get_by_role("link", name="Compare").click()
    expect(page.locator(".lanes .chunk.done").first).to_be_visible(timeout=30_000)
    page.get_by_role("button", name=re.compile("^Trained")).click()
    wait_until_idle(page, quiet=300)
    return page.get_by_role("textbox", name="Text to compare")


def _paste(
    page: Page, stopwatch: Stopwatch, area: Locator, corpus: str, rounds: int, counts: str, first: Landmark
) -> list[Taken]:
    """Paste the corpus, each time with a different first line, into a text area that holds one word."""
    taken = []
    for number in range(rounds + 1):
        _fill(area, f"before reading {number + 1}")
        page.evaluate("text => navigator.clipboard.writeText(text)", f"# reading number {number + 1}\n{corpus}")
        counted = Landmark("counts", counts, ".space .number" if counts == "counts" else "h2", "text")
        wait_until_idle(page, quiet=600)
        area.press("Control+a")
        taken.append(stopwatch.time(lambda: area.press("Control+v"), "paste", (counted, first)))
    return taken[1:]


def _fill(area: Locator, text: str) -> None:
    """Set the value of a text area directly; Playwright's own `fill` takes minutes for a megabyte."""
    area.evaluate(
        """(area, text) => {
            area.focus();
            Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set.call(area, text);
            area.dispatchEvent(new InputEvent("input", { bubbles: true }));
        }""",
        text,
    )
