"""Right-to-left texts, and lines of mixed direction.

The characters are where the browser places them in plain text, however they are divided into tokens, and the keys move
through the tokens in the order of the text.
"""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.helpers import expect, open_page, wait_until_idle
from tests.draws import examples, first

LINES = (
    "abc עברית שלום def 123",
    "مرحبا بالعالم token izer 123 45 67 (test) end.",
    "שלום (world) 12,5 ועוד — abc!",
    "plain line (one), without any",
    "(test) في السطر (نص) 3.5% ثم ab",
    "tel. 03-123-4567 בדיקה, \"quoted 'עברית' text\" end",
    "שנת 1948–2024 [ab (גד) ef] {1+2=3} וגם (12) x",
    "ابجد 78 abc هوز ١٢٣ حطي [x] ٪",
    "a1ש2b ג3د4e é ü ñ ש",
    "שָׁלוֹם עֲלֵיכֶם a (בָּ) נקודות",
    "https://example.org/שלום?q=מילה&n=5#top",
    "100$ ו-50% אחרי -3° 👍 סוף 日本語 עוד",
    "see (שלום)\u200f! abc, then \u200eעוד 1\u200f 2",
    "؟ abc 1. עברית",
)
TEXT = "\n".join(LINES)

SHORT_LINES = ("abc שלום 12", "(ab) שלום!", "مر test 12.", "ab (שב) cd", "שב [ab] 3", "1. ש, ab")
"""Lines that fit the width even with one token per byte."""

# For each line of the text the numbers of its characters in visual order from left to right: as drawn, and in a plain
# paragraph. Invisible characters are left out, and so are marks, which are drawn on others.
ORDERS = r"""(drawn, text) => {
  const isSeen = (char) => !/[\s\p{C}\p{Z}\p{M}]/u.test(char);
  const range = document.createRange();
  const seenIn = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const seen = [];
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node.parentElement.closest(".m, .hex, .chip")) continue;
      let at = 0;
      for (const char of node.nodeValue) {
        range.setStart(node, at);
        range.setEnd(node, (at += char.length));
        const { left, right } = range.getBoundingClientRect();
        if (isSeen(char)) seen.push({ char, x: (left + right) / 2 });
      }
    }
    return seen;
  };
  const orderOf = (seen) => seen.map((_, at) => at).sort((a, b) => seen[a].x - seen[b].x);
  const asText = (seen, order) => order.map((at) => `${seen[at].char}${at}`).join(" ");
  const all = drawn.flatMap(seenIn);
  return text.split("\n").map((line) => {
    const p = document.createElement("p");
    p.dir = "auto";
    p.style.cssText = `position: absolute; white-space: pre; font: ${getComputedStyle(drawn[0]).font}`;
    p.textContent = line;
    document.body.append(p);
    const plain = seenIn(p);
    p.remove();
    const own = all.splice(0, plain.length);
    return { drawn: asText(own, orderOf(own)), plain: asText(plain, orderOf(plain)) };
  });
}"""


def expect_the_order_of_the_plain_text(drawn: Locator, text: str = TEXT) -> None:
    expect(drawn.first).to_be_visible()  # elements being redrawn have no positions
    orders = drawn.evaluate_all(ORDERS, text)
    assert [line["drawn"] for line in orders] == [line["plain"] for line in orders]


def flow(page: Page, name: str = "The text in tokens") -> Locator:
    return page.get_by_role("listbox", name=name)


def encode(page: Page, text: str, tokenizer: str) -> Locator:
    open_page(page, f"/encode?with={tokenizer}&text={quote(text)}")
    expect(flow(page)).to_have_attribute("data-rev", re.compile("."))
    return flow(page)


@pytest.mark.parametrize("tokenizer", first(1, ["gpt2", "o200k_base"]))
def test_the_letters_of_encode_are_where_the_plain_text_has_them(page: Page, tokenizer: str) -> None:
    drawn = encode(page, TEXT, tokenizer)
    expect_the_order_of_the_plain_text(drawn)
    firsts = drawn.locator(".line > :first-child").evaluate_all("els => els.map(el => el.getBoundingClientRect().left)")
    middle = drawn.evaluate("flow => flow.getBoundingClientRect().left + flow.clientWidth / 2")
    assert [left > middle for left in firsts[:4]] == [False, True, True, False], "each line starts at its own side"


def test_the_letters_of_compare_are_where_the_plain_text_has_them(page: Page) -> None:
    open_page(page, f"/compare?with=gpt2&with=o200k_base&text={quote(TEXT)}")
    rows = page.locator(".segmentation:not(.probe)")
    wait_until_idle(page)
    expect(rows).to_have_count(2 * len(LINES))
    for row in (0, 1):
        texts = page.locator(f".lane:nth-child({row + 1}) .segmentation:not(.probe) .text")
        expect_the_order_of_the_plain_text(texts)


def test_a_token_that_is_not_in_one_place_is_drawn_in_pieces_that_are_chosen_together(page: Page) -> None:
    drawn = encode(page, "abc עברית def", "o200k_base")
    pieces = drawn.get_by_role("option").evaluate_all(
        "els => els.map(el => [el.textContent, [...el.getClientRects()].filter(({ width }) => width > 3).length])"
    )
    assert pieces == [["abc", 1], ["·עבר", 2], ["ית", 1], ["·def", 1]]


@pytest.mark.thorough
def test_the_arrow_keys_go_through_the_tokens_in_the_order_of_the_text(page: Page) -> None:
    drawn = encode(page, "abc עברית שלום (12) def", "o200k_base")
    drawn.focus()
    read = []
    for _ in range(drawn.get_by_role("option").count()):
        read.append(drawn.locator(".cursor").text_content())
        page.keyboard.press("ArrowRight")
    assert "".join(str(text) for text in read).replace("·", " ") == "abc עברית שלום (12) def"
    page.keyboard.press("ArrowLeft")
    expect(drawn.locator(".cursor")).to_have_text(str(read[-2]))


def test_a_training_shows_the_letters_where_the_plain_text_has_them_at_every_step(page: Page) -> None:
    open_page(page, f"/?corpus={quote(chr(10).join(SHORT_LINES))}")
    drawn = page.locator(".flow[data-step]")
    expect_the_order_of_the_plain_text(drawn, "\n".join(SHORT_LINES))
    for key in (*["ArrowRight"] * examples(4), "End", "ArrowLeft", "Home"):
        before = drawn.get_attribute("data-step")
        page.keyboard.press(key)
        expect(drawn).not_to_have_attribute("data-step", str(before))
        expect_the_order_of_the_plain_text(drawn, "\n".join(SHORT_LINES))


def test_each_line_of_a_text_to_be_labelled_has_its_own_direction(page: Page) -> None:
    text = "שלום (world) 12\nplain line (one), without any.\n1+1 <b> end;"
    open_page(page, f"/pipeline?with=gpt2&text={quote(text)}")
    expect_the_order_of_the_plain_text(page.locator(".marked-text"), text)


@pytest.mark.thorough
def test_characters_that_turn_a_text_turn_nothing_beside_it(page: Page) -> None:
    drawn = encode(page, "ab \u202e cd \u2067 שלום ef\nnext", "gpt2")
    expect(drawn).to_contain_text("RLO")
    expect(drawn).to_contain_text("RLI")
    expect_the_order_of_the_plain_text(drawn, "ab cd שלום ef\nnext")
