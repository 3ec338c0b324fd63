"""Compare in a browser: from one disagreement to the next, by key, by row and by a click on a token."""

import re

import pytest
from playwright.sync_api import Locator, Page

from bpe_core import train_wordpiece
from bpe_core.formats import to_bytes
from tests.browser.helpers import (
    expect,
    forget_what_is_shown,
    open_page,
    show_page,
    show_page_in_any_state,
    switch_theme,
    wait_for,
    wait_until_idle,
    wait_until_painted,
)
from tests.draws import examples, first
from ui.session import compare as compare_state
from ui.session.samples import sample

WORDPIECE = to_bytes(train_wordpiece("low lower lowest hug hugs", 30).tokenizer(), format="wordpiece")

ITS_TEXT = sample(compare_state.SAMPLE).text


@pytest.fixture
def page(shared_page: Page) -> Page:
    return shared_page


@pytest.fixture
def compare(page: Page) -> Page:
    """The page in a new session, with the sample text."""
    show_page(page, "/compare")
    expect(page.locator(".lanes .highlight").first).to_be_visible()
    wait_until_idle(page)
    return page


@pytest.fixture
def with_any_text(page: Page) -> Page:
    """The page for a test that sets the text itself."""
    show_page_in_any_state(page, "/compare")
    expect(page.locator(".lanes .highlight, .lanes .text").first).to_be_visible()
    wait_until_idle(page)
    return page


@pytest.fixture
def with_its_text(page: Page) -> Page:
    """The page with the sample text, whatever is selected in it."""
    show_page_in_any_state(page, "/compare")
    if page.get_by_label("Text to compare").input_value() != ITS_TEXT:
        show_page(page, "/compare")
    expect(page.locator(".lanes .highlight").first).to_be_visible()
    wait_until_idle(page)
    return page


def position(page: Page) -> Locator:
    """The position of the shown disagreement: "1 of 174"."""
    return page.locator(".st-key-why").get_by_test_id("stCaptionContainer").first


def highlighted_is_in_view(page: Page) -> bool:
    """True if the mark in the lines is inside their scroll area."""
    return page.locator(".lanes").evaluate(
        """lanes => {
            const view = lanes.getBoundingClientRect();
            const mark = lanes.querySelector(".highlight").getBoundingClientRect();
            return mark.top >= view.top - 1 && mark.bottom <= view.bottom + 1;
        }"""
    )


LONG = "".join(f"line {number} of many\n" for number in range(600))


def test_n_and_p_go_from_one_disagreement_to_the_next_and_a_row_of_the_list_leads_to_its_place(compare: Page) -> None:
    last = 3 + examples(4)
    for number in range(2, last + 1):
        compare.keyboard.press("n")
        expect(position(compare)).to_have_text(f"{number} of 174")
    wait_until_idle(compare)
    assert highlighted_is_in_view(compare)
    compare.get_by_role("radio", name="In the order of the text").click()
    expect(compare.locator(".st-key-disagreements .row.current .cell").first).to_have_text(str(last))
    compare.keyboard.press("p")
    expect(position(compare)).to_have_text(f"{last - 1} of 174")
    compare.get_by_text("Missing token 59").click()
    wait_until_idle(compare)
    compare.locator(".st-key-disagreements .space .row").nth(3).click()
    expect(position(compare)).to_have_text("4 of 59")
    wait_until_idle(compare)
    assert highlighted_is_in_view(compare)


def test_a_click_on_a_token_asks_why_it_was_cut_like_that(with_its_text: Page) -> None:
    page = with_its_text
    # the third line of cl100k, below the first: the second is empty: "from", " data", "classes", " import"
    row = page.locator(".chunk").nth(1).locator(".lane").nth(2).locator(".t")
    row.nth(2).click()
    expect(page.locator(".reason .title")).to_contain_text("Earlier merge")
    expect(page.locator(".reason .pieces").nth(1)).to_have_text("·dataclasses")
    note = page.locator(".lanes .note")
    expect(note).to_contain_text("Earlier merge")
    expect(note).to_contain_text("GPT-2 against cl100k")
    assert (
        note.evaluate("note => [...note.parentElement.querySelectorAll('.chunk')].indexOf(note.previousSibling)") == 1
    )
    row.nth(3).click()
    expect(note).to_have_text("Where you clicked, GPT-2 and cl100k agree.")
    expect(page.locator(".st-key-why").get_by_text("GPT-2 and cl100k agree.")).to_be_visible()


