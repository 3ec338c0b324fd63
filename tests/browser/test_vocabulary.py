"""The Vocabulary page in a browser: find and open tokens, click bars, and save and reopen a training as a file."""

from __future__ import annotations

import csv
import re
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page

from bpe_core import TrainConfig, train
from bpe_core.formats import from_files
from bpe_core.formats.training_file import open_training, save_training
from tests.browser.helpers import (
    expect,
    in_chart,
    open_page,
    show_page,
    show_page_in_any_state,
    switch_theme,
    wait_until_idle,
)
from ui.session.links import packed

HOSTILE = "<script>alert(1)</script> =1+1 ![](http://x.test/y.png) <b>bold</b> <script>"

USE = ".st-key-frequencies-chart .plot"
FOREST = ".st-key-forest-chart"


@pytest.fixture
def vocabulary(shared_page: Page) -> Page:
    """The page in a new session."""
    show_page(shared_page, "/vocabulary")
    expect(shared_page.get_by_text("512 tokens", exact=True)).to_be_visible()
    return shared_page


@pytest.fixture
def charts(shared_page: Page) -> Page:
    """The page with the frequency chart and the forest expanded, whatever token is open."""
    show_page_in_any_state(shared_page, "/vocabulary?sample=toy_hug&frequencies=1&forest=1")
    return shared_page


def rows(page: Page) -> Locator:
    return page.get_by_role("grid", name="Tokens", exact=True).get_by_role("row")


def lengths(page: Page) -> list[str]:
    """The lengths in the visible rows."""
    cells: list[str] = rows(page).evaluate_all("rows => rows.slice(1).map(row => row.children[3].textContent)")
    return cells


def upload(page: Page, data: bytes) -> None:
    page.get_by_role("button", name="Open training").click()
    page.locator("input[type=file]").set_input_files(
        {"name": "mine.json", "mimeType": "application/json", "buffer": data}
    )
    wait_until_idle(page)
    page.keyboard.press("Escape")


def test_bars_of_the_histogram_filter_and_take_it_back(vocabulary: Page) -> None:
    bars = vocabulary.get_by_role("slider", name="How many tokens have each length in bytes")
    all_tokens = vocabulary.get_by_text("512 tokens", exact=True)
    mouse = vocabulary.mouse

    def bar(length: int) -> tuple[float, float]:
        return in_chart(vocabulary, bars, (length - 0.5) / 9, 0.5)

    def show(*wanted: str) -> None:
        expect(all_tokens).to_be_hidden()
        wait_until_idle(vocabulary)
        assert set(lengths(vocabulary)) == set(wanted)

    mouse.click(*bar(3))
    show("3")
    mouse.click(*bar(3))
    expect(all_tokens).to_be_visible()
    mouse.move(*bar(7))
    mouse.down()
    mouse.move(*bar(8))
    mouse.move(*bar(9))
    mouse.up()
    show("7", "8", "9")
    mouse.click(*bar(4))
    show("4")
    vocabulary.keyboard.down("Shift")
    mouse.click(*bar(6))
    vocabulary.keyboard.up("Shift")
    show("4", "5", "6")
    vocabulary.get_by_role("button", name="Show all").focus()
    while not bars.evaluate("bars => bars.matches(':focus')"):
        vocabulary.keyboard.press("Tab")
    vocabulary.keyboard.press("Home")
    expect(bars).to_have_attribute("aria-valuetext", "Length in bytes: 1, Tokens: 256")
    vocabulary.keyboard.press("Enter")
    expect(rows(vocabulary).nth(1)).to_contain_text(",")
    show("1")
    vocabulary.get_by_role("button", name="Show all").click()
    expect(all_tokens).to_be_visible()


def test_a_token_is_found_while_typing_and_opened_by_a_click(vocabulary: Page) -> None:
    vocabulary.get_by_role("radio", name="o200k").click()
    expect(vocabulary.get_by_text("200,000 tokens", exact=True)).to_be_visible()  # loads it first
    vocabulary.get_by_role("textbox", name="What the tokens hold").press_sequentially("ありが")
    expect(vocabulary.get_by_text("4 of 200,000 tokens", exact=True)).to_be_visible()
    rows(vocabulary).filter(has_text="ありがとうございます").click()
    tree = vocabulary.get_by_role("tree", name="Merge tree of the token")
    expect(tree).to_contain_text("ありがとうございます")
    # a part of the token is itself a token
    tree.get_by_text("ありがとう", exact=True).click()
    expect(vocabulary.get_by_text("Token 55,300", exact=True)).to_be_visible()


