"""A page that plays by itself, opened from the disk without a network: it shows what the app shows."""

from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page

from bpe_core import TrainConfig, compare, load_pretrained, train
from tests.browser.helpers import expect, wait_until_idle

SAMPLES = Path(__file__).parents[2] / "sample_texts"
HOSTILE = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'> \u202e\ufeff"


def opened(page: Page, folder: Path, text: str, **options: object) -> None:
    training = train(text, TrainConfig(vocab_size=300))
    training.to_html(folder / "page.html", title="A page", **options)  # type: ignore[arg-type]
    page.goto((folder / "page.html").as_uri())
    expect(page.locator(".player")).to_be_visible()


def step_of(page: Page) -> Locator:
    return page.locator(".field input")


def test_it_shows_at_every_step_what_the_app_shows(page: Page, offline: Page, tmp_path: Path) -> None:
    text = (SAMPLES / "toy_low_lower.txt").read_text("utf-8")
    opened(offline, tmp_path, text)
    page.goto(f"/?{urlencode({'corpus': text, 'vocab_size': 300})}")
    wait_until_idle(page)
    cards = {
        "story": ".st-key-story",
        "changes": ".st-key-changes",
        "text": ".st-key-text",
        "candidates": ".st-key-candidates",
        "merges": ".st-key-merges",
    }
    for keys in ([], ["ArrowRight"], ["ArrowRight"] * 3, ["End"], ["ArrowLeft"], ["Home"]):
        for tab in (page, offline):
            for key in keys:
                tab.keyboard.press(key)
        wait_until_idle(page)
        expect(step_of(offline)).to_have_value(step_of(page).input_value())
        for name, card in cards.items():
            for drawn in (".story .chips", ".story .words", ".flow", ".space"):
                ours, theirs = offline.locator(f".card.{name} {drawn}"), page.locator(f"{card} {drawn}")
                if theirs.count():
                    shown = theirs.first.inner_text()
                    expect(ours.first, f"{name} after {keys}").to_have_text(shown, use_inner_text=True)
        for said in (".curve b", ".curve :is(.caption, figcaption)"):
            values = page.locator(f".st-key-curves {said}").all_inner_texts()
            assert len(values) == 2
            expect(offline.locator(said)).to_have_text(values)


def test_it_plays_scrubs_and_goes_to_the_merge_of_a_row(offline: Page, tmp_path: Path) -> None:
    opened(offline, tmp_path, (SAMPLES / "lantern_story.txt").read_text("utf-8"), step=3)
    expect(step_of(offline)).to_have_value("3")
    offline.get_by_label("Speed").select_option("20")
    offline.keyboard.press(" ")
    expect(offline.get_by_role("button", name="Pause")).to_be_visible()
    expect(step_of(offline)).to_have_value("44")
    expect(offline.get_by_role("button", name="Play")).to_be_visible()
    offline.get_by_role("slider").fill("20")
    expect(offline.locator(".story .words")).to_contain_text("Merge 20.")
    expect(offline.locator(".flow")).to_have_attribute("data-step", "20")
    plot = offline.locator(".curve .plot").last
    plot.click(position={"x": 0.5 * plot.evaluate("el => el.clientWidth"), "y": 40})
    expect(step_of(offline)).to_have_value("22")
    offline.get_by_role("searchbox").fill("20 74")
    offline.locator(".card.merges .space .row").first.click()
    expect(step_of(offline)).to_have_value("2")


def test_a_token_opens_its_origin_and_its_tree(offline: Page, tmp_path: Path) -> None:
    opened(offline, tmp_path, "low lower lowest low", step=4)
    offline.locator(".card.text .t", has_text="low").first.click()
    card = offline.locator(".card.token")
    expect(card).to_contain_text("was made at merge 2 from")
    expect(offline.locator(".card.candidates")).to_be_hidden()
    card.locator(".node").nth(1).click()
    expect(card.locator("h2")).to_have_text("Token 256")
    card.get_by_role("button", name="Go to merge 1").click()
    expect(step_of(offline)).to_have_value("1")
    card.get_by_role("button", name="Close").click()
    expect(offline.locator(".card.candidates")).to_be_visible()


def test_no_text_becomes_markup_and_the_page_plays_in_a_frame_without_rights(offline: Page, tmp_path: Path) -> None:
    opened(offline, tmp_path, HOSTILE * 2)
    offline.keyboard.press("End")
    assert offline.evaluate("window.hacked") is None
    (tmp_path / "course.html").write_text('<iframe src="page.html" sandbox="allow-scripts" width="1000" height="900">')
    offline.goto((tmp_path / "course.html").as_uri())
    frame = offline.frame_locator("iframe")
    frame.get_by_role("button", name="Next").click()
    expect(frame.locator(".story .words")).to_contain_text("Merge 1.")


