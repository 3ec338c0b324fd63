"""A choice in one of Streamlit's own widgets outlives a change of theme, a reload and Back."""

import re

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.helpers import expect, open_page, switch_theme, wait_until_idle


def copied_as(page: Page, name: str) -> Locator:
    return page.get_by_role("radiogroup", name="What to copy").get_by_role("radio", name=name, exact=True)


def to_page(page: Page, name: str) -> None:
    page.get_by_role("link", name=name, exact=True).click()


def choose_copied_as(page: Page, name: str) -> None:
    """Choose the copy format, and wait until it is recorded: a script is faster than React, which then sends it."""
    noted = "() => bpeLab.actions().of.get('address: page encode')?.number ?? 0"
    before = page.evaluate(noted)
    copied_as(page, name).click()
    page.wait_for_function(f"before => ({noted})() > before", arg=before)


def test_a_choice_outlives_a_reload_and_back_right_after_it_and_is_answered_after_a_change_of_theme(page: Page) -> None:
    open_page(page, "/?sample=toy_hug")
    to_page(page, "Encode")
    expect(copied_as(page, "Ids")).to_be_checked()
    choose_copied_as(page, "Bytes")
    page.reload()
    expect(copied_as(page, "Bytes")).to_be_checked()
    expect(page).to_have_url(re.compile("copy=bytes"))
    wait_until_idle(page)

    choose_copied_as(page, "Texts")
    page.go_back()
    expect(page.get_by_label("Go to merge")).to_be_visible()
    page.go_forward()
    expect(copied_as(page, "Texts")).to_be_checked()
    expect(page).to_have_url(re.compile("copy=text"))
    wait_until_idle(page)
    switch_theme(page, "dark")
    copied_as(page, "Bytes").click()
    expect(page, "the answer comes also after a change of the theme").to_have_url(re.compile("copy=bytes"))
    wait_until_idle(page)  # no action is pending any more


def test_where_a_slider_was_moved_to_outlives_a_reload_right_after_it(page: Page) -> None:
    open_page(page, "/vocabulary?sample=toy_hug")
    low, high = (page.get_by_role("slider", name=f"Length in bytes — {end}") for end in ("start", "end"))
    last = int(high.input_value())
    low.press("ArrowRight")
    high.press("ArrowLeft")
    page.reload()
    expect(low).to_have_value("2")
    expect(high).to_have_value(str(last - 1))
    expect(page).to_have_url(re.compile(f"lengths=2-{last - 1}"))
    wait_until_idle(page)  # no action is pending any more


def open_filters(button: Locator) -> None:
    if button.get_attribute("aria-expanded") != "true":
        button.click()


def test_a_number_typed_into_an_empty_field_and_one_that_is_cleared_outlive_a_reload_right_after_it(
    page: Page,
) -> None:
    open_page(page, "/pipeline?with=gpt2")
    for number in ("12", "", "7", ""):
        field = page.get_by_role("spinbutton", name="Truncate to", exact=True)
        field.fill(number)
        field.press("Enter")
        field.blur()
        page.reload()
        expect(field).to_have_value(number)
        wait_until_idle(page)


def test_a_number_cleared_in_a_menu_outlives_a_reload_right_after_it(page: Page) -> None:
    open_page(page, "/algorithms?sample=toy_hug")
    field = page.get_by_role("spinbutton", name="Unigram's seed", exact=True)
    for number in ("500", "", "400"):
        wait_until_idle(page)
        page.get_by_role("button", name="Rules").click()
        field.fill(number)
        field.press("Enter")
        page.reload()
        wait_until_idle(page)
        page.get_by_role("button", name="Rules").click()
        expect(field).to_have_value(number)
        page.keyboard.press("Escape")


_TYPE_WITH_THE_ANSWER = """
([field, set, typed]) => {
  const input = (fiber) => fiber.memoizedProps?.widgetMgr ? fiber : input(fiber.return);
  const hooks = (hook) => hook ? [hook.memoizedState, ...hooks(hook.next)] : [];
  const fiber = () => input(field[Object.keys(field).find((name) => name.startsWith("__reactFiber"))]);
  const isSet = (fiber) => hooks(fiber?.memoizedState).some((state) => state?.value === set);
  const now = performance.now.bind(performance);
  let late = 0;
  performance.now = () => now() + 10 * (late += 1);  // React takes a rest after each of its tasks, as if each were long
  const between = new MessageChannel();
  between.port1.onmessage = () => {
    const isBetween = isSet(fiber()) || isSet(fiber().alternate);
    if (!isBetween && field.value !== `${set}`) return between.port2.postMessage(null);
    performance.now = now;
    if (!isBetween) return;
    window.wasBetween = true;
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, typed);
    field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText" }));
  };
  between.port2.postMessage(null);
}
"""
"""Types into a field once React knows the server's value, and before its effects have shown it."""


