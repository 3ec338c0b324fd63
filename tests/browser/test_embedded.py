"""Cards of every page in a frame of another site's page: alone, as high as their content, and working."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Frame, FrameLocator, Page

from tests.browser.helpers import IDLE, expect, open_page, wait_for, wait_until_idle
from tests.browser.serving import PATIENCE, Server, served_app
from tests.draws import first
from ui.widgets.stage import STAGE

LISTENER = """addEventListener("message", ({ data, source }) => {
    for (const frame of document.querySelectorAll("iframe"))
        if (frame.contentWindow === source && data?.bpeLab === 1) frame.height = data.height;
});"""
"""The listener of docs/serving.md."""

SANDBOX = "allow-scripts allow-same-origin"

CARDS = [
    ("/?sample=toy_hug&step=3", "player"),
    ("/?sample=toy_hug&step=3", "candidates"),
    ("/?sample=toy_hug&step=3", "merges"),
    ("/?sample=toy_hug&step=3", "curves"),
    ("/encode?text=tokenization", "tokens"),
    ("/compare?text=tokenization&with=gpt2&with=cl100k_base", "lines"),
    ("/compare?text=1234567&with=gpt2&with=cl100k_base", "why"),
    ("/vocabulary?of=gpt2", "tokens"),
    ("/vocabulary?of=gpt2&token=300", "vocabulary-token"),
    ("/algorithms?sample=toy_hug", "algorithms-cards"),
    ("/algorithms?sample=toy_hug", "why-Bpe"),
    ("/pipeline", "stages"),
    ("/lessons?lesson=counting_letters", "lesson"),
    ("/lessons", "course-of-from_letters_to_tokens"),
]

ALL_CARDS = {f"st-key-{re.sub(r'[^a-zA-Z0-9_-]', '-', key)}" for page in STAGE.values() for key, _ in page.cards}

_MEASURED = """() => {
    const box = selector => document.querySelector(selector)?.getBoundingClientRect();
    const main = document.querySelector("[data-testid=stMain]");
    return {
        content: Math.ceil(box("[data-testid=stMainBlockContainer]").height + box("#bpe-lab-embedded").height),
        window: innerHeight,
        down: main.scrollHeight - main.clientHeight,
        sideways: Math.max(main.scrollWidth - main.clientWidth, document.documentElement.scrollWidth - innerWidth),
    };
}"""

_SEEN = """name => [...document.querySelectorAll("[class*=st-key-]")]
    .filter(el => el.checkVisibility() && !el.closest(`.st-key-${name}`) && !el.querySelector(`.st-key-${name}`))
    .flatMap(el => [...el.classList].filter(each => each.startsWith("st-key-")))"""
"""Keys of visible elements that are neither inside a container nor around it."""


@dataclass
class Host:
    """A site of its own, whose only page frames what a test puts into it."""

    url: str
    frames: str = ""
    script: str = LISTENER
    said: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    made = Host("")

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = f"<!doctype html><title>Course</title><script>{made.script}</script><p>Week 1</p>{made.frames}"
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        made.url = f"http://localhost:{server.server_port}"
        yield made
        server.shutdown()


@pytest.fixture(scope="module")
def framed(host: Host, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app, on a server that lets the host frame it."""
    with served_app(tmp_path_factory.mktemp("framed"), variables={"BPE_LAB_FRAME_ANCESTORS": host.url}) as server:
        server.url = server.url.replace("localhost", "127.0.0.1")  # another site than the host's
        yield server


@pytest.fixture(scope="module")
def course(chromium: Browser, framed: Server) -> Iterator[Page]:
    """Tab of a reader, which fails on errors in the console."""
    problems: list[str] = []

    def check(message: ConsoleMessage) -> None:
        probe = message.location["url"].endswith(("/_stcore/health", "/_stcore/host-config", "/favicon.ico"))
        if message.type == "error" and not probe:
            problems.append(message.text)

    with chromium.new_context(viewport={"width": 800, "height": 700}) as context:
        context.set_default_timeout(PATIENCE)
        context.on("console", check)
        context.on("weberror", lambda error: problems.append(str(error.error)))
        yield context.new_page()
    assert not problems
    assert "Traceback" not in framed.log_text()


def line_of(src: str, more: str = "") -> str:
    return f'<iframe src="{escape(src)}" width="100%" height="200" style="border:0" {more}></iframe>'


