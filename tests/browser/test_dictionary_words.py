"""Words by the browser's own dictionary, on Encode and Compare."""

from playwright.sync_api import Page

from tests.browser.helpers import expect, open_page
from tests.browser.test_axe import expect_nothing_found_in_both_themes


def test_the_browser_divides_a_text_into_words_and_the_tokens_are_compared_with_them(page: Page) -> None:
    page.set_viewport_size({"width": 800, "height": 900})
    open_page(page, "/encode?text=乒乓球拍卖完了&with=o200k_base")
    page.get_by_role("radio", name="Dictionary words").click()
    words = page.get_by_role("group", name="Dictionary words")
    expect(words.locator(".t")).to_have_count(3)  # 乒乓球|拍卖|完了, where a reader would divide 乒乓球拍|卖完了
    expect(page.get_by_text("Words cut by tokens: 3 of 3.")).to_be_visible()
    words.locator(".t").nth(1).hover()
    tip = page.locator(".tip:popover-open")
    expect(tip).to_contain_text("拍卖")
    expect(tip).not_to_contain_text("id")
    page.get_by_role("radio", name="jieba (Chinese)").click()
    expect(page.get_by_text('pip install ".[chinese]"')).to_be_visible()
    expect_nothing_found_in_both_themes(page)
