"""A printed lesson: one page, in the colours for print, with its text stored as text."""

import pytest
from playwright.sync_api import Page

from tests.browser.helpers import expect, open_page, wait_until_idle
from tests.browser.pdf import Pdf
from tests.draws import first
from ui.session.lessons import Lesson, all_lessons

GROUPS = [all_lessons()[at : at + 2] for at in range(0, len(all_lessons()), 2)]
"""Pairs of consecutive lessons: the second is one key press away."""


def printed(page: Page, paper: str = "A4") -> Pdf:
    expect(page.get_by_role("button", name="Print", exact=True)).to_be_enabled()
    return Pdf(page.pdf(format=paper))


def show_answer(page: Page) -> None:
    page.get_by_role("button", name="Show the answer").click()
    expect(page.get_by_role("button", name="Hide the answer")).to_be_visible()
    wait_until_idle(page)


@pytest.mark.parametrize("lessons", first(1, GROUPS))
def test_every_lesson_is_one_page_of_a4_and_of_us_letter(lessons: tuple[Lesson, ...], page: Page) -> None:
    open_page(page, f"/lessons?lesson={lessons[0].name}")
    for each in lessons:
        if each is not lessons[0]:
            page.keyboard.press("ArrowRight")
        expect(page.get_by_role("heading", name=each.title, exact=True)).to_be_visible()
        handouts = [printed(page)]
        show_answer(page)
        handouts += [printed(page), printed(page, "Letter")]
        assert [each.pages for each in handouts] == [1, 1, 1], each.name
        wanted = set(each.title) - {" "}
        assert all(wanted <= handout.characters for handout in handouts), each.name


@pytest.mark.thorough
def test_both_themes_print_the_same_colours(page: Page) -> None:
    open_page(page, "/lessons?lesson=counting_letters")
    show_answer(page)
    expect(page.locator(".lanes .t").first).to_be_visible()
    from_light = printed(page).fills
    page.emulate_media(color_scheme="dark")
    open_page(page, "/lessons?lesson=counting_letters")
    show_answer(page)
    expect(page.locator(".lanes .t").first).to_be_visible()
    assert printed(page).fills == from_light
    assert len([fill for fill in from_light if max(fill) - min(fill) > 0.05]) >= 6, "tokens in their colours"


@pytest.mark.thorough
@pytest.mark.parametrize("color_scheme", ["dark"])
def test_a_wide_window_prints_what_fits_and_looks_afterwards_as_before(page: Page) -> None:
    page.set_viewport_size({"width": 1920, "height": 1080})
    open_page(page, "/lessons?lesson=hug_pug")
    show_answer(page)
    box = page.locator(".lanes .t").first
    expect(box).to_be_visible()
    before = box.bounding_box()
    assert printed(page).pages == 1
    page.mouse.move(1, 1)
    expect(page.get_by_role("button", name="Next", exact=True)).to_be_visible()
    assert box.bounding_box() == before


def test_the_button_prints_and_no_button_is_on_the_paper(page: Page) -> None:
    open_page(page, "/lessons?lesson=overlaps")
    page.evaluate(
        "window.print = () => { dispatchEvent(new Event('beforeprint')); "
        "window.printedText = document.querySelector('.stApp').innerText; "
        "window.printedLink = getComputedStyle(document.documentElement).getPropertyValue('--paper-link'); "
        "dispatchEvent(new Event('afterprint')) }"
    )
    page.get_by_role("button", name="Print", exact=True).click()
    text = page.evaluate("window.printedText")
    for word in ("Show the answer", "Open in", "Copy link", "All lessons", "Vocabulary", "Next"):
        assert word not in text
    assert all_lessons()[2].question in text
    assert "scripts/run, then /lessons?lesson=overlaps" in page.evaluate("window.printedLink"), "nobody else opens it"
    expect(page.get_by_role("button", name="Show the answer")).to_be_visible()


def test_an_answered_question_is_printed_without_its_buttons(page: Page) -> None:
    open_page(page, "/lessons?lesson=split_before_you_merge")
    page.get_by_role("button", name="It is too rare").click()
    expect(page.get_by_role("button", name="Start over")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.get_by_text("No merge crosses a boundary of the split").first).to_be_visible()
    expect(page.get_by_text("Start over")).to_be_hidden()
