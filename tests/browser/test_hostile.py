"""Hostile text in every input: it is shown verbatim, and nothing in it ever runs.

The `page` fixture fails a test on a console error, a request to another host, an exception on the page or a traceback
in the server's log; `watched` detects every other effect of text.
"""

import json
import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Dialog, Locator, Page

from bpe_core import TrainConfig, train
from bpe_core.formats.training_file import save_training
from tests.browser.helpers import expect, in_chart, open_page, wait_for, wait_until_idle
from tests.draws import first
from ui.session.lesson_file import FORMAT, VERSION
from ui.session.links import packed
from ui.train.step import PART, WINDOW

MARKUP = (
    "<img src=x onerror=alert(1)><script>alert(1)</script></textarea><svg onload=alert(1)>"
    '<iframe srcdoc="<script>parent.alert(1)</script>"></iframe><style>*{display:none}</style>'
    "![](http://a.example/c.png) [x](javascript:alert(1)) <a href=javascript:alert(1)>y</a> <http://a.example/>\n"
    ":material/home: $x$ :red[x] **b** `c` {{7*7}} ${7*7} %s \\n &lt;b&gt; '); alert(1); //\n"
)
UNSEEN = (
    "\u202eabc\u202c \u2066x\u2069 עברית العربية\t\u200b\u200d\ufeff\u00a0e\u0301 "
    "👩‍👩‍👧‍👦🏳️‍🌈👍🏽 日本 \x00\x01\x07\x1b[31m\x7f"
)
HOSTILE = MARKUP + UNSEEN
ONE_LINE = HOSTILE.replace("\n", " ")
SHORT = "<img src=x onerror=alert(1)>$x$:red[x]"
FILE_NAME = "<img src=x onerror=alert(1)>![](http:a.example)$x$"

EXTREMES = {
    "zero width, and marks on nothing": "\u0301\u0301 \u0301\u200b\u200c\u200d\ufeff\u2060a\u200b",
    "CR LF and tabs": "a\r\n\tb\r\n\t\tc\r\n",
    "only white space": " \t\n\n   \t ",
    "control characters": "".join(map(chr, range(32))) + "\x7f\x85",
    "a run of one letter": "a" * 30_000,
}

RECORD = """() => {
    const made = "img[src='x'], script, iframe, svg[onload], a[href^=javascript], a[href*='a.example'], .katex, style";
    const ours = el => el.matches("script, style") && !/alert\\(1\\)|^\\*\\{display/.test(el.textContent);
    window.madeOfText = [];
    const look = el => {
        if (el.matches(made) && !ours(el)) window.madeOfText.push(el.outerHTML.slice(0, 200));
        for (const child of el.children) look(child);
    };
    const watch = root => new MutationObserver(changes => {
        for (const { addedNodes } of changes) for (const node of addedNodes) if (node instanceof Element) look(node);
    }).observe(root, { childList: true, subtree: true });
    watch(document);
    const attach = Element.prototype.attachShadow;
    Element.prototype.attachShadow = function (options) {
        const root = attach.call(this, options);
        watch(root);
        return root;
    };
}"""
"""Record every element that only hostile text would create, including in components, even if removed again."""

CONTROLS = (
    "NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US"
)
"""The standard abbreviations of the control characters, from U+0000 on."""

NAMES = {name: chr(at) for at, name in enumerate(CONTROLS.split())}
NAMES |= {"·": " ", "↵": "\n", "⇥": "\t", "□": "\u3000", "DEL": "\x7f", "NEL": "\x85"}
NAMES |= {
    "NBSP": "\u00a0",
    "ZWSP": "\u200b",
    "ZWNJ": "\u200c",
    "ZWJ": "\u200d",
    "WJ": "\u2060",
    "BOM": "\ufeff",
    "VS16": "\ufe0f",
    "RLO": "\u202e",
    "PDF": "\u202c",
    "LRI": "\u2066",
    "PDI": "\u2069",
}

