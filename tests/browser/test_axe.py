"""Every page checked by axe-core in both themes: names, roles, headings, contrast. And content that does not fit.

An open page is used for as many checks as possible: in both themes, and at several widths.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page

from bpe_core.language import LANGUAGES, add_catalogues
from bpe_core.language.current import using_language
from tests.browser.helpers import expect, open_page, step, switch_theme, wait_until_idle
from tests.browser.test_train import open_train
from tests.draws import first
from ui.session.lessons import lesson
from ui.widgets.display import page_title

PROJECT = Path(__file__).parents[2]
TEXT = (
    "A lantern, two lanterns: 12 + 30 = 42.\n\t東京の駅, Größe, café, e\u0301.\nthe lantern in a window of the tower\n"
)

AXE = (PROJECT / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")

PAGES = {
    "Train": "/",
    "Encode": "/encode",
    "Compare": "/compare",
    "Vocabulary": "/vocabulary",
    "Algorithms": "/algorithms",
    "Pipeline": "/pipeline",
    "Lessons": "/lessons",
}

FIRST_THEME = dict(zip(PAGES, ["light", "dark"] * 4, strict=False))
"""The theme in which a page is opened in all languages but Japanese, which uses the other one."""

OTHER = {"light": "dark", "dark": "light"}

IN_LANGUAGES = [
    pytest.param(title, language, OTHER[theme] if language == "ja" else theme, id=f"{title}-{language}")
    for turn in range(len(LANGUAGES))
    for at, (title, theme) in enumerate(FIRST_THEME.items())
    for language in [[*LANGUAGES][(at + turn) % len(LANGUAGES)]]
]
"""Every page in every language. English is checked in both themes, the others in one theme per page, so that each
language and each page are checked in each theme. The first seven contain each page once, and each language."""

SMALL = {
    "Train": {"corpus": TEXT},
    "Compare": {"text": TEXT, "with": ["gpt2", "o200k_base", "bert-base-uncased"]},
    "Algorithms": {"sample": "toy_hug"},
}
"""Content of the pages in the short run: as many kinds of elements as by default, and fewer of each."""

OF_STREAMLIT: set[tuple[str, str]] = set()
"""Violations in Streamlit's own widgets that the app cannot fix: rule and selector, with the reason in a comment."""

# Also the rule for users of speech input (visible labels): axe-core does not run it by default.
_RUN = """() => axe.run(document, {
    resultTypes: ["violations"],
    rules: { "label-content-name-mismatch": { enabled: true } },
})"""


# Elements wider than the window, and buttons whose labels do not fit.
_CUT_OFF = """() => {
    const seen = (el) => el.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const main = document.querySelector("[data-testid=stMain]");
    const wide = Math.max(document.documentElement.scrollWidth - innerWidth, main.scrollWidth - main.clientWidth);
    const cut = [...document.querySelectorAll("button, [role=radio], [data-testid=stMetricLabel], h1, h2, h3")]
        .filter((el) => seen(el) && !el.closest("[role=listbox]") && getComputedStyle(el).clipPath === "none")
        .filter((el) => el.scrollWidth > el.clientWidth + 2 && getComputedStyle(el).overflow !== "visible")
        .map((el) => el.textContent.trim());
    return [...(wide > 0 ? [`page: ${wide} px`] : []), ...cut];
}"""


def violations(page: Page) -> list[str]:
    """Violations found by axe-core, one line each: rule, target and markup."""
    if page.evaluate("window.axe === undefined"):
        page.evaluate(AXE)
    found: dict[str, Any] = page.evaluate(_RUN)
    return [
        f"{rule['id']}: {selector_of(node)}: {node['html'][:160]}: {measured(node)}"
        for rule in found["violations"]
        for node in rule["nodes"]
        if (rule["id"], selector_of(node)) not in OF_STREAMLIT
    ]


def expect_nothing_found_in_both_themes(page: Page) -> None:
    for theme in ("light", "dark"):
        switch_theme(page, theme)
        assert violations(page) == [], theme


def expect_nothing_found_on_the_stage(page: Page) -> None:
    page.keyboard.press("s")
    tabs = page.get_by_role("tab", name=re.compile(r"^\d"))
    expect(tabs.first).to_be_visible()
    for theme in ("light", "dark"):
        switch_theme(page, theme)
        for number in range(1, min(tabs.count(), 9) + 1):
            page.keyboard.press(str(number))
            expect(tabs.nth(number - 1)).to_have_attribute("aria-selected", "true")
            wait_until_idle(page, quiet=300)
            assert violations(page) == []


def selector_of(node: dict[str, Any]) -> str:
    return json.dumps(node["target"][-1])


def measured(node: dict[str, Any]) -> str:
    """The measured colours, if the rule is about contrast."""
    data = next((check["data"] for check in node["any"] if isinstance(check["data"], dict)), {})
    return " ".join(str(data[name]) for name in ("fgColor", "bgColor", "contrastRatio") if data.get(name))


@pytest.fixture(scope="module", autouse=True)
def pages_are_called_as_in_the_app() -> None:
    add_catalogues(PROJECT / "ui" / "translations")