def show(course: Page, host: Host, *frames: str) -> list[FrameLocator]:
    """Open the host's page with these frames, and wait until their pages are drawn."""
    host.frames = "".join(frames)
    course.goto(host.url)
    shown = [course.frame_locator("iframe").nth(number) for number in range(len(frames))]
    for frame in shown:
        expect(frame.locator(IDLE)).to_be_attached(timeout=PATIENCE)
        expect(frame.get_by_role("link", name="Open in BPE Lab")).to_be_visible()
    return shown


def card_line(server: Server, path: str, card: str, more: str = "", **params: str) -> str:
    sign = "&" if "?" in path else "?"
    return line_of(f"{server.url}{path}{sign}{urlencode({'embed': 1, 'card': card, **params})}", more)


def frame_of(course: Page) -> Frame:
    return course.frames[1]


@pytest.mark.parametrize("place", first(6, CARDS[::2] + CARDS[1::2]))
def test_a_card_of_each_page_is_alone_in_a_frame_as_high_as_it_is(
    course: Page, framed: Server, host: Host, place: tuple[str, str]
) -> None:
    path, card = place
    course.set_viewport_size({"width": 406, "height": 700})  # 390 for the frame
    [shown] = show(course, host, card_line(framed, path, card, f'sandbox="{SANDBOX}"'))
    container = {"player": "player", "lesson": "question"}.get(card, card)
    expect(shown.locator(f".st-key-{container}")).to_be_visible()
    for hidden in ("stHeader", "stMainMenu", "stTopNavLink"):
        for each in shown.get_by_test_id(hidden).all():
            expect(each).to_be_hidden()
    beside = {"player": {"st-key-story", "st-key-text"}, "lesson": {"st-key-answer"}}.get(card, set())
    others = {key for key in frame_of(course).evaluate(_SEEN, container) if key in ALL_CARDS}
    assert others == beside
    measured = frame_of(course).evaluate(_MEASURED)

    def fits() -> bool:
        measured.update(frame_of(course).evaluate(_MEASURED))
        return bool(measured["content"] == measured["window"] and measured["down"] <= 0)

    wait_for(course, fits)
    assert measured["content"] > 100
    assert measured["sideways"] <= 0


@pytest.mark.parametrize("width", first(1, [300, 320, 344]))
def test_the_player_fits_a_narrow_frame(course: Page, framed: Server, host: Host, width: int) -> None:
    course.set_viewport_size({"width": width + 16, "height": 700})
    [shown] = show(course, host, card_line(framed, "/?sample=toy_hug&step=3", "player"))
    player, speed = (shown.locator(f".st-key-player {each}").bounding_box() for each in (".player", "select"))
    assert player is not None
    assert speed is not None
    assert speed["x"] + speed["width"] < player["x"] + player["width"]


def test_a_framed_player_steps_by_clicks_and_keys_and_leads_to_the_page_as_it_is(
    course: Page, framed: Server, host: Host
) -> None:
    course.set_viewport_size({"width": 800, "height": 700})
    [shown] = show(course, host, card_line(framed, "/?sample=toy_hug", "player", f'sandbox="{SANDBOX} allow-popups"'))
    shown.get_by_role("button", name="Next").click()
    wait_for(course, lambda: "step=1" in frame_of(course).url)
    course.keyboard.press("ArrowRight")
    link = shown.get_by_role("link", name="Open in BPE Lab")
    wait_for(course, lambda: "step=2" in frame_of(course).url)
    course.keyboard.press("s")  # no stage
    expect(shown.get_by_role("tablist")).to_have_count(0)
    link.focus()
    whole = link.get_attribute("href") or ""
    assert "step=2" in whole
    assert "embed" not in whole
    assert "card" not in whole
    assert course.evaluate("scrollY") == 0


def test_two_frames_of_one_page_and_a_reload_of_it_keep_apart(course: Page, framed: Server, host: Host) -> None:
    lines = [card_line(framed, f"/?sample=toy_hug&step={step}", "player") for step in (1, 4)]
    left, right = show(course, host, *lines)
    left.get_by_role("button", name="Next").click()
    wait_for(course, lambda: "step=2" in course.frames[1].url)
    assert "step=4" in course.frames[2].url
    course.reload()
    for frame, step in ((left, 1), (right, 4)):
        expect(frame.get_by_role("link", name="Open in BPE Lab")).to_be_visible()
        expect(frame.locator(IDLE)).to_be_attached(timeout=PATIENCE)
        expect(frame.locator(".st-key-player")).to_contain_text(str(step))
    assert ["step=1" in course.frames[1].url, "step=4" in course.frames[2].url] == [True, True]


