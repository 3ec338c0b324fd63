"""Content opened or written by a user is offered again after a reload, by the browser alone."""

import json

from playwright.sync_api import Page

from tests.browser.helpers import expect, open_page, wait_for, wait_until_idle

KEPT = """() => new Promise((done) => {
    const opened = indexedDB.open("bpe-lab", 1);
    opened.onupgradeneeded = () => opened.result.createObjectStore("kept", { keyPath: ["shelf", "name"] });
    opened.onsuccess = () => {
        const asked = opened.result.transaction("kept").objectStore("kept").getAll();
        const described = ({ shelf, name, content }) => `${shelf},${name}: ${content}`;
        asked.onsuccess = () => { opened.result.close(); done(asked.result.map(described)); };
    };
})"""
TOKENIZER = json.dumps(
    {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": None,
        "post_processor": None,
        "decoder": None,
        "model": {"type": "BPE", "vocab": {"l": 0, "o": 1, "w": 2, "lo": 3}, "merges": ["l o"]},
    }
)


LITTLE = {"Train": "/?sample=toy_hug", "Compare": "/compare?text=low&with=gpt2&with=o200k_base"}
"""Pages with little content, drawn quickly."""


def expect_kept(page: Page) -> None:
    """Open the menu again, which closes over an opened tokenizer."""
    own = page.get_by_role("button", name="Own tokenizers 1")
    expect(own).to_be_visible()
    wait_until_idle(page)
    own.click()
    expect(page.get_by_text("Kept in this browser")).to_be_visible()


def test_tokenizers_pastes_lessons_and_their_fields_are_offered_again_until_they_are_deleted(page: Page) -> None:
    open_page(page, LITTLE["Compare"])
    page.get_by_role("button", name="Add a tokenizer").click()
    chosen = page.locator('[class*="st-key-tokenizer-upload"] input[type=file]')
    chosen.set_input_files({"name": "mine.json", "mimeType": "application/json", "buffer": TOKENIZER.encode()})
    expect_kept(page)
    page.keyboard.press("Escape")

    open_page(page, LITTLE["Train"])
    page.get_by_role("button", name="Paste", exact=True).click()
    page.get_by_label("Your text").fill("a lantern in the window")
    wait_for(page, lambda: any(each.endswith(": a lantern in the window") for each in page.evaluate(KEPT)))
    page.keyboard.press("Escape")

    page.get_by_role("link", name="Lessons", exact=True).click()
    page.get_by_role("button", name="Write lessons").click()
    title = page.get_by_label("Title of these lessons")
    title.fill("Tuesday")
    title.press("Enter")
    question = page.get_by_label("Question")
    expect(question).to_be_visible()
    wait_for(page, lambda: any(each.startswith("own lessons,Tuesday.json: ") for each in page.evaluate(KEPT)))
    question.press_sequentially("Why are tokens not words?")
    wait_for(page, lambda: any(each.endswith(": Why are tokens not words?") for each in page.evaluate(KEPT)))

    page.goto("about:blank")
    open_page(page, "/lessons?lesson=write")
    expect(page.get_by_text("There is no lesson yet.")).to_be_visible()
    wait_until_idle(page)
    page.get_by_role("button", name="Add a lesson").click()
    expect(question).to_have_value("")
    put_back = page.get_by_role("button", name="Put back: Why are tokens not words?")
    put_back.click()
    expect(question).to_have_value("Why are tokens not words?")
    question.press("Tab")
    wait_until_idle(page)
    expect(question).to_have_value("Why are tokens not words?")
    expect(put_back).to_have_count(0)
    page.get_by_role("button", name="Open lessons").click()
    page.get_by_role("button", name="Open again: Tuesday.json").click()
    expect(page.get_by_text("Tuesday", exact=True)).to_be_visible()
    page.get_by_role("button", name="Edit", exact=True).click()
    expect(title).to_have_value("Tuesday")

    open_page(page, LITTLE["Train"])
    page.get_by_role("button", name="Paste", exact=True).click()
    page.get_by_role("button", name="Put back: a lantern in the window").click()
    expect(page.get_by_label("Your text")).to_have_value("a lantern in the window")
    page.get_by_role("button", name="Train on this text").click()
    expect(page.get_by_role("button", name="Pasted text")).to_be_visible()
    wait_until_idle(page)

    open_page(page, LITTLE["Compare"])
    expect(page.locator(".st-key-why")).to_be_visible()
    wait_until_idle(page)
    page.get_by_role("button", name="Add a tokenizer").click()
    page.get_by_role("button", name="Open again: mine.json").click()
    expect(page.get_by_role("button", name="Own tokenizers 1")).to_be_visible()
    wait_until_idle(page)
    page.get_by_role("button", name="Own tokenizers 1").click()
    page.get_by_role("button", name="Delete: mine.json").click()
    expect(page.get_by_role("button", name="Delete: mine.json")).to_have_count(0)
    assert not [key for key in page.evaluate(KEPT) if "mine.json" in key]


def test_all_tokenizers_of_the_last_session_are_opened_by_one_click_in_their_order(page: Page) -> None:
    names = ["zebra", "apple", "mango"]
    chosen = page.locator('[class*="st-key-tokenizer-upload"] input[type=file]')
    open_page(page, LITTLE["Compare"])
    for number, name in enumerate(names):
        page.get_by_role("button", name="Own tokenizers" if number else "Add a tokenizer").click()
        tokenizer = TOKENIZER.replace('"lo": 3', f'"lo": 3, "{name}": 4').encode()
        chosen.set_input_files({"name": f"{name}.json", "mimeType": "application/json", "buffer": tokenizer})
        expect(page.get_by_role("button", name=f"Own tokenizers {number + 1}")).to_be_visible()
        wait_until_idle(page)
        page.keyboard.press("Escape")

    page.goto("about:blank")
    open_page(page, LITTLE["Compare"])
    page.get_by_role("button", name="Add a tokenizer").click()
    kept = page.locator(".shelf")
    expect(kept.get_by_role("button", name="Open again: ")).to_have_count(3)
    kept.get_by_role("button", name="Open all 3 again").click()
    expect(page.get_by_role("button", name="Own tokenizers 3")).to_be_visible()
    wait_until_idle(page)
    page.get_by_role("button", name="Own tokenizers 3").click()
    opened = page.get_by_test_id("stText").filter(has_text=": 5 ids")
    expect(opened).to_have_text([f"{name}: 5 ids" for name in names])
    expect(kept.get_by_role("button", name="Open all")).to_have_count(0)