def open_titled(page: Page, title: str, language: str = "en", shown: Mapping[str, Any] = {}) -> None:
    """Open a page in a language, and assert that it is this page in this language: any other would prove nothing."""
    open_page(page, f"{PAGES[title]}?{urlencode({'lang': language, **shown}, doseq=True)}")
    with using_language(language):
        name = page_title(title.lower())
    expect(page).to_have_title(f"{name} · BPE Lab")
    expect(page.get_by_role("heading", name=name, level=1, exact=True)).to_be_attached()
    expect(page.locator("html")).to_have_attribute("lang", language)
    wait_until_idle(page, quiet=600)


def open_lesson(page: Page, name: str) -> None:
    """Open a lesson, and assert that it is this one, not the list of all."""
    open_page(page, f"/lessons?lesson={name}")
    expect(page.get_by_role("heading", name=lesson(name).title, exact=True)).to_be_visible()
    wait_until_idle(page, quiet=600)


@pytest.mark.parametrize("shown", first(1, [pytest.param(SMALL, id="little"), pytest.param({}, id="as it opens")]))
@pytest.mark.parametrize(("title", "language", "color_scheme"), first(len(PAGES), IN_LANGUAGES))
def test_every_page_fits_into_800_pixels_and_axe_finds_nothing_on_it_in_any_language(
    page: Page, title: str, language: str, color_scheme: str, shown: dict[str, dict[str, Any]]
) -> None:
    page.set_viewport_size({"width": 800, "height": 900})
    open_titled(page, title, language, shown.get(title, {}))
    assert page.evaluate(_CUT_OFF) == []
    assert violations(page) == []


@pytest.mark.thorough
@pytest.mark.parametrize(("title", "language", "color_scheme"), IN_LANGUAGES)
def test_axe_finds_nothing_on_a_wide_page_in_any_language(
    page: Page, title: str, language: str, color_scheme: str
) -> None:
    open_titled(page, title, language)
    assert violations(page) == []
    if language == "en":
        switch_theme(page, OTHER[color_scheme])
        assert violations(page) == []


def open_all_expanders(page: Page) -> int:
    """Open the expanders one by one; return how many there are."""
    opened = 0
    while (closed := page.locator("[data-testid=stExpander] details:not([open]) > summary")).count():
        closed.first.click()
        wait_until_idle(page, quiet=300)
        opened += 1
    return opened


@pytest.mark.thorough
@pytest.mark.parametrize("title", PAGES)
def test_axe_finds_nothing_and_nothing_is_cut_off_when_all_is_expanded(page: Page, title: str) -> None:
    page.set_viewport_size({"width": 800, "height": 900})
    open_titled(page, title)
    if not open_all_expanders(page):
        return
    assert page.evaluate(_CUT_OFF) == []
    expect_nothing_found_in_both_themes(page)
    page.set_viewport_size({"width": 1280, "height": 720})
    expect_nothing_found_on_the_stage(page)


@pytest.mark.thorough
@pytest.mark.parametrize("title", ["Train", "Encode"])
def test_axe_finds_nothing_with_high_contrast(page: Page, title: str) -> None:
    open_titled(page, title)
    page.get_by_role("button", name="High contrast").click()
    wait_until_idle(page, quiet=600)
    expect_nothing_found_in_both_themes(page)


@pytest.mark.thorough
def test_axe_finds_nothing_on_a_step_with_a_token_open(page: Page) -> None:
    open_train(page)
    page.keyboard.press("End")
    expect(step(page)).to_have_value("256")
    wait_until_idle(page)
    page.get_by_role("listbox", name="The training text in tokens").get_by_role("option").nth(3).click()
    wait_until_idle(page, quiet=600)
    expect_nothing_found_in_both_themes(page)


def test_axe_finds_nothing_on_a_lesson_nor_on_its_stage(page: Page) -> None:
    open_lesson(page, "hug_pug")
    expect_nothing_found_in_both_themes(page)
    expect_nothing_found_on_the_stage(page)


@pytest.mark.thorough
@pytest.mark.parametrize("title", PAGES)
def test_axe_finds_nothing_on_the_stage(page: Page, title: str) -> None:
    open_titled(page, title)
    expect_nothing_found_on_the_stage(page)


@pytest.mark.thorough
def test_axe_finds_nothing_on_a_lesson_on_the_stage(page: Page) -> None:
    open_page(page, "/lessons?lesson=overlaps&stage=1")
    expect(page.get_by_role("tab").first).to_be_visible()
    expect_nothing_found_in_both_themes(page)
    page.keyboard.press("o")
    expect(page.locator(".st-key-lesson-strip")).to_be_visible()
    wait_until_idle(page, quiet=600)
    page.keyboard.press("a")
    expect(page.locator(".st-key-strip-answered")).to_be_visible()
    wait_until_idle(page, quiet=600)
    expect_nothing_found_in_both_themes(page)


@pytest.mark.thorough
def test_the_title_and_the_first_heading_say_the_page(page: Page) -> None:
    open_page(page)
    for title in PAGES:
        page.get_by_role("link", name=title, exact=True).click()
        expect(page).to_have_title(f"{title} · BPE Lab")
        expect(page.get_by_role("heading", name=title, level=1, exact=True)).to_be_attached()