READ = """(view, names) => {
    const point = name => /^U\\+/.test(name) ? String.fromCodePoint(parseInt(name.slice(2), 16)) : name;
    const meant = name => names[name] ?? point(name);
    const read = node => node.nodeType === Node.TEXT_NODE ? node.data.replaceAll("\\n", "")
        : node.matches(".g") && node.querySelector(".above") ? read(node.querySelector(".above"))
        : node.matches(".circle, .copy, .lane > .name, .lane > .label, .t.empty, .note") ? ""
        : node.matches("u.m") ? meant(node.textContent)
        : [...node.childNodes].map(read).join("");
    return read(view);
}"""
"""The text that a view draws: marks turned back into characters, a split character read from above its pieces."""


@pytest.fixture(autouse=True)
def watched(page: Page) -> Iterator[None]:
    """Fail a test in which a dialog opened or text became an element."""
    dialogs: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", dismiss)
    page.add_init_script(f"({RECORD})()")
    yield
    assert not dialogs
    assert page.evaluate("window.madeOfText") == []


def shown(view: Locator) -> str:
    text: str = view.evaluate(READ, NAMES)
    return text


def flow(page: Page, name: str) -> Locator:
    return page.get_by_role("listbox", name=name, exact=True)


def expect_shown(page: Page, view: Locator, text: str) -> None:
    """Wait until the view draws exactly this text."""
    expect(view).to_be_visible()
    wait_until_idle(page)
    assert shown(view) == text


def open_train(page: Page, path: str = "/") -> None:
    open_page(page, path)
    expect(page.locator(".st-key-text")).to_be_visible()


def paste(page: Page, text: str) -> None:
    page.get_by_role("button", name=re.compile("^Paste")).click()
    page.get_by_role("textbox", name="Your text").fill(text)
    page.get_by_role("button", name="Train on this text").click()
    expect(page.get_by_role("button", name="Pasted text")).to_be_visible()
    wait_until_idle(page)


def link(path: str, **parts: str) -> str:
    """A link with compressed texts."""
    return f"{path}?" + "&".join(f"{name}{packed(text)}" for name, text in parts.items())


# -- Train -------------------------------------------------------------------------------------------------------


def test_a_paste_an_unseen_text_and_a_search(page: Page) -> None:
    open_train(page, "/?sample=toy_hug")
    paste(page, HOSTILE)
    expect_shown(page, flow(page, "The training text in tokens"), HOSTILE)
    page.get_by_role("radio", name="Chart").click()
    page.mouse.move(*in_chart(page, page.get_by_role("slider", name="Counts of the pairs that come next"), 0.5 / 40))
    expect(page.get_by_role("tooltip")).to_be_visible()
    page.keyboard.press("End")
    expect(page.get_by_role("group", name="This step")).to_contain_text("The end:")
    page.get_by_role("button", name="Pasted text").click()
    expect(page.get_by_role("textbox", name="Your text")).to_have_value(HOSTILE)
    page.keyboard.press("Escape")
    page.get_by_role("radio", name="Unseen text").click()
    page.get_by_role("button", name="Edit", exact=True).click()
    page.get_by_role("textbox", name="A text that the training has not seen").fill(HOSTILE[::-1])
    page.keyboard.press("Control+Enter")
    wait_until_idle(page)
    page.keyboard.press("Escape")
    expect_shown(page, flow(page, "The unseen text in tokens"), HOSTILE[::-1])
    search = page.get_by_role("textbox", name="Find a token in the merge table")
    search.fill(ONE_LINE[:100])
    search.press("Enter")
    expect(page.get_by_text("No merge makes such a token.")).to_be_visible()
    expect(search).to_have_value(ONE_LINE[:100])


