"""While a text is typed, only lines that change are drawn; what is painted is what a fresh page paints."""

import random

import pytest
from playwright.sync_api import Page

from tests.browser.helpers import expect, open_page, wait_for, wait_until_idle

LINES = [
    "The tokenizer's choices aren't neutral: 12345 of them.",
    "日本語は高い。東京都、令和七年。",
    "\tdef low(self, lower: int) -> None:  # newest",
    "",
    "Ğüneş, naïve café, e\u0301, 👩‍👩‍👧 and 🙂🙂",
    "low lower lowest " * 6,
    "العربية 123 and עברית (both) in one line",
]
EDITS = ["x", " ", "\n", "語", "\u0301", "abc def\nghi\n\n", "🙂", "Antidisestablishmentarianism", "ש"]
PAINTED = """
(root) => {
  const box = [...root.querySelectorAll('[data-testid="stBidiComponentIsolated"]')]
    .map((host) => host.shadowRoot.querySelector(".flow[data-rev], .lanes[data-rev]")).find(Boolean);
  if (!box) return null;
  const markup = (parts) => parts.map((part) => {
    const copy = part.cloneNode(true);
    for (const el of copy.querySelectorAll(".highlight, .note")) el.remove();
    return copy;
  });
  if (box.matches(".lanes"))
    return markup([...box.querySelectorAll(".chunk")]).map((chunk) => chunk.outerHTML);
  const tokens = [...box.querySelectorAll(".t")].map((el) => el.token);
  return [box.className, String(tokens), markup([...box.children]).map((block) => block.innerHTML).join("")];
}
"""
EDIT = """
(area, [at, gone, come]) => {
  const text = area.value.slice(0, at) + come + area.value.slice(at + gone);
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set.call(area, text);
  area.dispatchEvent(new InputEvent("input", { bubbles: true }));
}
"""


FIRST = """
(root, mark) => {
  const hosts = [...root.querySelectorAll('[data-testid="stBidiComponentIsolated"]')];
  const first = hosts.map((host) => host.shadowRoot.querySelector(".flow .b, .lanes .chunk")).find(Boolean);
  if (mark) first.stays = true;
  return first.stays === true;
}
"""
PAGES = {
    "Encode": ("/encode?with=gpt2", "Text to encode", "encode-view"),
    "Compare": ("/compare", "Text to compare", "lines-view"),
}


def painted(page: Page, name: str) -> list[str]:
    """Markup of the view, once the page has caught up and the view is complete: later data may redraw it."""
    view = page.locator(f".st-key-{PAGES[name][2]}").first
    shown: list[list[str] | None] = [None]

    def is_whole() -> bool:
        shown[0] = view.evaluate(PAINTED)
        return shown[0] is not None

    wait_for(page, is_whole)
    wait_until_idle(page, quiet=400)
    wait_for(page, is_whole)
    return shown[0] or []


@pytest.mark.parametrize(
    ("name", "script"),
    [
        ("Encode", "left to right"),
        ("Compare", "mixed"),
        ("Compare", "one long line"),
        pytest.param("Encode", "mixed", marks=pytest.mark.thorough),
        pytest.param("Compare", "left to right", marks=pytest.mark.thorough),
    ],
)
def test_what_is_painted_during_typing_equals_a_fresh_page(
    page: Page, rng: random.Random, name: str, script: str
) -> None:
    address, label, card = PAGES[name]
    open_page(page, address)
    area, view = page.get_by_label(label), page.locator(f".st-key-{card}").first
    of_script = slice(None) if script == "mixed" else slice(-1)
    between = " " if script == "one long line" else "\n"
    area.evaluate(EDIT, [0, 100_000, between.join(rng.choices(LINES[of_script], k=60))])
    painted(page, name)
    view.evaluate(FIRST, True)
    area.press("Control+End")
    area.press("x")
    painted(page, name)
    assert view.evaluate(FIRST, False), "a line that a key leaves as it was is not drawn again"
    before = area.input_value()
    for undone in (False, True):
        for place in (0, rng.random(), 1, rng.random()):
            gone, come = rng.choice([0, 0, 1, 7, 90]), rng.choice(EDITS[of_script])
            area.evaluate(EDIT, [int(place * len(area.input_value())), gone, "" if gone == 1 else come])
            page.wait_for_timeout(rng.choice([0, 30, 150]))  # faster than the server answers, or not
        if undone:
            area.evaluate(EDIT, [0, 100_000, before])
        before, during = area.input_value(), painted(page, name)
        page.reload()
        expect(area).to_have_value(before)
        assert painted(page, name) == during


MIDDLE = """
(root, mark) => {
  const hosts = [...root.querySelectorAll('[data-testid="stBidiComponentIsolated"]')];
  const blocks = [...hosts.map((host) => host.shadowRoot.querySelector(".flow")).find(Boolean).children];
  if (mark) blocks[blocks.length >> 1].stays = true;
  return blocks.some((block) => block.stays);
}
"""


@pytest.mark.parametrize("text", ["x y z\n", ""])
def test_a_key_in_a_text_longer_than_what_is_drawn_leaves_its_other_lines(page: Page, text: str) -> None:
    address, label, card = PAGES["Encode"]
    lines = "".join(f"low lower {number}\n" for number in range(14_000))
    area, view = page.get_by_label(label), page.locator(f".st-key-{card}").first
    open_page(page, address)
    area.evaluate(EDIT, [0, 1_000_000, lines if text else f"x y z\n{lines}"])
    painted(page, "Encode")
    view.evaluate(MIDDLE, True)
    area.evaluate(EDIT, [0, 0 if text else 6, text])
    during = painted(page, "Encode")
    assert view.evaluate(MIDDLE, False)
    open_page(page, address)
    area.evaluate(EDIT, [0, 1_000_000, text + lines])
    assert painted(page, "Encode") == during


def test_of_a_long_text_only_what_changes_is_sent_and_the_server_has_all_of_it(page: Page) -> None:
    sizes: list[int] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda data: sizes.append(len(data))))
    open_page(page, "/encode?with=gpt2&text=low")
    area = page.get_by_label("Text to encode")
    lines = "the lowest lantern glows\n" * 2_200
    area.evaluate(EDIT, [0, 1_000_000, lines])
    heading = page.locator(".st-key-tokens").get_by_role("heading")
    expect(heading).to_contain_text(f"{len(lines):,} characters")
    wait_until_idle(page)
    assert max(sizes) > len(lines)
    sizes.clear()
    for key, at in (("x", 0), ("Backspace", 40_000), ("Enter", 50_000)):
        area.evaluate("(area, at) => area.setSelectionRange(at, at)", at)
        area.press(key)
        wait_until_idle(page, quiet=600)
    expect(heading).to_contain_text(f"{len(lines) + 1:,} characters")
    typed = area.input_value()
    area.press("End")
    area.press_sequentially("abc", delay=500)
    expect(heading).to_contain_text(f"{len(lines) + 4:,} characters")
    wait_until_idle(page)
    assert max(sizes) < 20_000
    page.reload()
    expect(area).to_have_value(f"{typed[:50_025]}abc{typed[50_025:]}")
