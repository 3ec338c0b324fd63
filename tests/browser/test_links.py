"""Links in a browser: the address bar, Reload, Back, the copied link, and a lesson file."""

import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.helpers import expect, forget_the_visitor, open_page, step, wait_until_idle
from tests.browser.serving import served_app
from tests.draws import examples

IN_ADDRESS = "text => location.search.includes(text)"
LONG = "".join(f"{number:05}" for number in range(0, 99_991, 7))


def train_on(page: Page, text: str) -> None:
    page.get_by_role("button", name="Paste").click()
    page.get_by_label("Your text").fill(text)
    page.get_by_role("button", name="Train on this text").click()
    wait_until_idle(page)
    page.keyboard.press("Escape")


def test_the_address_follows_without_history_and_reload_and_back_keep_it(page: Page) -> None:
    open_page(page, "/?sample=toy_hug")
    steps = 1 + examples(3)
    before = page.evaluate("history.length")
    for _ in range(steps):
        page.get_by_role("button", name="Next", exact=True).click()
        wait_until_idle(page)
    page.wait_for_function(IN_ADDRESS, arg=f"step={steps}")
    assert page.evaluate("history.length") == before
    page.reload()
    wait_until_idle(page)
    expect(step(page)).to_have_value(str(steps))
    page.get_by_role("link", name="Encode").click()
    page.wait_for_function(IN_ADDRESS, arg="with=gpt2")
    page.go_back()
    wait_until_idle(page)
    expect(step(page)).to_have_value(str(steps))
    page.go_forward()
    page.wait_for_url("**/encode?**")


def test_a_copied_link_shows_the_same_to_another_visitor(page: Page, app_url: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_page(page, "/?sample=toy_hug")
    text = "低いランタン <script>alert(1)</script> ![x](http://example.org/x.png)\n" * 3
    train_on(page, text)
    page.get_by_role("button", name="Next", exact=True).click()
    wait_until_idle(page)
    link = copied_link(page)
    assert len(link) < 500
    other = page.context.new_page()
    page.close()
    forget_the_visitor(other, app_url)
    open_page(other, link)
    expect(step(other)).to_have_value("1")
    other.get_by_role("button", name="Pasted text").click()
    expect(other.get_by_label("Your text")).to_have_value(text)
    assert other.url == link


def test_a_text_too_long_for_a_link_survives_a_reload_and_travels_as_a_lesson_file(page: Page, tmp_path: Path) -> None:
    open_page(page, "/?sample=toy_hug")
    train_on(page, LONG)
    page.wait_for_function(IN_ADDRESS, arg="corpus.id=")
    assert answer_of_copying(page) == "Too long: save a lesson file"
    page.reload()
    wait_until_idle(page)
    page.wait_for_function(IN_ADDRESS, arg="corpus.id=")
    page.get_by_role("button", name="Next", exact=True).click()
    wait_until_idle(page)
    page.get_by_role("button", name="Lesson file").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a lesson file").click()
    download.value.save_as(tmp_path / "lesson.json")
    scene = json.loads((tmp_path / "lesson.json").read_text("utf-8"))["scene"]
    assert (scene["page"], scene["corpus"], scene["step"]) == ("train", LONG, 1)
    open_page(page, "/compare?text=low&with=gpt2")
    page.get_by_role("button", name="Lesson file").click()
    page.locator(".st-key-lesson-file input[type=file]").set_input_files(tmp_path / "lesson.json")
    page.wait_for_url(lambda url: urlsplit(url).path == "/")
    wait_until_idle(page)
    expect(step(page)).to_have_value("1")


@pytest.mark.thorough
def test_a_broken_link_is_told_as_text(page: Page) -> None:
    open_page(page, "/?sample=![x](http://example.org/x.png)<script>alert(1)</script>")
    expect(page.get_by_text("This link cannot be opened.")).to_contain_text("![x](http://example.org/x.png)<script>")
    page.wait_for_function(IN_ADDRESS, arg="sample=lantern_story")


@pytest.mark.thorough
def test_a_page_opened_first_after_a_start_stands_in_the_app(
    chromium: Browser, tmp_path: Path, color_scheme: str
) -> None:
    with served_app(tmp_path) as server, chromium.new_context(color_scheme=color_scheme) as context:
        first, second = context.new_page(), context.new_page()  # as when a class opens a link
        for page in (first, second):
            page.goto(f"{server.url}/lessons?lesson=overlaps", wait_until="commit")
        for page in (first, second):
            expect(page.get_by_text("Counted twice, merged once")).to_be_visible()
            expect(page.get_by_test_id("stTopNavLink")).to_have_count(7)


def copied_link(page: Page) -> str:
    """The link that the button copies."""
    assert answer_of_copying(page) == "Copied; works on this machine only"  # the server of the tests
    link: str = page.evaluate("navigator.clipboard.readText()")
    return link


def answer_of_copying(page: Page) -> str:
    """The label that the button shows briefly after a click."""
    button = page.get_by_role("button", name="Copy link")
    button.evaluate("""button => {
        window.answer = new Promise((done) => {
            const said = new MutationObserver(() => done(button.textContent.trim()));
            said.observe(button, { childList: true, subtree: true });
        });
    }""")
    button.click()
    answer: str = page.evaluate("window.answer")
    return answer


def test_what_was_just_chosen_on_train_is_in_the_link_the_lesson_file_and_after_a_reload(
    page: Page, tmp_path: Path
) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_page(page, "/?sample=toy_hug")
    page.get_by_role("radio", name="Chart").click()
    assert "candidates=chart" in copied_link(page)
    page.get_by_role("radio", name="Unseen text").click()
    assert "shown=unseen" in copied_link(page)
    page.get_by_role("button", name="Edit").click()
    field = page.get_by_role("textbox", name="A text that the training has not seen")
    field.fill("towers of lanterns")
    link = copied_link(page)  # the click commits the typed text
    assert "unseen=towers" in link
    page.get_by_role("button", name="Lesson file").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a lesson file").click()
    download.value.save_as(tmp_path / "lesson.json")
    choices = json.loads((tmp_path / "lesson.json").read_text("utf-8"))["scene"]["choices"]
    assert choices == {"candidates": "chart", "shown": "unseen", "unseen": "towers of lanterns"}
    page.reload()
    wait_until_idle(page)
    assert page.url == link
    expect(page.get_by_role("radio", name="Chart")).to_be_checked()
    page.get_by_role("button", name="Edit").click()
    expect(field).to_have_value("towers of lanterns")


@pytest.mark.thorough
def test_an_unseen_text_is_in_the_address_while_it_is_typed(page: Page) -> None:
    open_page(page, "/?sample=lantern_story&shown=unseen")
    page.get_by_role("button", name="Edit").click()
    field = page.get_by_role("textbox", name="A text that the training has not seen")
    field.fill("towers")
    page.wait_for_function(IN_ADDRESS, arg="unseen=towers")
    field.press_sequentially(" of stone")
    page.wait_for_function(IN_ADDRESS, arg="stone")
    page.reload()
    wait_until_idle(page)
    page.get_by_role("button", name="Edit").click()
    expect(field).to_have_value(re.compile("stone"))


@pytest.mark.thorough
def test_the_address_of_a_text_without_pairs_follows_what_is_chosen(page: Page) -> None:
    open_page(page, "/?sample=toy_hug")
    train_on(page, "a")
    expect(page.get_by_text("Nothing to merge")).to_be_visible()
    page.get_by_role("radio", name="Unseen text").click()
    page.wait_for_function(IN_ADDRESS, arg="shown=unseen")


@pytest.mark.thorough
def test_the_name_of_the_first_page_is_an_address_of_it_too(page: Page) -> None:
    open_page(page, "/train?sample=toy_hug&step=2")
    expect(step(page)).to_have_value("2")
    page.wait_for_url(lambda url: urlsplit(url).path == "/")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_test_id("stTopNavLink")).to_have_count(7)
    open_page(page, "/train")
    expect(step(page)).to_have_value("0")
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.thorough
def test_a_reload_keeps_what_the_other_pages_show(page: Page) -> None:
    open_page(page, "/?sample=toy_hug&step=3")
    page.get_by_role("link", name="Encode").click()
    wait_until_idle(page)
    page.get_by_role("textbox", name="Text to encode").fill("kept over a reload")
    page.wait_for_function(IN_ADDRESS, arg="text=kept+over+a+reload")
    page.get_by_role("link", name="Lessons").click()
    wait_until_idle(page)
    for _ in range(2):
        page.reload()
        wait_until_idle(page)
    page.get_by_role("link", name="Encode").click()
    expect(page.get_by_role("textbox", name="Text to encode")).to_have_value("kept over a reload")
    page.get_by_role("link", name="Train").click()
    expect(step(page)).to_have_value("3")
    expect(page.get_by_role("button", name=re.compile("^Sample: "))).to_contain_text("hug")