def type_number(page: Page, field: Locator, number: int) -> None:
    field.fill(str(number))
    field.press("Enter")
    expect(page).to_have_url(re.compile(f"width={number}"))
    wait_until_idle(page)


@pytest.mark.parametrize("leave", ["Enter", "Tab"])
def test_a_number_typed_in_the_moment_in_which_the_server_sets_it_is_kept_and_sent(page: Page, leave: str) -> None:
    open_page(page, "/?sample=toy_hug")
    field = page.get_by_label("Width of an embedding")
    type_number(page, field, 793)
    choice = page.evaluate("[...bpeLab.choices.noted].at(-1)")
    for _attempt in range(20):  # React may leave no time between
        type_number(page, field, 900)
        page.evaluate(_TYPE_WITH_THE_ANSWER, [field.element_handle(), 793, "1075"])
        page.evaluate("choice => bpeLab.actions().of.get('address: page train').act('chose', choice)", choice)
        expect(page).to_have_url(re.compile("width=793"))
        expect(field).not_to_have_value("900")
        if page.evaluate("window.wasBetween"):
            break
    expect(field).to_have_value("1075")
    field.press(leave)
    expect(page).to_have_url(re.compile("width=1075"))


def test_what_the_server_sets_after_a_choice_is_not_recorded_as_the_next_one(page: Page) -> None:
    open_page(page, "/encode?sample=toy_hug&with=gpt2&text=low&many=1")
    slider = page.get_by_role("slider", name="Dropout p", exact=False)
    chosen = "[...bpeLab.choices.noted].findLast(([id]) => id.endsWith('encode dropout'))"
    slider.press("ArrowLeft")
    wait_until_idle(page)
    earlier = page.evaluate(chosen)
    slider.press("ArrowLeft")
    wait_until_idle(page)
    page.evaluate("choice => bpeLab.actions().of.get('address: page encode').act('chose', choice)", earlier)
    expect(slider).to_have_attribute("aria-valuetext", "0.05")  # set by the server
    wait_until_idle(page)
    number = page.evaluate("bpeLab.actions().of.get('address: page encode').number")
    choose_copied_as(page, "Texts")
    wait_until_idle(page)
    assert page.evaluate("bpeLab.actions().of.get('address: page encode').number") == number + 1


def test_a_thumb_that_is_released_elsewhere_outlives_a_reload_right_after_it(page: Page) -> None:
    open_page(page, "/vocabulary?of=gpt2")
    high = page.get_by_role("slider", name="Length in bytes — end")
    last = int(high.input_value())
    page.locator(".stSlider").filter(has=high).get_by_test_id("stSliderThumbValue").last.locator("..").hover()
    page.mouse.down()
    page.mouse.move(900, 450, steps=5)
    page.mouse.up()
    page.reload()
    expect(high).not_to_have_value(str(last))
    wait_until_idle(page)


def test_a_menu_is_in_the_language_of_the_page_after_a_change_of_language_and_a_reload(page: Page) -> None:
    open_page(page, "/vocabulary?sample=toy_hug")
    filters = page.get_by_test_id("stPopoverButton").filter(has_text=re.compile("Filters|筛选"))
    filters.click()
    scripts = page.get_by_role("combobox", name="Script", exact=True)
    scripts.click()
    page.get_by_role("listbox").get_by_role("option", name=re.compile("^Latin")).click()
    page.keyboard.press("Escape")
    chosen = page.get_by_test_id("stMultiSelect").locator("[data-tag]")
    expect(chosen).to_have_text(re.compile("^Latin"))
    for now, to, shown in (("English", "中文", "拉丁文"), ("中文", "English", "Latin")):
        wait_until_idle(page)
        page.get_by_role("button", name=now, exact=True).click()
        page.get_by_role("menuitem", name=to).click()
        expect(page.get_by_role("button", name=to, exact=True)).to_be_visible()
        expect(filters).to_contain_text(shown)
        if to == "中文":
            open_filters(filters)
            expect(chosen).to_have_text(re.compile(f"^{shown}"))
    open_filters(filters)
    page.get_by_text("Never used", exact=True).click()
    page.reload()
    wait_until_idle(page)
    open_filters(filters)
    expect(chosen).to_have_text(re.compile("^Latin"))
    expect(page).to_have_url(re.compile("scripts=Latin"))


def test_a_choice_right_before_another_page_is_kept_over_a_reload_there(page: Page) -> None:
    open_page(page, "/vocabulary?sample=toy_hug")
    page.get_by_test_id("stPopoverButton").filter(has_text="Filters").click()
    page.get_by_text("Never used", exact=True).click()
    to_page(page, "Lessons")
    expect(page.get_by_role("heading", name="Lessons").first).to_be_attached()
    wait_until_idle(page)
    page.reload()
    wait_until_idle(page)
    to_page(page, "Vocabulary")
    expect(page.get_by_test_id("stPopoverButton").filter(has_text="Filters: Never used")).to_be_visible()
    expect(page).to_have_url(re.compile("tokens=unused"))
