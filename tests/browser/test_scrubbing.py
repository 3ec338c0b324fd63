"""Scrubbing on Train: the browser draws each step itself, and the server's figures follow."""

import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Locator, Page

from bpe_core import TrainConfig, Training, train
from bpe_core.drawing.token_spans import colour_number
from tests.browser.helpers import expect, rows, step, story, wait_until_idle, wait_until_painted
from tests.browser.serving import Server
from tests.browser.test_train import chart, open_train, use
from tests.draws import first
from ui.session.samples import sample
from ui.session.training import FIRST_SAMPLE

TRAINED = train(sample(FIRST_SAMPLE).text, TrainConfig())

# Drags the slider of the player, one position per frame, and records what is painted after each.
DRAG = """async positions => {
    const inside = (key, selector) => {
        for (const host of document.querySelectorAll(`.st-key-${key} [data-testid=stBidiComponentIsolated]`)) {
            const found = host.shadowRoot?.querySelector(selector);
            if (found) return found;
        }
    };
    const frame = () => new Promise(requestAnimationFrame);
    const slider = inside("player", ".slider");
    const seen = [];
    for (const position of positions) {
        slider.value = String(position);
        slider.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
        await frame();
        await frame();
        const flow = inside("text-view", ".flow");
        const current = inside("merge-table", "[aria-current=true]");
        seen.push({
            step: flow.dataset.step,
            tokens: Array.from(flow.querySelectorAll("[role=option]"), span => span.className.match(/\\bc\\d\\b/)[0]),
            fresh: flow.querySelectorAll("[role=option].fresh").length,
            story: inside("story", ".story").textContent,
            row: current?.textContent ?? null,
        });
    }
    return seen;
}"""


SENT_AT = "() => Math.max(...[...bpeLab.actions().of.values()].map((actions) => actions.sentAt))"
SENT_AGAIN = f"(before) => ({SENT_AT})() > before"
"""An unacknowledged move is resent after a while."""


@pytest.fixture
def page(shared_page: Page) -> Page:
    return shared_page


def flow(page: Page) -> Locator:
    return page.get_by_role("listbox", name="The training text in tokens")


def colours(training: Training, number: int) -> list[str]:
    """The colour class of each token of the text at a step."""
    return named_colours(training, training.window(number).ids.tolist())


def named_colours(training: Training, ids: list[int]) -> list[str]:
    tokenizer = training.tokenizer()
    return [f"c{colour_number(tokenizer.token_bytes(each))}" for each in ids]


def made_at(training: Training, number: int) -> int:
    """Number of tokens created by a step's merge."""
    made = training.merges[number - 1].token_id if number else None
    return training.window(number).ids.tolist().count(made)


def expect_the_end(page: Page, training: Training) -> None:
    """Assert that all cards show the core's last step."""
    last = len(training.merges)
    expect(story(page)).to_contain_text("The end:")
    expect(step(page)).to_have_value(str(last))
    expect(page.get_by_text(f"{training.token_count(last):,} tokens", exact=True)).to_be_visible()
    saved = 1 - training.token_count(last) / training.token_count(0)
    expect(chart(page, re.compile("^Tokens of the training text"))).to_have_attribute(
        "aria-valuetext", f"Merge {last:,}: {training.token_count(last):,} tokens, {saved:.1%} saved"
    )
    best = training.at(last).candidates(1)[0]
    expect(rows(page, "Pairs that the next merge can take").first).to_contain_text(f"{best.count:,}")
    assert drawn(page) == colours(training, last)


def drawn(page: Page) -> list[str]:
    """The colours of the tokens on the page."""
    found: list[str] = flow(page).evaluate(
        "flow => Array.from(flow.querySelectorAll('[role=option]'), el => el.className.match(/\\bc\\d\\b/)[0])"
    )
    return found


def check_drag(page: Page, training: Training, positions: list[int]) -> None:
    for number, seen in zip(positions, page.evaluate(DRAG, positions), strict=True):
        assert seen["step"] == str(number)
        assert seen["tokens"] == colours(training, number), number
        assert seen["fresh"] == made_at(training, number)
        if number:
            assert f"Merge {number:,}. The pair occurred " in seen["story"]
            assert seen["row"] is not None
            assert seen["row"].startswith(f"{number:,}")
        else:
            assert "Step 0." in seen["story"]


@pytest.mark.parametrize("stride", first(1, [19, 5]))
def test_a_drag_shows_the_spans_the_pair_and_the_row_of_each_position_at_once(page: Page, stride: int) -> None:
    open_train(page)
    check_drag(page, TRAINED, [*range(1, 256, stride), *range(250, 0, -2 * stride), 0, 255, 3, 256])
    expect_the_end(page, TRAINED)