def note_is_in_view(note: Locator) -> bool:
    """True if all of the note is inside the scroll area of the lines."""
    return note.evaluate_all(
        """([note]) => {
            if (!note?.parentElement) return false; // redrawn meanwhile
            const [view, box] = [note.parentElement, note].map((each) => each.getBoundingClientRect());
            return box.top >= view.top - 1 && box.bottom <= view.bottom + 1;
        }"""
    )


def test_the_reason_for_a_token_at_the_lower_edge_of_the_lines_comes_into_view(with_any_text: Page) -> None:
    page = with_any_text
    page.get_by_label("Text to compare").fill("tokenizer\n" * 30)
    note = page.locator(".lanes .note")
    expect(note).to_contain_text("lacks it, so")
    chunks = page.locator(".chunk")
    for number in (20, 10):
        chunk = chunks.nth(number - 1)
        chunk.evaluate("chunk => chunk.scrollIntoView({ block: 'end' })")
        chunk.locator(".lane").nth(1).locator(".t").first.click()
        expect(position(page)).to_have_text(f"{number} of 30")
    wait_for(page, lambda: note_is_in_view(note))
    assert highlighted_is_in_view(page)


@pytest.mark.parametrize(("width", "height"), [(800, 900), (1280, 900)])
def test_on_the_stage_the_lines_fill_their_card_and_the_reason_is_whole(
    new_page: Page, width: int, height: int
) -> None:
    page = new_page
    page.set_viewport_size({"width": width, "height": height})
    open_page(page, "/compare?stage=1")
    wait_for(page, lambda: note_is_in_view(page.locator(".lanes .note")))
    card = page.locator(".st-key-lines")
    wait_for(page, lambda: card.evaluate("card => card.scrollHeight <= card.clientHeight"))  # only the lines scroll
    bottom = card.evaluate("card => card.getBoundingClientRect().bottom")
    words = card.get_by_test_id("stButtonGroup").last.bounding_box()
    assert words is not None
    assert bottom - (words["y"] + words["height"]) < 80, "and no room is left below the lines"


def test_the_note_of_one_text_is_not_below_the_lines_of_another(with_any_text: Page) -> None:
    page = with_any_text
    page.get_by_label("Text to compare").fill("tokenizer\n" * 3)
    note = page.locator(".lanes .note")
    expect(note).to_contain_text("lacks it, so")
    page.locator(".chunk").nth(1).locator(".lane").nth(1).locator(".t").first.click()
    expect(position(page)).to_have_text("2 of 3")
    expect(page.locator(".lanes .chunk + .chunk + .note")).to_be_visible()
    page.get_by_label("Text to compare").fill("a")
    expect(page.locator(".lanes .text").first).to_have_text("a")
    expect(note).to_be_hidden()


def test_every_token_of_the_lines_has_a_name(with_its_text: Page) -> None:
    page = with_its_text
    options = page.locator(".lanes").get_by_role("option")
    assert options.count() > 1000
    names = options.evaluate_all("els => els.map(el => el.getAttribute('aria-label'))")
    assert all(names)
    assert '" import"' in names


def test_what_is_chosen_can_be_read(with_its_text: Page) -> None:
    page = with_its_text
    chosen = page.locator("[data-testid=stButtonGroup] button[data-selected=true], .choice button.chosen")
    other = page.get_by_role("radio", name="Parsed")
    assert chosen.count() > 5
    colour = "el => getComputedStyle(el.querySelector('p, .title')).color"
    for theme in ("light", "dark"):
        switch_theme(page, theme)
        assert {each.evaluate(colour) for each in chosen.all()} == {other.evaluate(colour)}, theme


