"""The language menu in a browser: by keyboard, kept over pages, reload and Back; and its space beside the pages."""

from playwright.sync_api import Page

from bpe_core.language import LANGUAGES
from tests.browser.helpers import choose_language, expect, open_page, wait_for, wait_until_idle

IN_ADDRESS = "text => location.search.includes(text)"


def languages(page: Page, name: str) -> None:
    expect(page.locator(".st-key-languages").get_by_role("button", name=name, exact=True)).to_be_visible()


def test_a_language_is_chosen_by_keyboard_and_kept_over_pages_reload_and_back(page: Page) -> None:
    open_page(page, "/encode")
    page.locator(".st-key-languages").get_by_role("button", name="English", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("menuitem")).to_have_count(len(LANGUAGES))
    page.wait_for_function("() => document.activeElement?.closest('[role=menu]') !== null")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("menuitem", name="日本語")).to_be_focused()
    page.keyboard.press("Enter")
    page.reload()  # immediately
    languages(page, "日本語")
    page.wait_for_function(IN_ADDRESS, arg="lang=ja")
    assert page.evaluate("document.documentElement.lang") == "ja"
    page.locator('[data-testid="stTopNavLink"]').nth(2).click()
    page.wait_for_url("**/compare?**lang=ja")
    languages(page, "日本語")
    wait_until_idle(page)
    page.go_back()
    page.wait_for_url("**/encode?**")
    wait_until_idle(page)
    languages(page, "日本語")


def test_the_controls_are_beside_the_names_of_the_pages_at_any_width(page: Page) -> None:
    open_page(page, "/encode?via=overlaps")
    ends = "Math.max(...[...document.querySelectorAll('[data-testid=stTopNav] :is(a, button)')].map(each => each."
    ends = f"{ends}checkVisibility({{visibilityProperty: true, opacityProperty: true}}) ? "
    ends = f"{ends}each.getBoundingClientRect().right : 0))"
    begins = "document.querySelector('.st-key-link-bar').getBoundingClientRect().left"
    for width in (1280, 1024, 800):
        page.set_viewport_size({"width": width, "height": 700})
        page.wait_for_function(f"() => innerWidth === {width} && {ends} <= {begins}")


def test_the_words_of_streamlit_itself_follow_the_language(page: Page) -> None:
    open_page(page, "/?lang=ja")
    page.get_by_role("button", name="ファイルを開く").click()
    upload = page.get_by_test_id("stFileUploaderDropzone")
    expect(upload).to_contain_text("ファイルを選択")
    expect(upload).not_to_contain_text("per file")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="レッスンファイル").first.click()
    page.locator("[data-testid=stPopoverBody] input[type=file]").set_input_files(
        {"name": "a.png", "mimeType": "image/png", "buffer": b"a"}
    )
    expect(upload).to_contain_text("形式 image/png のファイルはここでは読めません。")
    page.keyboard.press("Escape")
    expect(page.get_by_label("Link to heading")).to_have_count(0)
    expect(page.get_by_alt_text("ロゴ").first).to_be_attached()
    page.get_by_role("button", name="設定").first.click()
    expect(page.get_by_role("button", name="語末記号の説明")).to_be_visible()
    expect(page.locator("[aria-label^='Help for']")).to_have_count(0)
    page.keyboard.press("Escape")
    menu = page.get_by_role("button", name="メインメニュー")
    menu.click()
    expect(page.get_by_test_id("stThemeSwitcher")).to_contain_text("ダーク")
    expect(page.get_by_test_id("stThemeSwitcher")).not_to_contain_text("System")
    page.keyboard.press("Escape")
    page.locator(".st-key-languages").get_by_role("button", name="日本語").click()
    page.get_by_role("menuitem", name="English").click()
    page.get_by_role("button", name="Main menu").click()
    expect(page.get_by_test_id("stThemeSwitcher")).to_contain_text("System")


def test_a_panel_that_is_open_stays_open_in_another_language(page: Page) -> None:
    open_page(page, "/algorithms?tables=1")
    panels = page.locator("details:has(summary)")
    for language in ("ja", "en"):
        expect(panels.first).to_have_attribute("open", "")
        choose_language(page, language)
        page.wait_for_function(IN_ADDRESS, arg=f"lang={language}")
    expect(panels.first).to_have_attribute("open", "")
    assert "tables=1" in page.url


def test_the_value_of_a_slider_is_in_one_line_in_every_language(page: Page) -> None:
    open_page(page, "/encode?text=low+lower&many=1&dropout=50&lang=ja")
    value = page.get_by_test_id("stSliderThumbValue").filter(has_text="0.50")
    expect(value).to_be_visible()
    width, height = value.evaluate("each => [each.offsetWidth, each.offsetHeight]")
    assert width > height, "the digits stand below each other"


LINES = """elements => elements.map(element => {
    const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
    const range = document.createRange();
    const tops = [...text.data].map((_, at) => {
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return Math.round(range.getBoundingClientRect().top);
    });
    return [text.data, tops.filter(top => top === tops.at(-1)).length, new Set(tops).size];
})"""


def test_no_title_of_a_lesson_ends_with_a_line_of_one_character(page: Page) -> None:
    open_page(page, "/lessons?lang=zh")
    titles = page.locator("[class*=st-key-course-of] .stButton p")
    expect(titles.first).to_be_visible()
    wait_for(page, lambda: all(last > 1 for _title, last, _number in titles.evaluate_all(LINES)))
    assert any(number > 1 for _title, _last, number in titles.evaluate_all(LINES))


def test_in_japanese_the_table_of_a_pipeline_fits_a_narrow_window_and_hints_break_between_phrases(page: Page) -> None:
    page.set_viewport_size({"width": 800, "height": 900})
    open_page(page, "/pipeline?lang=ja")
    head = page.locator(".st-key-encoding-table [role=columnheader]").last
    expect(head).to_contain_text("マスク")
    assert head.evaluate("head => head.getBoundingClientRect().right") <= 800
    for hint in (".st-key-labels-over-tokens p.chosen", ".card .hint"):
        expect(page.locator(hint).first).to_be_visible()
        assert page.locator(hint).first.evaluate("hint => getComputedStyle(hint).wordBreak") == "auto-phrase"


def test_all_choices_of_a_card_are_in_sight_on_a_narrow_stage(page: Page) -> None:
    page.set_viewport_size({"width": 800, "height": 900})
    open_page(page, "/encode?lang=ja&stage=1")
    choices = page.locator(".st-key-tokens [data-testid=stButtonGroup] > *").last
    expect(choices).to_be_visible()
    assert choices.evaluate("choices => choices.scrollWidth <= choices.clientWidth")