def test_a_drag_does_not_wait_for_a_busy_server_and_ends_with_its_figures(page: Page, server: Server) -> None:
    open_train(page)
    with standing_still(server):
        check_drag(page, TRAINED, [40, 200, 100, 101, 102, 256])
        page.wait_for_function(SENT_AGAIN, arg=page.evaluate(SENT_AT))
        assert drawn(page) == colours(TRAINED, 256)
    expect_the_end(page, TRAINED)


@contextmanager
def standing_still(server: Server) -> Iterator[None]:
    """Suspend the server for a while."""
    os.kill(server.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(server.pid, signal.SIGCONT)


@pytest.mark.parametrize("stride", first(1, [11, 3]))
@pytest.mark.parametrize(
    "text",
    first(
        1,
        [
            pytest.param(
                "Lantern: \u4f4e\u3044\u30e9\u30f3, Gr\u00f6\u00dfe \U0001f642\U0001f642.\n\n  low lower\tlow\n" * 12,
                id="many scripts",
            ),
            pytest.param(
                "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd, low lower\nlow \u05e9\u05dc\u05d5\u05dd\n" * 12,
                id="right to left",
            ),
        ],
    ),
)
def test_what_a_drag_leaves_is_what_is_drawn_anew(page: Page, text: str, stride: int) -> None:
    open_train(page)
    use(page, text)
    training = train(text, TrainConfig())
    last = len(training.merges)
    check_drag(page, training, [*range(0, last, stride), *range(last, 0, -stride - 1), last // 2])
    left = markup(page)
    wait_until_idle(page, quiet=600)
    page.reload()
    expect(step(page)).to_have_value(str(last // 2))
    expect(flow(page)).to_have_attribute("data-step", str(last // 2))
    assert markup(page) == left


def markup(page: Page) -> list[str]:
    """The drawn markup of the text, without its blocks."""
    found: list[str] = flow(page).evaluate(
        """flow => [...flow.querySelectorAll(".b")].flatMap(block =>
            [...block.childNodes].map(node => node.outerHTML ?? node.textContent))"""
    )
    return found


@pytest.mark.thorough
def test_a_long_text_follows_in_the_part_that_is_shown(page: Page) -> None:
    open_train(page)
    text = "low lower lowest \u4f4e\u3044\n" * 300 + "quartz quartz quartz"
    use(page, text)
    training = train(text, TrainConfig())
    last = len(training.merges)
    for seen, number in zip(page.evaluate(DRAG, list(range(1, 8))), range(1, 8), strict=True):
        ids = training.window(number, 0, 1_200).ids.tolist()
        assert seen["tokens"] == named_colours(training, ids)
    page.keyboard.press("End")
    expect(
        page.get_by_text(re.compile(r"^Characters [\d,]+ to [\d,]+ of 6,020. This merge first occurs here"))
    ).to_be_visible()
    expect(flow(page)).to_contain_text("quartz")
    assert page.evaluate(DRAG, [last - 1])[0]["step"] == str(last - 1)


def test_next_that_is_held_goes_on_step_by_step(page: Page) -> None:
    open_train(page)
    note_steps(page)
    button = page.locator(".st-key-player").get_by_role("button", name="Next")
    button.hover()
    page.mouse.down()
    expect(step(page)).to_have_value(re.compile(r"^\d\d$"))
    page.mouse.up()
    stopped_at = int(step(page).input_value())
    assert stopped_at >= 10
    expect(story(page)).to_contain_text(re.compile(rf"Merge {stopped_at}\..*(A tie|No tie)"))
    assert noted(page) == list(range(stopped_at + 1))
    assert drawn(page) == colours(TRAINED, stopped_at)
    button.click()
    expect(step(page)).to_have_value(str(stopped_at + 1))


def test_a_key_that_is_held_misses_no_step(page: Page) -> None:
    open_train(page)
    for _ in range(30):
        page.keyboard.down("ArrowRight")  # after the first one, these are key repeats
    page.keyboard.up("ArrowRight")
    expect(step(page)).to_have_value("30")
    expect(story(page)).to_contain_text(re.compile(r"Merge 30\..*(A tie|No tie)"))
    assert drawn(page) == colours(TRAINED, 30)


def note_steps(page: Page) -> None:
    """Record each step that the text shows from now on."""
    flow(page).evaluate("""flow => {
        window.steps = [Number(flow.dataset.step)];
        window.noting?.disconnect();
        window.noting = new MutationObserver(() => window.steps.push(Number(flow.dataset.step)));
        window.noting.observe(flow, { attributes: true, attributeFilter: ["data-step"] });
    }""")


def noted(page: Page) -> list[int]:
    steps: list[int] = page.evaluate("steps")
    return steps


@pytest.mark.thorough
def test_playing_at_20_a_second_draws_every_step_and_ends_with_the_figures(page: Page) -> None:
    open_train(page)
    page.get_by_role("combobox", name="Speed").select_option("20 / s")
    step(page).fill("200")
    step(page).press("Enter")
    expect(story(page)).to_contain_text(re.compile(r"Merge 200\..*(A tie|No tie)"))
    note_steps(page)
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Play")).not_to_be_visible()
    expect_the_end(page, TRAINED)
    assert noted(page) == list(range(200, 257)), "every step, none twice, never back"
    expect(page.get_by_role("button", name="Play")).to_be_visible()


@pytest.mark.thorough
def test_space_right_after_a_step_plays_on_from_there(page: Page) -> None:
    open_train(page)
    page.get_by_role("button", name="Next", exact=True).evaluate(
        """next => {
            next.click();
            next.click();
            document.body.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true }));
        }"""
    )
    expect(step(page)).not_to_have_value("2")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()


@pytest.mark.thorough
def test_a_fork_while_it_plays_is_drawn_as_the_core_has_it(page: Page) -> None:
    open_train(page)
    row = rows(page, "Pairs that the next merge can take").nth(6)
    row.scroll_into_view_if_needed()
    box = row.bounding_box()
    assert box is not None
    page.get_by_role("combobox", name="Speed").select_option("20 / s")
    page.get_by_role("button", name="Play").click()
    expect(step(page)).to_have_value(re.compile(r"^\d\d$"))
    page.mouse.click(box["x"] + 10, box["y"] + box["height"] / 2)  # a pointer does not wait until the row stands still
    expect(story(page)).to_contain_text("Your choice.")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    wait_until_idle(page, quiet=600)
    at = int(step(page).input_value())
    pairs = [(each.left, each.right) for each in TRAINED.at(at - 1).candidates(20)]
    forks = [TRAINED.fork(at - 1, pair) for pair in pairs]
    [forked, *_] = [fork for fork in forks if colours(fork, at) == drawn(page) and fork.merges != TRAINED.merges]
    last = len(forked.merges)
    check_drag(page, forked, [at + 1, at + 20, at - 1, at, 0, last])
    expect(story(page)).to_contain_text("The end:")
    assert drawn(page) == colours(forked, last)


@pytest.mark.thorough
def test_a_press_while_it_plays_chooses_the_pair_that_was_pressed(page: Page) -> None:
    open_train(page)
    page.get_by_role("button", name="Play").click()
    expect(step(page)).to_have_value("3")
    row = rows(page, "Pairs that the next merge can take").nth(4)
    row.hover()
    page.mouse.down()
    expect(row).not_to_have_text(str(row.text_content()))
    page.mouse.up()
    expect(story(page)).to_contain_text("Your choice.")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_the_next_step_is_there_with_all_its_figures_before_the_server_is_asked(page: Page, server: Server) -> None:
    open_train(page)
    page.keyboard.press("ArrowRight")
    expect(story(page)).to_contain_text(re.compile(r"Merge 1\..*(A tie|No tie)"))
    wait_until_idle(page, quiet=600)
    with standing_still(server):
        page.keyboard.press("ArrowRight")
        expect(story(page)).to_contain_text(re.compile(r"Merge 2\..*(A tie|No tie)"))
        best = TRAINED.at(2).candidates(1)[0]
        expect(rows(page, "Pairs that the next merge can take").first).to_contain_text(f"{best.count:,}")
        merged = TRAINED.at(2).changes()[0]
        expect(rows(page, "Pairs whose count this merge changed").first).to_contain_text(f"{merged.before:,}")
    expect(step(page)).to_have_value("2")


def test_who_guesses_sees_no_step_before_the_server_shows_it(page: Page, server: Server) -> None:
    open_train(page)
    page.get_by_text("Predict", exact=True).click()
    expect(page.get_by_text("Which pair is merged next?")).to_be_visible()
    wait_until_idle(page, quiet=600)
    before = drawn(page)
    with standing_still(server):
        page.keyboard.press("ArrowRight")
        expect(step(page)).to_have_value("1")
        wait_until_painted(page)
        assert drawn(page) == before
    expect(story(page)).to_contain_text("Merge 1.")