def test_the_lines_say_how_many_follow_and_what_their_marks_mean(with_its_text: Page) -> None:
    page = with_its_text
    further = page.locator(".st-key-lines .foot button").first
    expect(further).to_have_text(re.compile("[45][0-9] more lines"))
    before = further.inner_text()
    further.click()
    expect(further).not_to_have_text(before)
    page.get_by_role("button", name="Show all lines").click()
    page.get_by_role("button", name="Show fewer lines").click()
    expect(further).to_be_visible()
    group = page.locator(".chunk").nth(2)
    token = group.locator(".lane").nth(1).locator(".t").first
    token.scroll_into_view_if_needed()
    wait_until_painted(page)  # scrolling hides the tooltip
    token.hover()
    expect(page.locator(".st-key-lines .tip")).to_be_visible()
    tip, lanes = page.locator(".st-key-lines .tip").bounding_box(), group.bounding_box()
    assert tip is not None
    assert lanes is not None
    assert tip["y"] + tip["height"] <= lanes["y"] or tip["y"] >= lanes["y"] + lanes["height"]
    page.get_by_label("Text to compare").fill("駅")
    expect(page.locator("p.legend")).to_have_text("a boundary not shared by alla boundary within a character")


def test_n_typed_into_the_text_is_only_a_letter(with_any_text: Page) -> None:
    page = with_any_text
    page.get_by_label("Text to compare").fill("")
    page.get_by_label("Text to compare").press_sequentially("no n(default")
    expect(page.locator(".lanes .text").first).to_have_text("no·n(default")
    expect(position(page)).to_have_text("1 of 1")
    expect(page.locator(".reason .title")).to_contain_text("Split boundary")


def test_every_choice_counts_while_the_text_and_with_it_the_counts_beside_the_names_change(page: Page) -> None:
    open_page(page, "/compare?text=low")
    tokenizers = page.get_by_role("group", name="Tokenizers")
    text = page.get_by_label("Text to compare")
    names = page.locator(".lanes .chunk").first.locator(".name")
    for typed, pressed in ((" low", "cl100k"), ("er", "GPT-2"), (" 12345", "o200k"), ("!", "GPT-2"), (" x", "Trained")):
        text.press("End")
        text.press_sequentially(typed)
        tokenizers.get_by_role("button", name=pressed).click()
    expect(names).to_have_text(["GPT-2"])
    expect(tokenizers.locator(".chosen")).to_have_text([re.compile(r"^GPT-2\s*· \d+$")])
    expect(page).to_have_url(re.compile("with=gpt2(&|$)"))
    tokenizers.get_by_role("button", name="o200k").press("Enter")
    tokenizers.get_by_role("button", name="o200k").press("ArrowLeft")
    page.keyboard.press(" ")
    expect(names).to_have_text(["GPT-2", "cl100k", "o200k"])
    causes = page.get_by_role("radiogroup", name="Causes")
    causes.get_by_role("radio", name="All").press("ArrowRight")
    expect(causes.get_by_role("radio").nth(1)).to_be_checked()
    expect(page).to_have_url(re.compile("cause="))
    assert page.url.count("with=") == 3


def test_a_tokenizer_file_becomes_a_column_and_goes_again(with_any_text: Page) -> None:
    page = with_any_text
    page.get_by_label("Text to compare").fill("low hugs")
    page.get_by_role("button", name="Add a tokenizer").click()
    page.locator("[data-testid=stPopoverBody] input[type=file]").last.set_input_files(
        [
            {"name": "<img src=x onerror=hacked=1> **b**.txt", "mimeType": "text/plain", "buffer": WORDPIECE},
            {"name": "bad.json", "mimeType": "application/json", "buffer": b"{}"},
        ]
    )
    expect(page.get_by_text("The file is JSON, but not a tokenizer's.")).to_be_visible()
    page.get_by_role("button", name="Add a tokenizer").click()  # closed, so that it does not cover the message
    page.get_by_role("button", name="Remove bad.json").click()
    names = page.locator(".lanes .chunk").first.locator(".name")
    expect(names.last).to_have_text("img src x onerror hacke…")
    page.get_by_role("button", name="Next").press("Enter")
    wait_until_idle(page)
    expect(page.locator(".reason .side-name").last).to_have_text("img src x onerror hacke…")
    page.get_by_role("button", name="Own tokenizers 1").click()
    page.get_by_role("button", name="Remove").click()
    expect(names).to_have_count(4)
    assert page.evaluate("window.hacked") is None
    assert "file%3A" not in page.url