@pytest.mark.thorough
def test_a_page_that_is_loaded_again_before_it_is_drawn_shows_what_it_showed_before(page: Page) -> None:
    place = page.locator(".st-key-why").get_by_text(re.compile(r"^[\d,]+ of [\d,]+$")).first
    open_page(page, "/compare")
    expect(place).to_have_text("1 of 174")
    for _ in range(4):
        page.keyboard.press("n")
    expect(place).to_have_text("5 of 174")
    page.get_by_role("link", name="Lessons", exact=True).click()
    expect(page).to_have_url(re.compile("/lessons"))
    wait_until_idle(page)
    page.get_by_role("link", name="Compare", exact=True).click()
    page.wait_for_function("() => location.pathname === '/compare'")  # its query is set once it is drawn
    page.reload(wait_until="commit")
    page.wait_for_function("() => window.bpeLab !== undefined")
    page.keyboard.press("n")
    expect(place).to_have_text("6 of 174")


@pytest.mark.thorough
def test_another_link_in_the_same_tab_shows_nothing_of_before(page: Page) -> None:
    open_page(page, "/encode?text=of+before&with=gpt2")
    page.get_by_role("link", name="Lessons").click()
    wait_until_idle(page)
    open_page(page, "/lessons")
    page.get_by_role("link", name="Encode").click()
    expect(page.get_by_role("textbox", name="Text to encode")).not_to_have_value("of before")


def test_two_clicks_before_the_link_is_known_show_it_once(page: Page) -> None:
    open_page(page, "/?sample=toy_hug")
    page.get_by_role("button", name="Link for the class").evaluate("button => (button.click(), button.click())")
    link = page.get_by_role("dialog", name="Link for the class")
    expect(link).to_be_visible()
    wait_until_idle(page)
    expect(link).to_have_count(1)
    page.keyboard.press("Escape")
    expect(link).to_have_count(0)