def test_a_name_of_no_card_is_text_with_the_names_that_there_are(course: Page, framed: Server, host: Host) -> None:
    hostile = "<img src=x onerror=alert(1)>"
    [shown] = show(course, host, card_line(framed, "/?sample=toy_hug", hostile))
    expect(shown.get_by_role("status")).to_contain_text(
        f"This page has no card “{hostile}”. Its cards are player, text,"
    )
    expect(shown.locator(".st-key-player")).to_be_hidden()
    assert (
        frame_of(course).evaluate("[...document.images].map(image => image.getAttribute('src')).includes('x')") is False
    )


def test_a_card_that_is_closed_says_so(course: Page, framed: Server, host: Host) -> None:
    [shown] = show(course, host, card_line(framed, "/vocabulary?of=gpt2", "forest"))
    expect(shown.get_by_role("status")).to_have_text("“Merge forest” is not open on this page.")


def test_what_leads_to_another_page_says_so_and_leads_back(course: Page, framed: Server, host: Host) -> None:
    [shown] = show(course, host, card_line(framed, "/compare?text=1234567&with=gpt2&with=cl100k_base", "why"))
    shown.get_by_role("button", name="GPT-2 on Encode").click()
    expect(shown.get_by_role("status")).to_have_text("This is on another page.")
    shown.get_by_role("button", name="Back").click()
    expect(shown.locator(".st-key-why")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_theme_of_the_link_holds_against_that_of_the_reader(
    course: Page, framed: Server, host: Host, theme: str
) -> None:
    course.emulate_media(color_scheme="dark" if theme == "light" else "light")
    try:
        [shown] = show(course, host, card_line(framed, "/encode?text=a", "tokens", theme=theme))
        scheme = shown.get_by_test_id("stApp").evaluate("el => getComputedStyle(el).colorScheme")
        assert scheme == theme
    finally:
        course.emulate_media(color_scheme="light")


def test_the_copied_line_shows_the_chosen_card(course: Page, framed: Server, host: Host) -> None:
    page = course.context.new_page()
    page.set_viewport_size({"width": 1340, "height": 900})
    page.goto(f"{framed.url}/?sample=toy_hug&step=3")
    wait_until_idle(page)
    page.get_by_role("button", name="Copy embed code").click()
    dialog = page.get_by_role("dialog", name="Copy embed code")
    expect(dialog).not_to_contain_text("BPE_LAB_FRAME_ANCESTORS")
    expect(page.get_by_test_id("stHeader")).to_be_visible()
    dialog.get_by_role("combobox", name="Card").select_option("Merge table")
    line = dialog.locator(".link").inner_text()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=framed.url)
    dialog.get_by_role("button", name="Copy embed code").click()
    wait_for(page, lambda: page.evaluate("navigator.clipboard.readText()") == line)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.close()
    assert "&amp;" in line
    assert 'title="Merge table · BPE Lab" width="100%"' in line
    host.script = ""
    try:
        [shown] = show(course, host, line)
    finally:
        host.script = LISTENER
    expect(shown.locator(".st-key-merges")).to_be_visible()
    expect(shown.locator(".st-key-curves")).to_be_hidden()
    measured = frame_of(course).evaluate(_MEASURED)
    assert abs(measured["content"] - measured["window"]) < 40


def test_a_server_that_is_not_to_be_framed_says_so_and_is_not(
    page: Page, chromium: Browser, app_url: str, host: Host
) -> None:
    open_page(page, "/encode?text=a")
    page.get_by_role("button", name="Link for the class").click()
    page.get_by_role("button", name="Copy embed code").click()
    dialog = page.get_by_role("dialog", name="Copy embed code")
    expect(dialog).to_contain_text(
        "No site is allowed to show this server in a frame yet: set BPE_LAB_FRAME_ANCESTORS."
    )
    expect(dialog.locator(".link")).to_contain_text("<iframe src=")
    host.frames = line_of(f"{app_url}/encode?embed=1&card=tokens")
    with chromium.new_context() as context:
        reader = context.new_page()
        refused = []
        reader.on("console", lambda message: refused.append(message.text))
        reader.goto(host.url)
        wait_for(reader, lambda: any("frame-ancestors" in text for text in refused))