def test_a_key_reaches_the_last_token_before_its_line_has_come_by_itself(with_any_text: Page) -> None:
    page = with_any_text
    page.evaluate("void (window.requestIdleCallback = () => 0)")
    page.get_by_label("Text to compare").fill(LONG)
    lines = page.locator(".lanes .line-start")
    expect(lines.first.locator(".text").first).to_have_text("line·0·of·many↵")
    wait_until_idle(page)
    assert 4 < lines.count() < 600
    expect(page.locator(".st-key-lines .foot button").first).to_have_text(re.compile("59[0-9] more lines"))
    page.locator(".lanes").press("End")
    expect(lines).to_have_count(600)
    expect(lines.last.locator(".t.cursor")).to_be_in_viewport()
    forget_what_is_shown(page)


# The text of each drawn line of the first row.
DRAWN_LINES = """lanes => [...lanes.querySelectorAll(".chunk")].map(el => el.querySelector(".text").textContent)"""


@pytest.mark.parametrize(
    "part", first(2, ["abcdefghij", "e\u0301\u0302\u0303\u0304", "👩‍👩‍👧 日本 ", "אבג (de) ", "سلام ab "])
)
def test_a_long_line_comes_in_parts_that_break_where_the_whole_would(with_any_text: Page, part: str) -> None:
    page = with_any_text
    lanes = page.locator(".lanes")
    whole = ""
    for idle in ("() => 0", "then => setTimeout(then)"):
        page.get_by_label("Text to compare").fill("low")
        expect(lanes.locator(".text").first).to_have_text("low")
        page.evaluate(f"void (window.requestIdleCallback = {idle})")
        page.get_by_label("Text to compare").fill(part * (9_000 // len(part)))
        expect(lanes.locator(".chunk").nth(3)).to_be_attached()
        wait_until_idle(page)
        if not whole:
            some = lanes.evaluate(DRAWN_LINES)
            lanes.press("End")
            whole = lanes.evaluate(DRAWN_LINES)
            assert len(some) < len(whole)
            assert whole[: len(some)] == some
        expect(lanes).to_have_attribute("data-rev", re.compile("."))
        assert lanes.evaluate(DRAWN_LINES) == whole
    forget_what_is_shown(page)


@pytest.mark.thorough
def test_further_clicks_on_equal_differences_go_from_one_to_the_next(compare: Page) -> None:
    rows = compare.get_by_role("grid", name="Same difference grouped").locator(".space .row")
    of_group = compare.locator(".st-key-disagreement-lists").get_by_test_id("stCaptionContainer")
    times = int(rows.first.locator(".cell").first.inner_text().replace(",", ""))
    assert times > 2
    for number in (1, 2, 3):
        rows.first.click()
        expect(of_group).to_have_text(f"{number} of {times}: click its row again for the next")
        wait_until_idle(compare)
        assert highlighted_is_in_view(compare)


@pytest.mark.thorough
def test_tables_of_five_tokenizers_are_seen_whole_in_narrow_and_wide_windows(page: Page) -> None:
    chosen = ("trained", "gpt2", "cl100k_base", "o200k_base", "bert-base-uncased")
    for width in (1280, 800):
        page.set_viewport_size({"width": width, "height": 900})
        open_page(page, "/compare?text=low+lower&" + "&".join(f"with={name}" for name in chosen))
        for key in ("agreement", "metrics"):
            table = page.locator(f".st-key-{key} .scroll")
            expect(table.locator(".row").last).to_be_attached()
            assert table.evaluate("el => el.scrollWidth - el.clientWidth") <= 1, (width, key)


@pytest.mark.thorough
def test_all_lines_come_on_a_page_that_is_never_at_rest(compare: Page) -> None:
    compare.evaluate("void (window.requestIdleCallback = (then, { timeout }) => setTimeout(then, timeout))")
    compare.get_by_label("Text to compare").fill(LONG)
    lines = compare.locator(".lanes .line-start")
    expect(lines).to_have_count(600)
    expect(lines.last.locator(".text").nth(3)).to_have_text("line·599·of·many↵")
    expect(compare.locator(".st-key-lines .foot button").first).to_have_text(re.compile("59[0-9] more lines"))


LINES_CHART = ".st-key-lines-chart"


def test_a_point_of_the_lines_leads_to_its_line(page: Page) -> None:
    open_page(page, "/compare?text=low%0A++++x%0Alow%0A++++++++y&with=gpt2&with=cl100k_base&lines=1")
    chart = page.locator(LINES_CHART)
    chart.scroll_into_view_if_needed()
    points = chart.locator(".scatterlayer .point")
    expect(points.first).to_be_visible()
    wait_until_idle(page)
    place = points.first.bounding_box()
    assert place is not None
    page.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    expect(chart.locator(".hovertext")).to_contain_text("Line: 4")
    page.mouse.down()
    page.mouse.up()
    expect(page).to_have_url(re.compile("at=14"))


def test_many_texts_of_a_file_are_counted_and_one_is_compared_by_a_click(with_any_text: Page) -> None:
    page = with_any_text
    page.get_by_text("Many texts: a file of them, in total and one by one").click()
    rows = "id,body\n1,low lower\n2\n3,<b>bold</b> lowest of all\n"
    page.locator(".st-key-many-texts-upload input[type=file]").set_input_files(
        {"name": "rows.csv", "mimeType": "text/csv", "buffer": rows.encode()}
    )
    card = page.locator(".st-key-many-texts")
    expect(card.get_by_text("Row 3: it has 1 of 2 cells")).to_be_visible()
    wait_until_idle(page)
    context = card.get_by_label("Context, tokens")
    context.fill("3")
    context.press("Enter")
    expect(card.get_by_text("have more than 3")).to_be_visible()
    card.get_by_text("<b>bold</b> lowest of all").click()
    expect(page.get_by_label("Text to compare")).to_have_value("<b>bold</b> lowest of all")
    wait_until_idle(page)


def test_no_line_ends_inside_a_token_of_a_sentence(page: Page) -> None:
    show_page(page, "/compare?text=the+lowest+lantern+of+the+harbour&with=gpt2&with=bert-base-cased&at=4")
    tokens = page.locator(".st-key-lines .note .t")
    expect(tokens.first).to_be_visible()
    for width in range(380, 720, 10):
        page.set_viewport_size({"width": width, "height": 900})
        assert set(tokens.evaluate_all("all => all.map((el) => el.getClientRects().length)")) == {1}, width


def test_the_pair_stays_chosen_when_the_text_changes(page: Page) -> None:
    show_page(
        page, "/compare?text=low+lower&with=gpt2&with=cl100k_base&with=o200k_base&left=cl100k_base&right=o200k_base"
    )
    page.get_by_label("Text to compare").fill("日本語 lowest 12345")
    expect(page.locator(".st-key-headline")).to_contain_text("o200k")
    wait_until_idle(page)
    page.keyboard.press("Escape")
    page.locator(".st-key-why").get_by_role("button", name="Next").click()  # sends the choices that the browser keeps
    wait_until_idle(page)
    for choice, name in (("One tokenizer", "cl100k"), ("The other tokenizer", "o200k")):
        expect(page.locator(".st-key-why").get_by_role("combobox", name=choice)).to_have_value(name)


def test_the_context_and_the_way_of_counting_stay_when_another_file_is_opened(page: Page) -> None:
    show_page(page, "/compare?text=two+files&with=gpt2")
    page.get_by_text("Many texts: a file of them, in total and one by one").click()
    card = page.locator(".st-key-many-texts")
    upload = page.locator(".st-key-many-texts-upload input[type=file]")
    for name in ("one.csv", "two.csv", "three.csv"):
        upload.set_input_files({"name": name, "mimeType": "text/csv", "buffer": b"de,en\nein Baum,a tree\n"})
        expect(card.get_by_text(name, exact=True).first).to_be_visible()
        wait_until_idle(page, quiet=1_000)
        expect(card.get_by_label("Context, tokens")).to_have_value("8192")