def test_a_training_is_saved_and_opened_again(vocabulary: Page, tmp_path: Path) -> None:
    config = TrainConfig(vocab_size=300, split="none")
    training = train(HOSTILE, config)
    upload(vocabulary, save_training(training, HOSTILE))
    expect(vocabulary.get_by_text(f"{training.vocab_size} tokens", exact=True)).to_be_visible()
    rows(vocabulary).filter(has_text="<script>").first.click()
    expect(vocabulary.get_by_role("tree")).to_contain_text("<script>")

    with vocabulary.expect_download() as download:
        vocabulary.get_by_role("button", name="Save training").click()
    download.value.save_as(tmp_path / "again.json")
    assert open_training((tmp_path / "again.json").read_bytes()).merges == training.merges

    vocabulary.get_by_role("button", name="Merges", exact=True).click()
    with vocabulary.expect_download() as download:
        vocabulary.get_by_role("button", name="CSV", exact=True).click()
    download.value.save_as(tmp_path / "merges.csv")
    with (tmp_path / "merges.csv").open(encoding="utf-8-sig", newline="") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == len(training.merges)
    assert not any(line["token"].startswith(("=", "+", "-", "@")) for line in lines)


@pytest.mark.thorough
def test_a_damaged_file_is_told_and_the_training_stays(vocabulary: Page) -> None:
    upload(vocabulary, b'{"format": "bpe-lab", "version": 1, "<script>": 1')
    expect(vocabulary.get_by_text("The file is not JSON")).to_be_visible()
    expect(vocabulary.get_by_text("512 tokens", exact=True)).to_be_visible()


@pytest.mark.thorough
def test_the_step_of_a_token_opens_on_train(vocabulary: Page) -> None:
    vocabulary.get_by_role("button", name="Show this step on Train").click()
    expect(vocabulary.get_by_role("spinbutton", name="Go to merge")).to_have_value("4")


@pytest.mark.thorough
def test_files_for_other_programs_are_proven_and_downloaded(vocabulary: Page, tmp_path: Path) -> None:
    upload(vocabulary, save_training(train(HOSTILE, TrainConfig(vocab_size=280)), HOSTILE))
    vocabulary.get_by_text("Take it elsewhere").click()
    expect(vocabulary.get_by_role("status").filter(has_text="Same ids:")).to_contain_text("read back by tokenizers")
    vocabulary.get_by_text("vocab.json and merges.txt", exact=True).click()
    expect(vocabulary.get_by_text("gpt2-files.zip", exact=False)).to_be_visible()
    wait_until_idle(vocabulary)
    with vocabulary.expect_download() as download:
        vocabulary.get_by_role("button", name="Download", exact=True).click()
    assert download.value.suggested_filename == "gpt2-files.zip"
    download.value.save_as(tmp_path / "files.zip")
    with zipfile.ZipFile(tmp_path / "files.zip") as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    tokenizer = train(HOSTILE, TrainConfig(vocab_size=280)).tokenizer()
    assert from_files(files).encode(HOSTILE).ids.tolist() == tokenizer.encode(HOSTILE).ids.tolist()
    # the user's own text, in another format, is checked while typing
    vocabulary.get_by_text(".tiktoken", exact=True).click()
    vocabulary.get_by_role("radio", name="Own text").click()
    vocabulary.get_by_role("textbox", name="Text to compare").fill("<b>bold</b> script")
    status = vocabulary.get_by_role("status").filter(has_text="Same ids:")
    expect(status).to_contain_text("of 18 characters, read back by tiktoken")
    # a reload restores the result
    wait_until_idle(vocabulary)
    vocabulary.reload()
    expect(status).to_contain_text("of 18 characters, read back by tiktoken")


@pytest.mark.thorough
def test_a_search_from_far_down_the_table_shows_what_it_finds_from_the_first_on(vocabulary: Page) -> None:
    scroller = vocabulary.get_by_role("grid", name="Tokens", exact=True)
    scroller.evaluate("scroller => scroller.scrollTop = scroller.scrollHeight")
    scroller.scroll_into_view_if_needed()
    expect(scroller.locator("[aria-rowindex='513']")).to_be_in_viewport()
    vocabulary.get_by_role("textbox", name="What the tokens hold").fill("te")
    found = vocabulary.get_by_text(re.compile("^[0-9]+ of 512 tokens$"))
    expect(found).to_be_visible()
    tokens = scroller.locator("[role=rowgroup] [role=row]")
    expect(tokens).to_have_count(int(found.inner_text().split()[0]))
    expect(tokens.first).to_contain_text("te")
    scroller.scroll_into_view_if_needed()
    expect(tokens.first).to_be_in_viewport()
    assert scroller.evaluate("scroller => scroller.scrollTop") == 0


@pytest.mark.thorough
def test_a_point_of_the_chart_of_use_of_hostile_tokens_opens_one_and_plotly_is_loaded_once(page: Page) -> None:
    scripts: list[str] = []
    page.on("request", lambda request: scripts.append(request.url))
    open_page(page, f"/vocabulary?corpus{packed(f'{HOSTILE} $x$ <b>x</b>' * 3)}")
    page.get_by_text("How often tokens are used, by rank").click()
    points = page.locator(f"{USE} .scatterlayer .point")
    expect(points.first).to_be_visible()
    assert len([url for url in scripts if "lotly" in url]) == 1, "both charts share it"
    expect_a_point_to_open_its_token(page)


