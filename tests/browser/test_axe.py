"""Every page as axe-core sees it, in both themes: names, roles, headings, contrast."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.helpers import open_page, wait_until_idle
from tests.browser.test_train import open_train, step

AXE = (Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")

PAGES = {
    "Train": "/",
    "Encode": "/encode",
    "Compare": "/compare",
    "Vocabulary": "/vocabulary",
    "Algorithms": "/algorithms",
    "Pipeline": "/pipeline",
    "Lessons": "/lessons",
}

OF_STREAMLIT: set[tuple[str, str]] = set()
"""What Streamlit's own widgets do wrong and the app cannot reach: rule and selector of each, the reason beside it."""

# Also the rule for those who say what they see: axe-core has it, but does not run it by itself.
_RUN = """() => axe.run(document, {
    resultTypes: ["violations"],
    rules: { "label-content-name-mismatch": { enabled: true } },
})"""


def violations(page: Page) -> list[str]:
    """What axe-core finds on the page, a line each: the rule, where, and what is there."""
    page.evaluate(AXE)
    found: dict[str, Any] = page.evaluate(_RUN)
    return [
        f"{rule['id']}: {selector_of(node)}: {node['html'][:160]}: {measured(node)}"
        for rule in found["violations"]
        for node in rule["nodes"]
        if (rule["id"], selector_of(node)) not in OF_STREAMLIT
    ]


def selector_of(node: dict[str, Any]) -> str:
    return json.dumps(node["target"][-1])


def measured(node: dict[str, Any]) -> str:
    """The colours, where it is about them."""
    data = next((check["data"] for check in node["any"] if isinstance(check["data"], dict)), {})
    return " ".join(str(data[name]) for name in ("fgColor", "bgColor", "contrastRatio") if data.get(name))


@pytest.mark.parametrize("title", PAGES)
def test_axe_finds_nothing_on_any_page(page: Page, title: str) -> None:
    open_page(page, PAGES[title])
    wait_until_idle(page, quiet=600)
    assert violations(page) == []


@pytest.mark.parametrize("language", ["ja", "zh"])
@pytest.mark.parametrize("title", PAGES)
def test_axe_finds_nothing_on_any_page_in_other_languages(page: Page, title: str, language: str) -> None:
    open_page(page, f"{PAGES[title]}?lang={language}")
    wait_until_idle(page, quiet=600)
    assert page.evaluate("document.documentElement.lang") == language
    assert violations(page) == []


@pytest.mark.parametrize("title", ["Train", "Encode"])
def test_axe_finds_nothing_with_high_contrast(page: Page, title: str) -> None:
    open_page(page, PAGES[title])
    page.get_by_role("button", name="High contrast").click()
    wait_until_idle(page, quiet=600)
    assert violations(page) == []


def test_axe_finds_nothing_on_a_step_with_a_token_open(page: Page) -> None:
    open_train(page)
    page.keyboard.press("End")
    expect(step(page)).to_have_value("256")
    wait_until_idle(page)
    page.get_by_role("listbox", name="The training text in tokens").get_by_role("option").nth(3).click()
    wait_until_idle(page, quiet=600)
    assert violations(page) == []


def test_axe_finds_nothing_on_a_lesson(page: Page) -> None:
    open_page(page, "/lessons?lesson=first_merges")
    wait_until_idle(page, quiet=600)
    assert violations(page) == []


@pytest.mark.parametrize("title", PAGES)
def test_axe_finds_nothing_on_the_stage(page: Page, title: str) -> None:
    open_page(page, PAGES[title])
    wait_until_idle(page)
    page.keyboard.press("s")
    tabs = page.get_by_role("tab", name=re.compile(r"^\d"))
    expect(tabs.first).to_be_visible()
    for number in range(1, min(tabs.count(), 9) + 1):
        page.keyboard.press(str(number))
        wait_until_idle(page, quiet=300)
        assert violations(page) == []


def test_axe_finds_nothing_on_a_lesson_on_the_stage(page: Page) -> None:
    open_page(page, "/lessons?lesson=overlaps&stage=1")
    expect(page.get_by_role("tab").first).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("o")
    expect(page.locator(".st-key-lesson-strip")).to_be_visible()
    wait_until_idle(page, quiet=600)
    page.keyboard.press("a")
    expect(page.locator(".st-key-strip-answered")).to_be_visible()
    wait_until_idle(page, quiet=600)
    assert violations(page) == []


@pytest.mark.parametrize("color_scheme", ["light"])
def test_the_title_and_the_first_heading_say_the_page(page: Page) -> None:
    open_page(page)
    for title in PAGES:
        page.get_by_role("link", name=title, exact=True).click()
        expect(page).to_have_title(f"{title} · BPE Lab")
        expect(page.get_by_role("heading", name=title, level=1, exact=True)).to_be_attached()


@pytest.mark.parametrize("color_scheme", ["light"])
def test_a_step_is_announced_once_it_stays(page: Page) -> None:
    open_train(page)
    said = page.locator(".tv:has(.story) .said")
    said.evaluate("""el => {
        window.announced = [];
        new MutationObserver(() => window.announced.push(el.textContent)).observe(el, { childList: true });
    }""")
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    expect(said).to_have_text(re.compile(r'^".+" and ".+" become ".+"\. Merge 12\. The pair occurred .+ tie'))
    told = page.evaluate("window.announced")
    assert len(told) < 4, told
