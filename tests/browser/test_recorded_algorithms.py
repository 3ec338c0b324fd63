"""The page of the four trainings, opened from the disk without a network: it shows what Algorithms shows."""

from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page

from tests.browser.helpers import expect, open_page, wait_until_idle
from tests.draws import first

HOSTILE = "</script><script>window.hacked=1</script> <img/src=x/onerror='window.hacked=1'> **b**$x$ \u202e "


def downloaded(page: Page, offline: Page, folder: Path, query: dict[str, str | list[str]]) -> None:
    """Open Algorithms, download its page, and open that."""
    open_page(page, f"/algorithms?{urlencode(query, doseq=True)}")
    expect(page.locator(".segmentations")).to_be_visible()
    page.get_by_role("button", name="As a page").click()
    expect(page.get_by_text("for a course page, slides or mail: no server.")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as page").click()
    page.keyboard.press("Escape")
    assert download.value.suggested_filename == "algorithms.html"
    download.value.save_as(folder / "algorithms.html")
    offline.goto((folder / "algorithms.html").as_uri())
    expect(offline.locator(".player")).to_be_visible()


def shown(page: Page) -> dict[str, list[str]]:
    """What the views draw: step, result and candidates of each card, the sentence, and the followed word."""
    parts = (".cards .now", ".cards .did", ".cards table", ".cards .foot", ".lanes .lane", ".segmentations .row")
    return {part: page.locator(part).all_inner_texts() for part in parts}


def why(page: Page, card: str) -> list[list[str]]:
    """What the cards of the algorithms draw: merges of the word, tables, lattices."""
    found = [page.locator(f"{card} {part}").all_inner_texts() for part in (".rows > li", ".space .row", ".lines text")]
    assert all(found[:2])
    return found


@pytest.mark.parametrize("names", first(1, [["picky", "unigram"], []]))
def test_it_shows_at_every_step_what_the_app_shows(names: list[str], page: Page, offline: Page, tmp_path: Path) -> None:
    downloaded(page, offline, tmp_path, {"sample": "toy_low_lower", "at_step": "2", "side_by_side": names})
    expect(offline.locator(".field input")).to_have_value("2")
    expect(offline.locator("h1")).to_have_text("low, lower, newest, widest")
    for keys in ([], ["ArrowRight"], ["End"], ["ArrowLeft"], ["Home"]):
        for tab in (page, offline):
            for key in keys:
                tab.keyboard.press(key)
        wait_until_idle(page)
        found = shown(page)
        assert all(found.values())
        assert shown(offline) == found, keys
    assert why(offline, ".card.why-word") == why(page, "[class*='st-key-why-']")
    for tab in (page, offline):
        tab.get_by_text("at this step", exact=True).click()
        tab.keyboard.press("ArrowRight")
        tab.keyboard.press("ArrowRight")
    wait_until_idle(page)
    assert shown(offline) == shown(page)
    expect(offline.locator(".card.why-word")).to_have_count(0)  # recorded at the end alone


def test_a_clicked_piece_or_word_is_followed_and_pieces_are_found(page: Page, offline: Page, tmp_path: Path) -> None:
    downloaded(page, offline, tmp_path, {"sample": "lantern_story", "sentence": "The lantern was small."})
    last = offline.locator(".lanes .lane").nth(2).locator(".t").last
    last.click()
    expect(offline.locator(".card.word h2")).to_have_text("The word small.")
    row = offline.locator(".card.words .space .row").nth(2)
    word = row.locator(".cell").first.inner_text()
    row.click()
    expect(offline.locator(".card.word h2")).to_have_text(f"The word {word}")
    offline.get_by_role("button", name="at this step").click()
    expect(offline.locator(".card.word h2")).to_have_text("The word small.")
    expect(offline.locator(".segmentations dd").first).to_contain_text("7 pieces")  # by no merge
    offline.get_by_role("searchbox").fill("lantern")
    cells = offline.locator(".card.pieces .space .row").first.locator(".cell")
    expect(cells.first).to_contain_text("lantern")


def test_no_text_becomes_markup_and_the_page_plays_in_a_frame_without_rights(
    page: Page, offline: Page, tmp_path: Path
) -> None:
    downloaded(page, offline, tmp_path, {"corpus": HOSTILE * 3, "sentence": HOSTILE.strip(), "size": "60"})
    offline.keyboard.press("End")
    assert offline.evaluate("window.hacked") is None
    expect(offline.locator(".card.sentence .lanes")).to_contain_text("</script>")
    (tmp_path / "course.html").write_text(
        '<iframe src="algorithms.html" sandbox="allow-scripts" width="900" height="800">'
    )
    offline.goto((tmp_path / "course.html").as_uri())
    frame = offline.frame_locator("iframe")
    frame.get_by_role("button", name="Next").click()
    expect(frame.locator(".cards")).to_have_attribute("data-step", "1")


@pytest.mark.parametrize(("width", "language"), [(1280, "zh"), (800, "ja"), (390, "en")])
def test_it_fits_the_window_in_its_language(
    page: Page, offline: Page, tmp_path: Path, width: int, language: str
) -> None:
    offline.set_viewport_size({"width": width, "height": 800})
    page.goto(f"/algorithms?sample=toy_hug&lang={language}")
    wait_until_idle(page)
    page.locator("[class*=st-key-algorithms-as-a-page] button").first.click()
    with page.expect_download() as download:
        page.locator(".st-key-download-algorithms-page button").click()
    download.value.save_as(tmp_path / "page.html")
    offline.goto((tmp_path / "page.html").as_uri())
    expect(offline.locator(".card.sentence .t").first).to_be_visible()
    expect(offline.locator("html")).to_have_attribute("lang", language)
    assert offline.evaluate("document.documentElement.scrollWidth") <= width
    assert shown(offline)[".cards .did"] == shown(page)[".cards .did"]
