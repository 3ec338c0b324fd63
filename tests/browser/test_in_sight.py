"""Content that must be visible: at large font sizes, in narrow windows, and after a selection."""

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.helpers import expect, open_page, show_page_in_any_state, step, wait_until_idle
from tests.draws import first

ZOOMED = {"width": 640, "height": 450}
"""The viewport of a window of 1280 × 900 at 200 % zoom."""

CARDS = "player", "story", "changes", "text", "candidates", "merges", "curves", "costs"


def top_and_foot(element: Locator) -> tuple[float, float]:
    box = element.bounding_box()
    assert box is not None
    return box["y"], box["y"] + box["height"]


def tops(page: Page) -> dict[str, float]:
    return {name: top_and_foot(page.locator(f".st-key-{name}").first)[0] for name in CARDS}


def player(page: Page) -> Locator:
    return page.get_by_role("group", name="Player")


def scroll(page: Page, pixels: int) -> None:
    page.get_by_test_id("stMain").evaluate("(main, pixels) => main.scrollTo(0, pixels)", pixels)


@pytest.fixture
def at_40(shared_page: Page) -> Page:
    """Train at merge 40, in a window of the default size."""
    show_page_in_any_state(shared_page, "/?step=40")
    step(shared_page).fill("40")
    step(shared_page).press("Enter")
    expect(shared_page.get_by_role("group", name="This step")).to_contain_text("Merge 40.")
    wait_until_idle(shared_page)
    return shared_page


def test_at_200_percent_the_result_of_next_is_in_sight(at_40: Page) -> None:
    page = at_40
    page.set_viewport_size(ZOOMED)  # type: ignore[arg-type]
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("group", name="This step")).to_contain_text("Merge 41.")
    result = page.locator("strong", has_text="Merge 41.")
    wait_until_idle(page)
    expect(result).to_be_visible()
    assert top_and_foot(player(page))[1] <= top_and_foot(result)[0]
    assert top_and_foot(result)[1] <= ZOOMED["height"]


def test_the_player_stays_in_sight_and_covers_nothing_that_has_the_focus(at_40: Page) -> None:
    page = at_40
    page.set_viewport_size(ZOOMED)  # type: ignore[arg-type]
    header = top_and_foot(page.get_by_test_id("stHeader"))[1]
    for pixels in (300, 700, 1_100):
        scroll(page, pixels)
        top, foot = top_and_foot(player(page))
        assert header <= top < header + 20
        assert foot <= ZOOMED["height"] / 2
    button = page.get_by_role("radio", name="Unseen text")
    scroll(page, 1_500)
    button.focus()
    assert top_and_foot(button)[0] >= top_and_foot(player(page))[1]
    page.get_by_role("button", name="Next").click()
    expect(step(page)).to_have_value("41")


def test_the_player_is_one_row(at_40: Page) -> None:
    page = at_40
    for width in (800, 1024, 1280):
        page.set_viewport_size({"width": width, "height": 768})
        page.wait_for_function("width => innerWidth === width", arg=width)
        wait_until_idle(page)
        top, foot = top_and_foot(player(page))
        assert foot - top < 70, width


@pytest.mark.thorough
def test_the_text_is_in_the_upper_two_thirds_of_a_small_window(page: Page) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    open_page(page, "/?step=255")
    text = page.get_by_role("listbox", name="The training text in tokens")
    assert top_and_foot(text)[0] <= 768 * 2 / 3
    changes = page.locator(".st-key-changes .scroll")
    assert changes.evaluate("table => table.scrollWidth <= table.clientWidth"), "the last column is cropped"


