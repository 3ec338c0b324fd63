"""Train in a browser: keys, the clock, and actions that need a click."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route

from bpe_core import train
from tests.browser.helpers import (
    expect,
    forget_what_is_shown,
    in_chart,
    open_page,
    rows,
    show_page,
    show_page_in_any_state,
    step,
    story,
    tab_to,
    wait_until_idle,
)
from ui.session.samples import sample
from ui.views.plotly_library import PLOTLY_PATH


@pytest.fixture
def page(shared_page: Page) -> Page:
    return shared_page


def chart(page: Page, name: str | re.Pattern[str]) -> Locator:
    """The clickable area of a chart."""
    return page.get_by_role("slider", name=name)


def bars(page: Page) -> Locator:
    """The chart of candidates."""
    return page.get_by_role("slider", name="Counts of the pairs that come next")


def click_curve(curve: Locator, share: float) -> None:
    """Click in a chart over the steps, at this fraction of its axis."""
    curve.page.mouse.click(*in_chart(curve.page, curve, share))


def open_train(page: Page, path: str = "/") -> None:
    """Show the page at step 0 and wait for its last view, which handles keys only once it is mounted."""
    show_page(page, path)
    expect(chart(page, re.compile("per token over the merges"))).to_be_visible()


def use(page: Page, text: str) -> None:
    """Paste a text and train on it."""
    page.get_by_role("button", name=re.compile("^Paste")).click()
    page.get_by_role("textbox", name="Your text").fill(text)
    page.get_by_role("button", name="Train on this text").click()
    expect(page.get_by_role("button", name=re.compile("^Pasted text"))).to_be_visible()
    wait_until_idle(page)


def test_the_whole_story_of_the_last_merge_is_in_sight(page: Page) -> None:
    open_train(page)
    page.keyboard.press("End")
    expect(story(page)).to_contain_text("more lost the same way")
    assert story(page).evaluate("story => story.scrollHeight <= story.clientHeight")


def test_arrow_keys_home_and_end_step_from_anywhere_but_a_field(page: Page) -> None:
    open_train(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(step(page)).to_have_value("3")
    page.keyboard.press("ArrowLeft")
    expect(step(page)).to_have_value("2")
    page.keyboard.press("End")
    expect(story(page)).to_contain_text("The end: the vocabulary is full")
    page.keyboard.press("Home")
    expect(story(page)).to_contain_text("Step 0.")
    page.get_by_role("textbox", name="Find a token in the merge table").focus()
    page.keyboard.press("ArrowRight")
    wait_until_idle(page)
    expect(step(page)).to_have_value("0")


def test_a_step_is_announced_once_it_stays(page: Page) -> None:
    open_train(page)
    announcement = page.locator(".tv:has(.story) .said")
    announcement.evaluate("""el => {
        window.announced = [];
        new MutationObserver(() => window.announced.push(el.textContent)).observe(el, { childList: true });
    }""")
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    expect(announcement).to_have_text(re.compile(r'^".+" and ".+" become ".+"\. Merge 12\. The pair occurred .+ tie'))
    announced = page.evaluate("window.announced")
    assert len(announced) < 4, announced


def test_the_buttons_and_the_field_lead_where_they_say(page: Page) -> None:
    open_train(page)
    player = page.locator(".st-key-player")
    for name, shown in (("Next", "Merge 1."), ("Next", "Merge 2."), ("Back", "Merge 1."), ("Last", "Merge 256.")):
        player.get_by_role("button", name=name).click()
        expect(story(page)).to_contain_text(shown)
    expect(page.get_by_role("grid", name="Merges").locator("[aria-current=true]")).to_contain_text(re.compile("^256"))
    expect(page.get_by_text("Merge 256: 749 tokens")).to_be_visible()
    expect(player.get_by_role("button", name="Next")).to_be_disabled()
    player.get_by_role("button", name="First").click()
    expect(story(page)).to_contain_text("Step 0.")
    for typed, shown in (("14", "Merge 14."), ("999", "Merge 256."), ("-3", "Step 0.")):
        step(page).fill(typed)
        step(page).press("Enter")
        expect(story(page)).to_contain_text(shown)


def test_a_step_after_the_one_that_a_link_opens_outlines_its_own_tokens_alone(page: Page) -> None:
    open_train(page, "/?sample=toy_hug&step=2")
    fresh = page.get_by_role("listbox", name="The training text in tokens").locator(".fresh")
    assert {*fresh.all_inner_texts()} == {"un"}
    page.keyboard.press("ArrowRight")
    expect(story(page)).to_contain_text("Merge 3.")
    wait_until_idle(page)
    assert {*fresh.all_inner_texts()} == {"hug"}


def test_a_table_of_candidates_keeps_the_focus_when_its_choice_is_merged(page: Page) -> None:
    open_train(page, "/?sample=toy_hug")
    table = page.get_by_role("grid", name="Pairs that the next merge can take")
    tab_to(page, table)
    page.keyboard.press("Enter")
    expect(step(page)).to_have_value("1")
    wait_until_idle(page)
    expect(table).to_be_focused()


HELD = """async (button) => {
    const fire = (name) => button.dispatchEvent(new PointerEvent(name, { bubbles: true, button: 0 }));
    const value = () => Number(button.getRootNode().querySelector(".slider").value);
    const before = value();
    fire("pointerdown");
    while (value() < before + 2) await new Promise(requestAnimationFrame);
    fire("pointerleave"); // no click follows
}"""


def test_a_key_on_a_button_counts_after_it_was_held_and_left(page: Page) -> None:
    open_train(page, "/?sample=toy_hug")
    forward = page.get_by_role("button", name="Next", exact=True)
    forward.evaluate(HELD)
    wait_until_idle(page)
    before = int(step(page).input_value())
    forward.press("Enter")
    expect(step(page)).to_have_value(str(before + 1))


# The timer of a held button runs, then its release comes, then a frame.
LEFT_WHILE_BUSY = """async (button) => {
    const fire = (name) => button.dispatchEvent(new PointerEvent(name, { bubbles: true, button: 0 }));
    const { requestAnimationFrame, cancelAnimationFrame } = window;
    const frames = new Map();
    window.requestAnimationFrame = (run) => frames.set(frames.size + 1, run).size;
    window.cancelAnimationFrame = (number) => frames.set(number, () => {});
    fire("pointerdown");
    await new Promise((done) => setTimeout(done, 1_000));
    fire("pointerleave");
    Object.assign(window, { requestAnimationFrame, cancelAnimationFrame });
    for (const run of frames.values()) requestAnimationFrame(run);
    for (let times = 0; times < 3; times += 1) await new Promise(requestAnimationFrame);
}"""


def test_a_button_that_was_left_while_the_page_was_busy_is_not_held(page: Page) -> None:
    open_train(page, "/?sample=toy_hug")
    page.get_by_role("button", name="Next", exact=True).evaluate(LEFT_WHILE_BUSY)
    expect(step(page)).to_have_value("0")


ANOTHER_PLAYER = """() => new Promise((resolve) => {
    const { draw } = bpeLab;
    bpeLab.draw = (component, version) => {
        if (component.data[0] === "player") {
            bpeLab.draw = draw;
            setTimeout(() => {
                const place = document.body.appendChild(document.createElement("div"));
                const end = draw({ ...component, parentElement: place.attachShadow({ mode: "open" }) }, version);
                end();
                place.remove();
                resolve(bpeLab.following.step);
            });
        }
        return draw(component, version);
    };
    document.dispatchEvent(new CustomEvent("bpe-lab-go-to", { detail: 3, cancelable: true }));
})"""


HELD_AT_ITS_END = """async () => {
    const { draw } = bpeLab;
    const go = (detail) => document.dispatchEvent(new CustomEvent("bpe-lab-go-to", { detail, cancelable: true }));
    const component = await new Promise((resolve) => {
        bpeLab.draw = (component, version) => {
            if (component.data[0] === "player") resolve({ ...component, version });
            return draw(component, version);
        };
        go(3);
    });
    bpeLab.draw = draw;
    const place = document.body.appendChild(document.createElement("div"));
    const parentElement = place.attachShadow({ mode: "open" });
    const end = draw({ ...component, parentElement }, component.version);
    const forward = parentElement.querySelector("[data-do=next]");
    forward.dispatchEvent(new PointerEvent("pointerdown", { button: 0 }));
    while (bpeLab.following.step < 5) await new Promise(requestAnimationFrame);
    end();
    place.remove();
    const before = bpeLab.following.step;
    for (let times = 0; times < 5; times += 1) await new Promise((done) => setTimeout(done, 50));
    return [before, bpeLab.following.step];
}"""


def test_a_button_held_when_its_player_is_removed_takes_no_more_steps(page: Page) -> None:
    open_train(page)
    before, after = page.evaluate(HELD_AT_ITS_END)
    assert after == before


def test_the_step_outlives_one_of_two_players(page: Page) -> None:
    """Streamlit mounts a player at another place before it unmounts the first, or the other way round."""
    open_train(page, "/?sample=toy_hug")
    assert page.evaluate(ANOTHER_PLAYER) == 3


def test_a_slider_that_is_dragged_takes_the_page_along_and_an_arrow_key_moves_it_one_step_not_two(page: Page) -> None:
    open_train(page)
    box = page.get_by_role("slider", name="Merges applied").bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 9, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, middle, steps=10)
    expect(story(page)).to_contain_text("Merge 128.")  # before it is released
    page.mouse.up()
    expect(step(page)).to_have_value("128")
    page.keyboard.press("ArrowRight")  # the focus is on the slider
    wait_until_idle(page, quiet=400)
    expect(step(page)).to_have_value("129")


def test_nothing_moves_from_one_step_to_the_next(page: Page) -> None:
    open_train(page)
    cards = ("player", "story", "text", "candidates", "merges", "changes", "curves")

    def places_at(merge: int, key: str) -> list[object]:
        page.keyboard.press(key)
        expect(story(page)).to_contain_text(f"Merge {merge}.")
        current = page.get_by_role("grid", name="Merges").locator("[aria-current=true]")
        expect(current).to_contain_text(re.compile(f"^{merge}"))  # the cards below are updated
        wait_until_idle(page, quiet=300)
        return [page.locator(f".st-key-{card}").bounding_box() for card in cards]

    before = places_at(1, "ArrowRight")
    for merge, key in ((2, "ArrowRight"), (256, "End"), (255, "ArrowLeft")):
        assert places_at(merge, key) == before


def test_at_800_pixels_all_of_the_player_is_in_the_window(page: Page) -> None:
    open_train(page)
    page.set_viewport_size({"width": 800, "height": 900})
    for name in ("First", "Back", "Next", "Last", "Play"):
        box = page.locator(".st-key-player").get_by_role("button", name=re.compile(name)).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 800
    assert page.evaluate("document.documentElement.scrollWidth") <= 800
    text, candidates = (page.locator(f".st-key-{card}").bounding_box() for card in ("text", "candidates"))
    assert text is not None
    assert candidates is not None
    assert candidates["y"] > text["y"] + text["height"]


def test_all_that_a_step_did_is_in_sight_on_a_small_projector(page: Page) -> None:
    open_train(page, "/?sample=lantern_story")  # without the first screen
    page.set_viewport_size({"width": 1280, "height": 720})
    page.keyboard.press("ArrowRight")
    expect(story(page)).to_contain_text("\u221296 tokens")
    changes = page.get_by_role("grid", name="Pairs whose count this merge changed")
    expect(rows(page, "Pairs whose count this merge changed").first).to_contain_text("gone")
    for shown in (
        page.get_by_role("button", name="Next"),
        changes,
        page.get_by_text("1.04 bytes per token · 3.8% saved"),
    ):
        box = shown.bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 720
    expect(page.get_by_role("grid", name="Pairs that the next merge can take")).to_be_in_viewport(ratio=0.3)


def test_a_click_on_a_token_opens_its_tree_and_leads_to_the_step_that_made_it(page: Page) -> None:
    open_train(page)
    page.keyboard.press("End")
    expect(story(page)).to_contain_text("Merge 256.")
    text = page.get_by_role("listbox", name="The training text in tokens")
    text.get_by_role("option").filter(has_text="lantern").first.click()
    card = page.locator(".st-key-token")
    expect(card).to_contain_text("was made at merge")
    expect(card.get_by_role("tree", name="Merge tree")).to_be_visible()
    way = card.get_by_role("button", name="Go to merge")
    made_at = re.search(r"\d+", way.inner_text())
    assert made_at is not None
    way.click()
    expect(story(page)).to_contain_text(f"Merge {made_at[0]}.")
    expect(text.locator(".fresh").first).to_contain_text("lantern")
    card.get_by_role("button", name="Close").click()
    expect(page.get_by_role("grid", name="Pairs that the next merge can take")).to_be_visible()


def test_a_refused_file_says_why_where_nothing_covers_it_and_what_was_there_stays(page: Page) -> None:
    open_train(page)
    page.get_by_role("button", name="Open file").click()
    expect(page.get_by_text("A text file in UTF-8 of up to 5,000,000 characters")).to_be_visible()
    page.locator(".stPopoverBody input[type=file], [data-testid=stPopoverBody] input[type=file]").set_input_files(
        {"name": "latin.txt", "mimeType": "text/plain", "buffer": "Größe".encode("latin-1")}
    )
    problem = page.get_by_text("The file is not UTF-8: byte 3 is 0xF6.")
    expect(problem).to_be_visible()
    expect(page.get_by_test_id("stFileUploader")).to_have_count(0)
    top = "el => { const b = el.getBoundingClientRect(); return document.elementFromPoint(b.x + 5, b.y + 5) === el; }"
    assert problem.evaluate(top)
    expect(page.get_by_role("button", name="Sample: ")).to_be_visible()


def test_a_page_without_a_chart_in_sight_loads_no_plotly_and_one_with_charts_loads_it_once(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "lotly" in request.url else None)
    forget_what_is_shown(page)
    open_train(page)
    assert not asked
    for name in ("Tokens of the training text over the merges", "Tokens saved by the size of the vocabulary"):
        in_chart(page, chart(page, name), 0.5)
    assert len(asked) == 1


IN_AND_OUT_OF_SIGHT = """
    const Observer = IntersectionObserver;
    globalThis.IntersectionObserver = class extends Observer {
        constructor(call) {
            super((entries) => call(entries.flatMap((entry) => [{ isIntersecting: true }, entry])));
        }
    };