@pytest.mark.thorough
def test_a_file_and_its_name(page: Page) -> None:
    open_train(page)
    page.get_by_role("button", name="Open file").click()
    files = page.locator(".st-key-upload input[type=file]")
    files.set_input_files({"name": f"{FILE_NAME}.txt", "mimeType": "text/html", "buffer": b"low \xff"})
    expect(page.get_by_text("The file is not UTF-8: byte 5 is 0xFF.")).to_be_visible()
    wait_until_idle(page)
    page.get_by_role("button", name="Open file").click()  # closed, so that it does not cover the message
    text = HOSTILE.replace("\n", "\r\n").replace("\0", "")
    files.set_input_files({"name": f"{FILE_NAME}.html", "mimeType": "text/html", "buffer": text.encode()})
    expect(page.get_by_role("button", name="Your file")).to_be_visible()
    expect_shown(page, flow(page, "The training text in tokens"), text)


@pytest.mark.thorough
def test_the_settings(page: Page) -> None:
    open_train(page, link("/", corpus=f"{SHORT} low {SHORT}"))
    page.get_by_role("button", name=re.compile("ids · ")).click()
    page.get_by_role("combobox", name="Split into words by").click()
    page.get_by_role("option", name="Own regular expression").click()
    pattern = page.get_by_role("textbox", name="Regular expression: every match is a word")
    pattern.fill(f"({SHORT}")
    pattern.press("Enter")
    expect(page.locator(".st-key-split-problem")).to_contain_text("'(<img src=x onerror=alert(1)>$x$:red[x]'")
    pattern.fill(r"\w+|[<>]|.")
    pattern.press("Enter")
    expect_shown(page, flow(page, "Words of the split"), f"{SHORT} low {SHORT}")
    page.get_by_role("radio", name="Characters").click()
    page.get_by_role("textbox", name="Special tokens, one a line").fill(f"{SHORT}\n{ONE_LINE}")
    page.get_by_role("textbox", name="End-of-word mark").fill(SHORT)
    page.keyboard.press("Enter")
    wait_until_idle(page)
    page.get_by_role("button", name="Train with these settings").click()
    expect(page.get_by_text(f"Decoding turns every {SHORT} into a space")).to_be_visible()
    page.get_by_role("link", name="Encode").click()
    page.get_by_role("radio", name="Trained").click()
    page.get_by_role("radio", name="Parsed").click()
    page.get_by_role("textbox", name="Text to encode").fill(f"{SHORT} low")
    expect(flow(page, "The text in tokens").locator(".chip").first).to_have_text(SHORT)
    page.get_by_role("radio", name="Refused").click()
    expect(flow(page, "Where the special tokens occur")).to_contain_text(SHORT)
    page.get_by_role("button", name="3 special tokens").click()
    expect(page.get_by_role("grid", name="Special tokens")).to_contain_text(SHORT.replace(" ", "·"))


# -- Encode, Compare, Vocabulary ---------------------------------------------------------------------------------


def test_encode_its_lanes_and_its_ids(page: Page) -> None:
    open_page(page, "/encode")
    area = page.get_by_role("textbox", name="Text to encode")
    area.fill(HOSTILE)
    expect(flow(page, "The text in tokens")).to_contain_text("onerror")
    expect_shown(page, flow(page, "The text in tokens"), HOSTILE)
    for name in ("Texts", "Refused", "Parsed"):
        page.get_by_role("radio", name=name, exact=True).click()
        wait_until_idle(page)
    page.get_by_role("radio", name="Characters, bytes, tokens").click()
    expect(flow(page, "The text in characters, bytes and tokens")).to_be_visible()
    ids = page.get_by_role("textbox", name="Token ids, with commas or spaces between them")
    ids.fill(HOSTILE)
    expect(page.get_by_text("'<img' is not a token id: ids are whole numbers.").first).to_be_visible()
    area.evaluate("area => { area.value = 'low \\ud800 <b>'; area.dispatchEvent(new Event('input')); }")
    expect(page.get_by_text("A lone surrogate was replaced by U+FFFD")).to_be_visible()
    page.get_by_role("radio", name="Tokens", exact=True).click()
    expect_shown(page, flow(page, "The text in tokens"), "low \ufffd <b>")
    expect(ids).to_have_value(HOSTILE)