@pytest.mark.parametrize("width", [1280, 800, 390])
def test_nothing_is_wider_than_the_window(offline: Page, tmp_path: Path, width: int) -> None:
    offline.set_viewport_size({"width": width, "height": 800})
    opened(offline, tmp_path, (SAMPLES / "japanese_station_clock.txt").read_text("utf-8"), language="ja", step=30)
    expect(offline.get_by_role("button", name="次へ")).to_be_visible()
    assert offline.evaluate("document.documentElement.scrollWidth") <= width


def test_it_follows_the_theme_of_the_system_until_the_button_is_pressed(offline: Page, tmp_path: Path) -> None:
    offline.emulate_media(color_scheme="dark")
    opened(offline, tmp_path, "low lower")
    expect(offline.locator("body")).to_have_css("background-color", "rgb(15, 18, 22)")
    offline.get_by_role("button", name="Light or dark").click()
    expect(offline.locator("body")).to_have_css("background-color", "rgb(251, 251, 249)")
    offline.emulate_media(media="print")
    expect(offline.locator(".player-bar")).to_be_hidden()


def test_on_paper_everything_is_whole_and_tokens_keep_their_colours(offline: Page, tmp_path: Path) -> None:
    offline.emulate_media(color_scheme="dark")
    opened(offline, tmp_path, (SAMPLES / "lantern_story.txt").read_text("utf-8"), step=20)
    rows = offline.locator(".card.merges .space .row")
    flow = offline.locator(".flow")
    cut = "el => el.scrollHeight - el.clientHeight"
    numbers = "rows => rows.map((row) => Number(row.ariaRowIndex)).sort((a, b) => a - b)"
    shown = rows.evaluate_all(numbers)
    assert flow.evaluate(cut) > 0
    offline.evaluate("dispatchEvent(new Event('beforeprint'))")
    offline.emulate_media(media="print")
    expect(rows).to_have_count(44)
    assert rows.evaluate_all("rows => rows.every((row, at) => row.ariaRowIndex === String(at + 2))"), "in order"
    for whole in (flow, offline.locator(".card.merges .scroll"), offline.locator(".card.changes .scroll")):
        assert whole.evaluate(cut) <= 0
    assert offline.evaluate("document.documentElement.scrollWidth") <= 1280
    expect(flow.locator(".t").first).to_have_css("print-color-adjust", "exact")
    expect(offline.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
    offline.emulate_media(media="screen")
    offline.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(rows).to_have_count(len(shown))
    assert rows.evaluate_all(numbers) == shown


def test_another_language_changes_the_words_and_keeps_the_place(offline: Page, tmp_path: Path) -> None:
    text = (SAMPLES / "toy_low_lower.txt").read_text("utf-8")
    opened(offline, tmp_path, text, step=3, language=["en", "ja", "zh"])
    offline.keyboard.press("ArrowRight")
    offline.get_by_label("Speed").select_option("5")
    offline.locator(".card.text .t", has_text="low").first.click()
    offline.get_by_role("searchbox").fill("es")
    rows = offline.locator(".card.merges .space .row")
    found = rows.count()
    for language, name, following in (("ja", "日本語", "次へ"), ("zh", "中文", "下一步"), ("en", "English", "Next")):
        offline.get_by_role("button", name=name).click()
        expect(offline.locator("html")).to_have_attribute("lang", language)
        expect(offline.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "true")
        expect(offline.get_by_role("button", name=following)).to_be_visible()
        expect(step_of(offline)).to_have_value("4")
        expect(offline.locator(".flow")).to_have_attribute("data-step", "4")
        expect(offline.locator(".card.token .node").first).to_be_visible()
        expect(rows).to_have_count(found)
        expect(offline.locator(".player select")).to_have_value("5")
    offline.goto((tmp_path / "page.html").as_uri() + "#ja")
    offline.reload()
    step_of(offline).press("Escape")
    offline.locator("h1").click()
    offline.keyboard.press("ArrowRight")
    expect(step_of(offline)).to_have_value("4")
    training = train(text, TrainConfig(vocab_size=300))
    training.to_html(tmp_path / "alone.html", title="A page", language="ja", step=4)
    shown = [
        offline.locator(part).all_inner_texts() for part in ("header p", ".story", ".card .space", ".curve", "footer")
    ]
    offline.goto((tmp_path / "alone.html").as_uri())
    expect(offline.locator(".flow")).to_have_attribute("data-step", "4")
    for part, texts in zip(("header p", ".story", ".card .space", ".curve", "footer"), shown, strict=True):
        expect(offline.locator(part)).to_have_text(texts, use_inner_text=True)


def test_train_offers_the_page_with_its_size(page: Page, offline: Page, tmp_path: Path) -> None:
    page.goto("/?corpus=toy_low_lower&step=2")
    wait_until_idle(page)
    page.get_by_role("button", name="As a page").click()
    expect(page.get_by_text("merges, about")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as page").click()
    download.value.save_as(tmp_path / "merges.html")
    offline.goto((tmp_path / "merges.html").as_uri())
    expect(step_of(offline)).to_have_value("2")
    expect(offline.locator(".story .words")).to_contain_text("Merge 2.")


def test_a_comparison_goes_from_difference_to_difference_as_the_app_does(
    page: Page, offline: Page, tmp_path: Path
) -> None:
    text = "The lowest lanterns, 12345!\nunbelievably low"
    names = {"GPT-2": "gpt2", "cl100k": "cl100k_base", "o200k": "o200k_base"}
    comparison = compare(text, {title: load_pretrained(name) for title, name in names.items()})
    comparison.to_html(tmp_path / "page.html")
    offline.goto((tmp_path / "page.html").as_uri())
    query = urlencode([("text", text), *(("with", name) for name in names.values())])
    page.goto(f"/compare?{query}")
    wait_until_idle(page)
    expect(offline.locator(".headline")).to_have_text(
        page.locator(".st-key-headline [data-testid=stText]").inner_text()
    )
    for keys in ([], ["n"], ["n"], ["p"]):
        for tab in (page, offline):
            for key in keys:
                tab.keyboard.press(key)
        wait_until_idle(page)
        theirs = page.locator(".st-key-why .reason").inner_text()
        expect(offline.locator(".card.why .reason")).to_have_text(theirs, use_inner_text=True)
        expect(offline.locator(".card.lines .note")).to_have_text(
            page.locator(".st-key-lines .note").inner_text(), use_inner_text=True
        )


def test_a_clicked_token_of_a_comparison_says_why_or_that_the_two_agree(offline: Page, tmp_path: Path) -> None:
    names = {"GPT-2": "gpt2", "cl100k": "cl100k_base", "o200k": "o200k_base"}
    both = compare("low 12345", {title: load_pretrained(name) for title, name in names.items()})
    both.to_html(tmp_path / "page.html", title="Numbers", language=("zh", "en"))
    offline.goto((tmp_path / "page.html").as_uri())
    expect(offline.locator(".lanes .lane")).to_have_count(3)
    other = offline.locator(".card.why select").nth(1)
    other.select_option("2")
    in_chinese = offline.locator(".card.why .reason").inner_text()
    offline.get_by_role("button", name="English").click()
    expect(other).to_have_value("2")
    expect(offline.locator(".card.why .reason")).not_to_have_text(in_chinese, use_inner_text=True)
    other.select_option("1")
    last = offline.locator(".lanes .lane").nth(2).locator(".t").last
    first = offline.locator(".lanes .lane").first.locator(".t").first
    last.click()  # of o200k: compared with GPT-2
    expect(offline.get_by_label("The other tokenizer")).to_have_value("2")
    expect(offline.locator(".reason")).to_contain_text("Split boundary")
    first.click()
    expect(offline.locator(".card.why")).to_contain_text("Where you clicked, GPT-2 and o200k agree.")
    offline.get_by_label("One tokenizer").select_option("cl100k")
    expect(offline.locator(".headline")).to_contain_text("cl100k and o200k segment this text in the same way")
    expect(offline.locator(".reason")).to_be_hidden()


def test_compare_offers_the_page(page: Page, offline: Page, tmp_path: Path) -> None:
    page.goto("/compare?text=low+12345&with=gpt2&with=cl100k_base")
    wait_until_idle(page)
    page.get_by_role("button", name="As a page").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as page").click()
    download.value.save_as(tmp_path / "comparison.html")
    offline.goto((tmp_path / "comparison.html").as_uri())
    expect(offline.locator(".headline")).to_contain_text("GPT-2")


def test_encode_offers_what_is_typed_in_all_languages(page: Page, offline: Page, tmp_path: Path) -> None:
    page.goto("/encode?text=low&lang=ja")
    wait_until_idle(page)
    page.get_by_role("textbox", name="エンコードするテキスト").fill(f"lower {HOSTILE}")
    wait_until_idle(page)
    page.locator("[class*=st-key-encoding-as-a-page] button").first.click()
    with page.expect_download() as download:
        page.locator(".st-key-download-encoding-page-in-all-languages button").click()
    download.value.save_as(tmp_path / "tokens.html")
    offline.goto((tmp_path / "tokens.html").as_uri())
    assert offline.evaluate("window.hacked") is None
    expect(offline.locator("h1")).to_contain_text("GPT-2")
    expect(offline.locator(".flow")).to_contain_text("lower")
    offline.locator(".flow .t", has_text="img").click()
    title = offline.locator(".card.token h2").inner_text()
    offline.get_by_role("button", name="English").click()
    expect(offline.locator("h1")).to_have_text("The text in tokens: GPT-2")
    expect(offline.locator(".card.token h2")).to_have_text(f"Token {title.removeprefix('トークン')}")
    expect(offline.locator(".card.token .space")).to_contain_text("In this text")