"""


def test_a_chart_that_is_pushed_out_of_sight_within_a_frame_loads_no_plotly(new_page: Page) -> None:
    page = new_page
    page.add_init_script(IN_AND_OUT_OF_SIGHT)
    page.set_viewport_size({"width": 1280, "height": 500})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_page(page, "/")
    wait_until_idle(page, quiet=500)
    assert not [url for url in asked if "plotly" in url]


def test_a_curve_says_its_value_at_the_pointer(page: Page) -> None:
    open_train(page)
    curve = chart(page, "Tokens of the training text over the merges")
    page.mouse.move(*in_chart(page, curve, 0.5))
    label = page.locator(".plot", has=curve).locator(".hovertext")
    expect(label).to_have_text(re.compile(r"^Merge 128: [\d,]+ tokens, [\d.]+% saved$"))
    tooltip = page.get_by_role("tooltip")
    expect(tooltip).to_have_text(re.compile(r"^.+\+.+Merge 128: [\d,]+ tokens, [\d.]+% saved$"))
    expect(tooltip.locator(".t")).to_have_count(2)
    page.mouse.move(0, 0)
    expect(label).to_have_count(0)
    expect(tooltip).to_have_count(0)


def test_a_curve_is_read_and_followed_by_keys_pressed_before_it_is_drawn(page: Page) -> None:
    late: list[Route] = []
    page.goto("about:blank")  # requests of the previous page are not held
    page.route(f"**/{PLOTLY_PATH}", lambda route: late.append(route))
    open_train(page)
    curve = chart(page, "Tokens of the training text over the merges")
    expect(curve).to_have_attribute("aria-valuetext", re.compile("^Merge 0: "))
    page.get_by_role("textbox", name="Find a token in the merge table").focus()
    tab_to(page, curve)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(curve).to_have_attribute("aria-valuetext", re.compile("^Merge 0: "))
    for route in late:  # before the handler is removed, which would release them
        route.continue_()
    page.unroute(f"**/{PLOTLY_PATH}")
    expect(curve).to_have_attribute("aria-valuetext", re.compile("^Merge 3: "))
    expect(curve).to_have_attribute("aria-valuenow", "3")
    expect(step(page)).to_have_value("0")
    page.keyboard.press("Enter")
    expect(step(page)).to_have_value("3")


def test_a_click_on_a_curve_and_on_a_row_goes_there_and_leaves_the_charts_in_their_place(page: Page) -> None:
    open_train(page)
    tokens = chart(page, "Tokens of the training text over the merges")
    tokens.evaluate("plot => { plot.known = true; }")
    for _ in range(2):  # a second click on the same point counts, too
        click_curve(tokens, 0.5)
        expect(step(page)).to_have_value("128")
        expect(tokens).to_have_attribute("aria-valuetext", re.compile("^Merge 128: "))
        page.keyboard.press("Home")
        expect(step(page)).to_have_value("0")
    click_curve(chart(page, "Bytes per token over the merges"), 0.5)
    expect(step(page)).to_have_value("128")
    rows(page, "Merges").filter(has_text=re.compile(r"^127")).click()
    expect(step(page)).to_have_value("127")
    page.keyboard.press("ArrowRight")
    expect(step(page)).to_have_value("128")
    assert tokens.evaluate("plot => plot.known"), "the chart was redrawn"


@pytest.mark.thorough
def test_keys_right_after_a_click_on_a_curve_go_on_from_there(page: Page) -> None:
    open_train(page)
    for _ in range(3):
        click_curve(chart(page, "Bytes per token over the merges"), 0.25)
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        expect(step(page)).to_have_value("66")
        expect(story(page)).to_contain_text("Merge 66.")
        page.keyboard.press("Home")
        expect(story(page)).to_contain_text("Step 0.")


@pytest.mark.thorough
def test_clicks_on_the_curves_in_a_burst_end_at_the_last(page: Page) -> None:
    open_train(page)
    tokens, compression = (chart(page, f"{what} over the merges") for what in ("training text", "per token"))
    for share in (0.75, 0.125, 0.5, 0.25):
        click_curve(tokens, share)
        click_curve(compression, share)
    expect(story(page)).to_contain_text("Merge 64.")
    expect(step(page)).to_have_value("64")


def test_the_curve_of_costs_is_marked_and_followed_like_the_others_and_says_what_is_beside_it(page: Page) -> None:
    open_train(page)
    costs = chart(page, "Tokens saved by the size of the vocabulary")
    expect(page.locator(".st-key-costs")).to_contain_text(
        "256 ids × 768 = 196,608 parameters: 0.0% of the tokens saved"
    )
    click_curve(costs, 0.49)
    expect(story(page)).to_contain_text(re.compile(r"Merge 2\d\d\."))
    now = step(page).input_value()
    ids = f"{256 + int(now)} ids"
    expect(page.locator(".st-key-costs")).to_contain_text(f"{ids} × 768")
    page.mouse.move(*in_chart(page, costs, 0.97))
    label = page.locator(".plot", has=costs).locator(".hovertext:visible")
    expect(label).to_contain_text("o200k: 200,019 ids × 768 = 153,614,592 parameters")
    click_curve(costs, 0.97)
    wait_until_idle(page)
    expect(step(page)).to_have_value(now)
    rows(page, "Sizes of the vocabulary").filter(has_text="320").first.click()
    expect(step(page)).to_have_value("64")
    width = page.get_by_role("spinbutton", name="Width of an embedding")
    width.fill("1024")
    width.press("Enter")
    expect(page.locator(".st-key-costs")).to_contain_text("320 ids × 1,024 = 327,680 parameters")
    expect(page).to_have_url(re.compile("width=1024"))
    width.fill("768")
    width.press("Enter")
    expect(page).not_to_have_url(re.compile("width="))


def test_a_class_guesses_by_a_click_and_sees_whether_it_was_right(page: Page) -> None:
    open_train(page)
    page.get_by_text("Predict", exact=True).click()
    expect(page.get_by_text("Which pair is merged next?")).to_be_visible()
    page.locator(".st-key-candidates .choices").get_by_role("button", name=re.compile(r"h\s*\+\s*e$")).click()
    expect(page.get_by_text("Right: h + e, 96 times.")).to_be_visible()
    expect(page.get_by_text("1 of 1 right")).to_be_visible()
    page.get_by_text("Predict", exact=True).click()
    expect(page.get_by_text("1 of 1 right")).to_have_count(0)


def test_bars_are_chosen_by_keys_and_one_pressed_while_the_training_plays_is_the_pair_that_was_seen(page: Page) -> None:
    open_train(page)
    page.get_by_role("radio", name="Chart").click()
    expect(bars(page)).to_be_visible()
    tab_to(page, bars(page))
    expect(bars(page)).to_have_attribute("aria-valuetext", re.compile("^h \\+ e, Occurrences: 96, the next merge$"))
    expect(page.get_by_role("tooltip")).to_have_text("h+eOccurrences: 96the next merge")
    page.keyboard.press("ArrowRight")
    expect(bars(page)).not_to_have_attribute("aria-valuetext", re.compile("the next merge"))
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    expect(step(page)).to_have_value("1")
    page.get_by_role("button", name="Play").click()
    expect(step(page)).not_to_have_value("1")
    click_curve(bars(page), 3.5 / 40)
    page.get_by_role("button", name="Your fork: ").click()
    expect(page.get_by_role("group", name="What differs at the end")).to_contain_text("you took")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_the_tooltip_is_that_of_the_bar_below_the_pointer_also_when_the_training_goes_on(page: Page) -> None:
    open_train(page)
    page.get_by_role("radio", name="Chart").click()
    expect(bars(page)).to_be_visible()
    x, y = in_chart(page, bars(page), 3.5 / 40)
    page.mouse.move(x, y)
    training = train(sample("lantern_story").text)
    token = training.tokenizer().token
    for at in (0, 1, 2):
        expect(page.get_by_role("group", name="This step")).to_contain_text(f"Merge {at}." if at else "Step 0.")
        wait_until_idle(page)
        box = bars(page).bounding_box()
        assert box is not None
        pair = training.at(at).candidates(40)[int(40 * (x - box["x"]) / box["width"])]
        pair_text = f"{token(pair.left)}+{token(pair.right)}".replace(" ", "·")
        expect(page.get_by_role("tooltip")).to_contain_text(f"{pair_text}Occurrences: {pair.count}")
        page.keyboard.press("ArrowRight")


def test_control_and_enter_train_on_what_was_pasted_and_playing_takes_every_step_to_the_end(page: Page) -> None:
    show_page_in_any_state(page, "/")
    page.get_by_role("button", name=re.compile("^Paste")).click()
    page.get_by_role("textbox", name="Your text").fill("aaabdaaabac")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("button", name=re.compile("^Pasted text"))).to_be_visible()
    expect(page.get_by_role("textbox", name="Your text")).to_have_count(0)
    page.get_by_role("combobox", name="Speed").select_option("20 / s")
    wait_until_idle(page)
    step(page).evaluate("""field => {
        window.seen = [field.value];
        const { get, set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
        const value = { get, set(to) { window.seen.push(to); set.call(this, to); } };
        Object.defineProperty(field, "value", value);
    }""")
    last = int(page.locator(".st-key-player .of").inner_text().split()[1])
    page.get_by_role("button", name="Play").click()
    expect(step(page)).to_have_value(str(last))
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    assert page.evaluate("[...new Set(window.seen)]") == [str(each) for each in range(last + 1)]


@pytest.mark.thorough
def test_pausing_stays_where_it_is(page: Page) -> None:
    open_train(page)
    page.get_by_role("combobox", name="Speed").select_option("20 / s")
    page.get_by_role("button", name="Play").click()
    expect(step(page)).not_to_have_value("0")
    page.get_by_role("button", name="Pause").click()
    wait_until_idle(page)
    paused_at = step(page).input_value()
    page.locator(".st-key-text .t").nth(3).click()  # the server's response takes as long as several steps
    expect(page.locator(".st-key-token")).to_be_visible()
    wait_until_idle(page)
    expect(step(page)).to_have_value(paused_at)


@pytest.mark.thorough
def test_another_candidate_forks_and_the_way_back_leads_to_the_same_step(page: Page) -> None:
    open_train(page)
    rows(page, "Pairs that the next merge can take").nth(3).click()
    expect(story(page)).to_contain_text("Your choice.")
    page.get_by_role("button", name="Your fork: ").click()
    expect(page.get_by_role("group", name="What differs at the end")).to_contain_text(
        "At merge 1, where the two diverge"
    )
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Back to the rule").click()
    expect(page.get_by_role("button", name="Your fork: ")).to_have_count(0)
    expect(story(page)).to_contain_text("Step 0.")


@pytest.mark.thorough
def test_a_bar_of_another_candidate_forks_and_the_chosen_one_is_the_next_step(page: Page) -> None:
    open_train(page)
    page.get_by_role("radio", name="Chart").click()
    click_curve(bars(page), 0.5 / 40)
    expect(step(page)).to_have_value("1")
    expect(page.get_by_role("button", name="Your fork: ")).to_have_count(0)
    click_curve(bars(page), 3.5 / 40)
    expect(story(page)).to_contain_text("Your choice.")
    expect(step(page)).to_have_value("2")


@pytest.mark.thorough
def test_the_chosen_candidate_is_just_the_next_step(page: Page) -> None:
    open_train(page)
    rows(page, "Pairs that the next merge can take").first.click()
    expect(step(page)).to_have_value("1")
    expect(page.get_by_role("button", name="Your fork: ")).to_have_count(0)


@pytest.mark.thorough
def test_a_search_in_the_merge_table_shows_what_it_finds_wherever_the_table_was(page: Page) -> None:
    open_train(page)
    step(page).fill("42")
    step(page).press("Enter")
    expect(story(page)).to_contain_text("Merge 42.")
    search = page.get_by_role("textbox", name="Find a token in the merge table")
    search.fill("lantern")
    search.press("Enter")
    expect(rows(page, "Merges").first).to_contain_text("lantern")
    page.get_by_role("grid", name="Merges").scroll_into_view_if_needed()
    expect(rows(page, "Merges").first).to_be_in_viewport()
    search.fill("")
    search.press("Enter")
    expect(page.get_by_role("grid", name="Merges").locator("[aria-current=true]")).to_contain_text("42")
    expect(page.get_by_role("grid", name="Merges").locator("[aria-current=true]")).to_be_in_viewport()