@pytest.mark.parametrize("width", first(1, [800, 1280]))
def test_a_fork_moves_nothing_on_the_page_and_the_way_back_leads_to_the_same_step(at_40: Page, width: int) -> None:
    page = at_40
    page.set_viewport_size({"width": width, "height": 2_400})
    expect(page.get_by_role("slider", name="Tokens saved by the size of the vocabulary")).to_be_visible()
    before = tops(page)
    page.get_by_role("grid", name="Pairs that the next merge can take").get_by_role("row").nth(3).click()
    expect(page.get_by_role("group", name="This step")).to_contain_text("Your choice.")
    expect(page.get_by_role("button", name="Back to the rule")).to_be_visible()
    wait_until_idle(page)
    assert tops(page) == before
    page.get_by_role("button", name="Back to the rule").click()
    expect(page.get_by_role("button", name="Back to the rule")).to_have_count(0)
    expect(page.get_by_role("button", name="Your fork: ")).to_have_count(0)
    expect(step(page)).to_have_value("40")
    wait_until_idle(page)
    assert tops(page) == before


@pytest.mark.parametrize("width", first(1, [800, 1024, 1280, 1920]))
def test_the_tree_of_a_long_token_is_whole_and_in_the_middle(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    open_page(page, "/vocabulary?of=cl100k_base&find=+tokenizer&token=47058")
    tree = page.get_by_role("tree", name="Merge tree of the token")
    expect(tree).to_contain_text("tokenizer")
    whole = "tree => tree.scrollWidth <= tree.clientWidth && tree.scrollHeight <= tree.clientHeight"
    assert tree.evaluate(whole)
    middle = """tree => {
        const [room, drawn] = [tree, tree.firstElementChild].map(each => each.getBoundingClientRect());
        return drawn.left + drawn.width / 2 - (room.left + room.width / 2);
    }"""
    assert abs(tree.evaluate(middle)) < 2


def test_a_lesson_fills_a_large_screen_with_large_type(page: Page) -> None:
    page.set_viewport_size({"width": 1920, "height": 1080})
    open_page(page, "/lessons?lesson=overlaps")
    assert top_and_foot(page.locator(".st-key-question"))[1] > 1_000
    asked = page.locator(".st-key-to-the-class").get_by_test_id("stText")
    assert asked.evaluate("text => parseFloat(getComputedStyle(text).fontSize)") >= 32
    assert page.evaluate("document.scrollingElement.scrollHeight") <= 1080


@pytest.mark.thorough
def test_tokens_grow_with_the_screen(page: Page) -> None:
    open_page(page, "/?step=40")
    text = page.get_by_role("listbox", name="The training text in tokens")
    size = "text => parseFloat(getComputedStyle(text).fontSize)"
    before = text.evaluate(size)
    page.set_viewport_size({"width": 1920, "height": 1080})
    assert text.evaluate(size) == pytest.approx(1.2 * before, rel=0.01)


@pytest.mark.thorough
def test_a_page_that_opens_under_a_pointer_at_rest_shows_no_tooltip(page: Page) -> None:
    open_page(page, "/lessons?lesson=why_japanese_costs_more")
    page.get_by_role("link", name="Open in Compare").click()
    token = page.locator(".st-key-lines .t").first
    expect(token).to_be_visible()
    wait_until_idle(page)
    token.dispatch_event("mouseover")
    expect(page.locator(".st-key-lines .tip")).to_be_hidden()
    token.hover()
    expect(page.locator(".st-key-lines .tip")).to_be_visible()


@pytest.mark.parametrize("lang", first(1, ["ja", "en", "zh"]))
def test_on_a_laptop_the_compared_lines_begin_in_the_upper_three_fifths(page: Page, lang: str) -> None:
    laptop = {"width": 1280, "height": 800}
    page.set_viewport_size(laptop)  # type: ignore[arg-type]
    open_page(page, f"/compare?lang={lang}")
    lines = page.locator(".st-key-lines .lanes .text").first
    expect(lines).to_be_visible()
    wait_until_idle(page)
    assert top_and_foot(lines)[0] < 0.6 * laptop["height"]
    area = page.locator(".st-key-text-and-its-sources textarea")
    for each in page.locator(".st-key-text-and-its-sources").get_by_test_id("stPopoverButton").all():
        assert top_and_foot(area)[0] <= top_and_foot(each)[0] < top_and_foot(each)[1] <= top_and_foot(area)[1] + 2