@pytest.mark.thorough
def test_compare(page: Page) -> None:
    open_page(page, "/compare")
    area = page.get_by_role("textbox", name="Text to compare")
    area.fill(HOSTILE)
    expect(page.locator(".lanes .text").first).to_contain_text("onerror=alert")
    expect_shown(page, page.locator(".lanes"), HOSTILE)
    for _ in range(3):
        page.get_by_role("button", name="Next").click()
        wait_until_idle(page)
    expect(area).to_have_value(HOSTILE)


def test_the_search_of_the_vocabulary_and_a_training_file(page: Page) -> None:
    open_page(page, "/vocabulary")
    search = page.get_by_role("textbox", name="What the tokens hold")
    search.fill(ONE_LINE[:200])
    expect(page.get_by_text("No token is left.")).to_be_visible()
    page.get_by_role("radio", name="Id", exact=True).click()
    search.fill(SHORT)
    expect(page.get_by_text("'<img' is not an id.")).to_be_visible()
    expect(search).to_have_value(SHORT)
    page.get_by_role("button", name="Show all", exact=True).click()
    expect(search).to_have_value("")
    wait_until_idle(page, quiet=400)
    files = page.locator(".st-key-training-file input[type=file]")

    def upload(data: bytes) -> None:
        page.get_by_role("button", name="Open training").click()  # closes, and no longer covers the message
        files.set_input_files({"name": f"{FILE_NAME}.json", "mimeType": "application/json", "buffer": data})

    upload(json.dumps({"format": SHORT}).encode())
    expect(page.get_by_text(f"The file is not a training: its format is '{SHORT}'.")).to_be_visible()
    wait_until_idle(page)
    text = SHORT * 16 + HOSTILE  # merged until the markup is one token
    training = train(text, TrainConfig(vocab_size=320, split="none", special_tokens=(SHORT, "a\nb")))
    upload(save_training(training, text))
    expect(page.get_by_text(f"{training.vocab_size} tokens", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("radio", name="Text", exact=True).click()
    search.fill(SHORT)
    token = page.get_by_role("grid", name="Tokens", exact=True).get_by_role("row").filter(has_text="onerror")
    token.first.click()
    expect(page.get_by_role("tree")).to_contain_text("onerror")
    page.get_by_role("link", name="Train").click()
    page.get_by_role("button", name="Last", exact=True).click()
    expect(page.get_by_role("group", name="This step")).to_contain_text("The end:")
    expect_shown(page, flow(page, "The training text in tokens"), text)


def test_the_names_and_columns_of_many_texts_are_text(page: Page) -> None:
    column = MARKUP.replace("\n", " ")
    rows = json.dumps({column: SHORT, "de": "eins **b** ![](http://a.example/c.png)"})
    open_page(page, "/compare?with=gpt2&text=low")
    page.get_by_text("Many texts: a file of them, in total and one by one").click()
    page.locator(".st-key-many-texts-upload input[type=file]").set_input_files(
        {"name": f"{FILE_NAME}.jsonl", "mimeType": "application/json", "buffer": rows.encode()}
    )
    card = page.locator(".st-key-many-texts")
    card.get_by_text("Parallel texts, one column per language").click()
    expect(card.get_by_role("radio", name="Relative", exact=True)).to_be_visible()
    expect(card.locator(".st-key-parallel-texts-chart .xtitle")).to_contain_text("Relative to <img src=x")
    wait_until_idle(page)
    card.get_by_text("Each text").click()
    card.get_by_text(SHORT).click()
    expect(page.get_by_label("Text to compare")).to_have_value(SHORT)
    wait_until_idle(page)


@pytest.mark.thorough
def test_the_pipeline_and_its_chat(page: Page) -> None:
    letters = ".flow .p.chars > .text"

    def drawn() -> str:
        found: list[str] = page.locator(letters).evaluate_all(
            f"els => els.map(el => ({READ})(el, {json.dumps(NAMES)}))"
        )
        return "".join(found).replace("\u25cc", "")

    open_page(page, "/pipeline")
    first, rest = HOSTILE[:300], HOSTILE[300:]
    page.get_by_role("textbox", name="Text", exact=True).fill(first)
    expect(page.locator(".stage .count").first).to_contain_text(f"{len(first)} characters")
    assert drawn() == first
    page.get_by_role("radio", name="Two texts").click()
    page.get_by_role("textbox", name="Text B").fill(rest)
    expect(page.locator(".stage .count").first).to_contain_text(f"{len(HOSTILE)} characters")
    assert drawn() == HOSTILE
    for kind in ("chars", "words", "tokens", "out", "decoded"):
        page.locator(f".p.{kind}").nth(8).click()
        expect(page.locator(".card .what")).to_be_visible()
    page.get_by_role("radio", name="A chat").click()
    for number in (1, 2, 3):
        page.get_by_role("textbox", name=f"Message {number}").fill(SHORT)
    expect(page.locator(".card")).to_be_visible()
    wait_for(page, lambda: drawn().count(SHORT) == 3)


# -- links and lesson files --------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_links(page: Page) -> None:
    open_train(page, link("/", corpus=HOSTILE, unseen=HOSTILE) + f"&file={quote(FILE_NAME)}&find={quote(SHORT)}")
    expect_shown(page, flow(page, "The training text in tokens"), HOSTILE)
    expect(page.get_by_role("textbox", name="Find a token in the merge table")).to_have_value(SHORT)
    open_page(page, link("/encode", text=HOSTILE, ids=ONE_LINE))
    expect_shown(page, flow(page, "The text in tokens"), HOSTILE)
    open_page(page, f"/encode?special={quote(SHORT)}&{quote(SHORT)}={quote(SHORT)}")
    expect(page.get_by_text(f"Its 'special' is '{SHORT}', which is not valid.")).to_be_visible()


@pytest.mark.thorough
def test_a_lesson_file(page: Page) -> None:
    open_train(page)
    page.get_by_role("button", name="Lesson file").click()

    def open_lesson(scene: object) -> None:
        data = json.dumps({"format": FORMAT, "version": VERSION, "scene": scene}).encode()
        file = page.locator(".st-key-lesson-file input[type=file]")
        file.set_input_files({"name": f"{FILE_NAME}.json", "mimeType": "application/json", "buffer": data})

    open_lesson({"page": SHORT})
    expect(page.get_by_text(f"Its 'page' is '{SHORT}', which is not valid.")).to_be_visible()
    wait_until_idle(page)
    open_lesson({"page": "train", "corpus": "\ud800"})
    expect(page.get_by_text("Its 'corpus' holds a lone surrogate")).to_be_visible()
    wait_until_idle(page)
    open_lesson({"page": "compare", "corpus": HOSTILE, "file": FILE_NAME, "choices": {"text": HOSTILE}})
    page.wait_for_url("**/compare?**")
    expect_shown(page, page.locator(".lanes"), HOSTILE)


# -- texts that are merely unusual -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", first(1, EXTREMES))
def test_strange_texts_are_drawn_exactly(page: Page, name: str) -> None:
    text = EXTREMES[name]
    open_page(page, link("/compare", corpus=text, text=text))
    expect_shown(page, page.locator(".lanes"), text[:20_000])
    page.get_by_role("link", name="Train").click()
    expect_shown(page, flow(page, "The training text in tokens"), text if len(text) <= WINDOW else text[:PART])


@pytest.mark.thorough
def test_a_hundred_thousand_letters_without_a_space(page: Page) -> None:
    text = "lowerest" * 12_500
    open_train(page)
    paste(page, text)
    expect(
        page.get_by_text(re.compile("100,000 bytes · 1 word, 1 distinct\\s+100,000 characters, 7 distinct"))
    ).to_be_visible()
    expect_shown(page, flow(page, "The training text in tokens"), text if len(text) <= WINDOW else text[:PART])
    page.get_by_role("link", name="Encode").click()
    page.get_by_role("textbox", name="Text to encode").fill(text)
    expect(page.get_by_text("100,000 characters · 100,000 bytes")).to_be_visible()