def test_the_chart_of_use_is_read_and_its_tokens_are_opened_by_keys(charts: Page) -> None:
    page = charts
    chart = page.get_by_role("slider", name="Tokens of the text by frequency")
    chart.scroll_into_view_if_needed()
    expect(page.locator(f"{USE} .scatterlayer .point").first).to_be_visible()
    page.get_by_text("How often tokens are used, by rank").focus()
    page.keyboard.press("Tab")
    while not chart.evaluate("chart => chart.matches(':focus')"):
        page.keyboard.press("Tab")
    expect(chart).to_have_attribute("aria-valuetext", re.compile("Rank by frequency: 1, "))
    page.keyboard.press("ArrowRight")
    expect(chart).to_have_attribute("aria-valuetext", re.compile("Rank by frequency: 2, "))
    expect(page.locator(f"{USE} .hovertext")).to_contain_text("Rank by frequency: 2")
    token = re.search("Id: ([0-9]+)", str(chart.get_attribute("aria-valuetext")))
    assert token is not None
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(rf"token={token[1]}&frequencies=1"))
    wait_until_idle(page)
    expect(page.locator(f"{USE} table tr").nth(1)).to_contain_text("1")  # the same content as text


def test_a_point_of_the_chart_of_use_names_its_token_and_opens_it(charts: Page) -> None:
    charts.locator(USE).scroll_into_view_if_needed()
    expect_a_point_to_open_its_token(charts)


def expect_a_point_to_open_its_token(page: Page) -> None:
    points = page.locator(f"{USE} .scatterlayer .point")
    expect(points.first).to_be_visible()
    wait_until_idle(page)
    at = points.first
    at.scroll_into_view_if_needed()
    box = at.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(f"{USE} .hovertext")).to_contain_text("Rank by frequency: 1")
    shown = rows(page).nth(1).locator("[role=gridcell]").nth(1).inner_text()
    expect(page.locator(f"{USE} .hovertext")).to_contain_text(shown)
    page.mouse.down()
    page.mouse.up()
    first = rows(page).nth(1).locator("[role=gridcell]").first.inner_text()
    expect(page).to_have_url(re.compile(rf"token={first}&frequencies=1"))
    expect(page.get_by_role("heading", name=f"Token {first}")).to_be_visible()
    wait_until_idle(page)


def test_the_chart_of_use_has_the_colours_of_the_theme_and_of_print(charts: Page) -> None:
    page = charts
    numbers = page.locator(f"{USE} .xtick text").first
    page.locator(USE).scroll_into_view_if_needed()
    for theme, colour in (("light", "rgb(93, 102, 110)"), ("dark", "rgb(151, 161, 171)")):
        switch_theme(page, theme)  # type: ignore[arg-type]
        expect(numbers).to_have_css("fill", colour)
    page.locator(".st-key-frequencies-chart .tv > button.picture").click()
    page.get_by_role("menuitemcheckbox", name="For print").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="Download SVG").click()
    drawn = Path(download.value.path()).read_text("utf-8")
    assert {"occurrences", "rank by frequency", "10"} <= set(re.findall(">([^<>]+)</text>", drawn))
    assert "#50585f" in drawn, "the pale ink of print"
    assert "#97a1ab" not in drawn, "that of the dark page"
    expect(numbers).to_have_css("fill", colour)


def test_the_forest_is_walked_by_keys(charts: Page) -> None:
    page = charts
    chart = page.get_by_role("slider", name="Tokens and what they are made of")
    chart.scroll_into_view_if_needed()
    expect(page.locator(f"{FOREST} .treemaplayer .slice").first).to_be_visible()
    wait_until_idle(page)
    page.get_by_text("What tokens are made of").focus()
    page.keyboard.press("Tab")
    while not chart.evaluate("chart => chart.matches(':focus')"):
        page.keyboard.press("Tab")
    before = page.url
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page).not_to_have_url(before)
    expect(page).to_have_url(re.compile("token=[0-9]+.*&forest=1"))


def test_a_box_of_the_forest_zooms_and_opens_its_token(charts: Page) -> None:
    page = charts
    chart = page.locator(FOREST)
    chart.scroll_into_view_if_needed()
    boxes = chart.locator(".treemaplayer .slice")
    expect(boxes.first).to_be_visible()
    wait_until_idle(page)
    box = boxes.filter(has_text=re.compile("^h$")).first
    box.scroll_into_view_if_needed()
    place = box.bounding_box()
    assert place is not None
    page.mouse.move(place["x"] + 8, place["y"] + 8)
    expect(chart.locator(".tip .chip1")).to_have_text("h")
    expect(chart.locator(".tip")).to_contain_text("Id: 3")
    expect(chart.locator(".hovertext")).to_be_hidden()
    page.mouse.down()
    page.mouse.up()
    expect(page).to_have_url(re.compile("token=3.*&forest=1"))
    expect(page.get_by_role("heading", name="Token 3")).to_be_visible()
    expect(chart.locator(".treemaplayer .pathbar").first).to_be_visible()
