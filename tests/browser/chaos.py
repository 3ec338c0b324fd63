"""Random user actions on all pages: keys and clicks in bursts, choices in Streamlit's own widgets, changes of page,
Back and reloads in between, in two tabs.

python -m tests.browser.chaos --actions 500 --seed 1 --busy 2

Every action defines the expected state of the page. An action without its expected effect in time counts as lost: it is
printed with the preceding actions, and the exit code is 1. The same seed repeats the same actions. `--busy`: number of
processes that keep the CPU busy meanwhile.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Error, Locator, Page, expect

from bpe_core.language import LANGUAGES
from tests.browser.helpers import in_chart, wait_until_idle, wait_until_painted
from tests.browser.serving import PATIENCE, START_SECONDS, launched_chromium, served_app
from ui.session.lessons import all_lessons

LAST_STEP = 256
DISAGREEMENTS = 174
LESSONS = len(all_lessons())
_PAGES = ("Train", "Compare", "Lessons", "Encode", "Vocabulary", "Algorithms", "Pipeline")
_GROUPS = {
    "Train": ("Show the candidates as",),
    "Compare": ("Fertility", "What is counted"),
    "Lessons": (),
    "Encode": ("What to copy", "Special tokens in the text"),
    "Vocabulary": ("Find tokens by",),  # the others are in a menu
    "Algorithms": (),  # the rules are in a menu
    "Pipeline": ("Input",),
}
"""Button groups that do not affect other checks, by page."""

_MENUS = {
    "Vocabulary": ("Order",),
    "Pipeline": ("Normalization", "Split", "Padding", "Role of message 1", "Role of message 2"),
}
_NUMBERS = {
    "Train": {"Width of an embedding: numbers for each id": (64, 4_096)},
    "Encode": {"Seed": (0, 90)},
    "Compare": {"Context, tokens": (1, 9_000)},
    "Algorithms": {"Vocabulary size": (60, 160)},
    "Pipeline": {"Truncate to": (1, 60)},
}
"""Number fields, and the range of typed numbers, by page."""

_CLEARABLE = ("Truncate to",)
"""Those that may be empty."""

_OTHERS = "Other segmentations"
_TEXTS = "Many texts: a file of them, in total and one by one"
_PANELS = {
    "Encode": (_OTHERS,),
    "Compare": (
        _TEXTS,
        "What this text costs, and the context windows that it fills",
        "Two texts under one tokenizer: why does JSON cost more than YAML?",
    ),
    "Vocabulary": ("How often tokens are used, by rank", "Add a token by hand", "Make it smaller"),
    "Algorithms": ("BPE, WordPiece and Unigram at a glance", "The vocabularies side by side"),
}
"""Panels by page, closed at first."""

_WITHIN = {"Seed": _OTHERS, "Context, tokens": _TEXTS, "What is counted": _TEXTS}
"""The panels of widgets."""

_PROMPTS = {"A space at the end": "Hello ", "Half a word": "The qui", "An open URL": "The link is http:"}
_USES = "Used in the training text"
_RULES, _SIDE_BY_SIDE = "Rules", "Side by side, one to four"
_SLIDERS = {"Vocabulary": "Length in bytes"}
_SEVERAL = {"Vocabulary": "Script"}
"""A multi-select menu in the menu Filters, by page."""

_LANGUAGES = {language.title: code for code, language in LANGUAGES.items()}
_BURST = 6
_STEP_KEYS = {"ArrowRight": 1, "PageDown": 1, "ArrowLeft": -1, "PageUp": -1, "Home": -LAST_STEP, "End": LAST_STEP}


def _typed(number: int | None) -> str:
    return "" if number is None else str(number)


def clamp(value: int, last: int) -> int:
    return max(0, min(value, last))


@dataclass
class Visitor:
    """A tab and its expected state."""

    name: str
    page: Page
    at: str = "Train"
    step: int = 0
    disagreement: int = 0
    lesson: int | None = None
    """None for the list of all lessons."""
    text: str = ""
    chosen: dict[str, str] = field(default_factory=dict)
    """Choices in widgets, by label."""
    number: dict[str, int | None] = field(default_factory=dict)
    """Values typed into number fields, by label; None where a field was cleared."""
    range: list[int] = field(default_factory=list)
    dropout: str = ""
    many: list[str] = field(default_factory=list)
    """Options selected in the multi-select menu."""
    uses: str = "All"
    """Chosen in the menu of filters."""
    side_by_side: list[str] = field(default_factory=list)
    opened: set[str] = field(default_factory=set)
    """Titles of open panels."""
    done: list[str] = field(default_factory=list)

    def open(self) -> None:
        """Open the first page in its initial state."""
        self.page.goto("/")
        self.check()

    # -- expectations ----------------------------------------------------------------------------------------

    def check(self) -> None:
        """Raise AssertionError if the page does not reach the expected state."""
        page = self.page
        if self.at == "Train":
            story = "Step 0." if not self.step else f"Merge {self.step}."
            expect(page.get_by_role("group", name="This step")).to_contain_text(story, timeout=PATIENCE)
            expect(page.get_by_label("Go to merge")).to_have_value(str(self.step), timeout=PATIENCE)
        elif self.at == "Compare":
            place = page.locator(".st-key-why").get_by_text(re.compile(r"^[\d,]+ of [\d,]+$")).first
            expect(place).to_have_text(f"{self.disagreement + 1} of {DISAGREEMENTS}", timeout=PATIENCE)
        elif self.at == "Lessons":
            place = page.get_by_text(f"{(self.lesson or 0) + 1} of {LESSONS}", exact=True)
            expect(place).to_be_visible(timeout=PATIENCE)
        elif self.at == "Encode":
            flow = page.get_by_role("listbox", name="The text in tokens")
            if self.text:
                expect(flow).to_have_text(self.text.replace(" ", "·"), timeout=PATIENCE)
            else:
                expect(flow).to_be_visible(timeout=PATIENCE)
        elif self.at == "Algorithms":
            expect(page.get_by_role("button", name=_RULES)).to_be_visible(timeout=PATIENCE)
            if self.side_by_side:
                shown = re.compile("".join(f"[?&]side_by_side={name}" for name in self.side_by_side))
                expect(page).to_have_url(shown, timeout=PATIENCE)
        else:
            expect(self._group(_GROUPS[self.at][0])).to_be_visible(timeout=PATIENCE)
        self._check_panels()
        self._check_choices()
        self._check_numbers()

    def _check_panels(self) -> None:
        for title in _PANELS.get(self.at, ()):
            panel = self._panel(title)
            if title in self.opened:
                expect(panel).to_have_attribute("open", "", timeout=PATIENCE)
            else:
                expect(panel).not_to_have_attribute("open", "", timeout=PATIENCE)

    def _panel(self, title: str) -> Locator:
        return self.page.locator("details", has=self.page.get_by_text(title, exact=True))

    def _numbers(self) -> list[str]:
        """Labels of the number fields that are available now."""
        labels = [label for label in _NUMBERS.get(self.at, {}) if self._is_drawn(label)]
        return [] if self._is_chat() else labels

    def _is_drawn(self, label: str) -> bool:
        if label == "Context, tokens" and self.chosen.get("What is counted", "").startswith("Parallel"):
            return False
        return label not in _WITHIN or _WITHIN[label] in self.opened

    def _check_numbers(self) -> None:
        for label in self._numbers():
            if label in self.number:
                field_of_number = self.page.get_by_role("spinbutton", name=label, exact=True)
                expect(field_of_number).to_have_value(_typed(self.number[label]), timeout=PATIENCE)
        if self.at == "Encode" and self.dropout and _OTHERS in self.opened:
            expect(self._dropout()).to_have_attribute("aria-valuetext", self.dropout, timeout=PATIENCE)
        if self.at in _SLIDERS and self.range:
            for thumb, value in zip(self._thumbs(), self.range, strict=True):
                expect(thumb).to_have_value(str(value), timeout=PATIENCE)
        if self.at in _SEVERAL and self.many:
            said = self.many[0] if len(self.many) == 1 else f"{len(self.many)} scripts"
            expect(self._filters()).to_contain_text(said, timeout=PATIENCE)
        if self.at in _SEVERAL and self.uses != "All":
            expect(self._filters()).to_contain_text(self.uses, timeout=PATIENCE)

    def _is_chat(self) -> bool:
        """True on Pipeline with a chat, which is not truncated."""
        return self.at == "Pipeline" and self.chosen.get("Input") == "A chat"

    def _thumbs(self) -> list[Locator]:
        thumbs = self.page.get_by_role("slider", name=re.compile(_SLIDERS[self.at]))
        return [thumbs.first, thumbs.last]

    def _dropout(self) -> Locator:
        return self.page.get_by_role("slider", name=re.compile("Dropout p"))

    def _filters(self) -> Locator:
        return self.page.get_by_role("button", name=re.compile("Filters"))

    def _check_choices(self) -> None:
        for label in self._labels():
            chosen = self.chosen.get(label)
            if label in _MENUS.get(self.at, ()):
                if chosen is not None:
                    expect(self._menu(label)).to_have_value(chosen, timeout=PATIENCE)
            elif chosen is not None:
                button = self._group(label).get_by_role("radio", name=chosen, exact=True, checked=True)
                if self.at == "Train":  # a click on a token may be replacing it with the token's card
                    button = button.or_(self.page.locator(".st-key-token"))
                expect(button.first).to_be_visible(timeout=PATIENCE)

    def _labels(self) -> tuple[str, ...]:
        """Labels of the widgets that are available now."""
        if self._is_covered():
            return ()
        labels = (*_GROUPS[self.at], *_MENUS.get(self.at, ()))
        is_chat = self._is_chat()
        absent = "Padding" if is_chat else "Role of message"
        return tuple(each for each in labels if self._is_drawn(each) and not each.startswith(absent))

    def _is_covered(self) -> bool:
        """True if the card of a token replaces the candidates."""
        return self.at == "Train" and self.page.locator(".st-key-token").count() > 0

    def _group(self, label: str) -> Locator:
        return self.page.get_by_role("radiogroup", name=label, exact=True)

    def _menu(self, label: str) -> Locator:
        return self.page.get_by_role("combobox", name=label, exact=True)

    def begin_anew(self) -> None:
        """Reset to a known state after a loss."""
        self.at, self.step, self.disagreement, self.lesson, self.text = "Train", 0, 0, None, ""
        self.chosen.clear()
        self.number.clear()
        self.opened.clear()
        self.range, self.many, self.side_by_side = [], [], []
        self.dropout, self.uses = "", "All"
        self.page.goto("about:blank")
        self.open()

    # -- actions ---------------------------------------------------------------------------------------------

    def press(self, rng: random.Random) -> int:
        """Press keys in a burst."""
        keys = rng.choices(self._keys(), k=rng.randint(1, _BURST))
        for key in keys:
            self.page.keyboard.press(key)
            self._move({"n": 1, "p": -1}.get(key) or _STEP_KEYS[key])
        self.done.append("keys " + " ".join(keys))
        return len(keys)

    def _keys(self) -> list[str]:
        if self.at == "Train":
            return ["ArrowRight"] * 6 + ["ArrowLeft"] * 2 + ["PageDown", "PageUp", "Home", "End"]
        return ["n", "n", "p"] if self.at == "Compare" else ["ArrowRight", "PageDown", "ArrowLeft", "PageUp"]

    def _move(self, by: int) -> None:
        if self.at == "Train":
            self.step = clamp(self.step + by, LAST_STEP)
        elif self.at == "Compare":
            self.disagreement = clamp(self.disagreement + by, DISAGREEMENTS - 1)
        else:
            self.lesson = clamp((self.lesson or 0) + by, LESSONS - 1)

    def click(self, rng: random.Random) -> int:
        """Click the buttons in a burst."""
        back = "Back" if self.at == "Train" else "Previous"
        names = [rng.choice(["Next", "Next", back]) for _ in range(rng.randint(1, _BURST))]
        many = 0
        for name in names:
            before = (self.step, self.disagreement, self.lesson)
            self._move(1 if name == "Next" else -1)
            if before == (self.step, self.disagreement, self.lesson):
                continue  # the button is disabled
            self.page.get_by_role("button", name=name, exact=True).click()
            many += 1
        self.done.append("clicks " + " ".join(names))
        return many

    def type_a_step(self, rng: random.Random) -> int:
        self.step = rng.randint(0, LAST_STEP)
        field_of_step = self.page.get_by_label("Go to merge")
        field_of_step.fill(str(self.step))
        field_of_step.press("Enter")
        self.done.append(f"types {self.step}")
        return 1

    def click_a_row(self, rng: random.Random) -> int:
        self.check()
        wait_until_painted(self.page)  # the row is at its visible position
        rows = self.page.get_by_role("grid", name="Merges").locator("[role=rowgroup] [role=row]")
        rows.first.evaluate("row => row.closest('.scroll').scrollIntoView({ block: 'center' })")
        number, x, y = rows.evaluate_all(
            """(rows, at) => {
                const view = rows[0].closest(".scroll").getBoundingClientRect();
                const seen = rows.filter((row) => {
                    const { top, bottom } = row.getBoundingClientRect();
                    return top > view.top + 40 && bottom < view.bottom;
                });
                const row = seen[Math.floor(at * seen.length)];
                const { left, top, height } = row.getBoundingClientRect();
                return [row.firstChild.textContent, left + 10, top + height / 2];
            }""",
            rng.random(),
        )
        self.step = int(number)
        self.page.mouse.click(x, y)  # by coordinates: Playwright's own click would scroll the table to other rows
        self.done.append(f"row {number}")
        return 1

    def click_a_curve(self, rng: random.Random) -> int:
        plot = self.page.get_by_role("slider", name=re.compile("per token over the merges"))
        self.page.mouse.click(*in_chart(self.page, plot, 0.01 + 0.98 * rng.random()))
        self.step = int(self.page.get_by_label("Go to merge").input_value())  # set immediately; the page has to follow
        self.done.append(f"curve {self.step}")
        return 1

    def drag_the_slider(self, rng: random.Random) -> int:
        slider = self.page.get_by_role("slider", name="Merges applied")
        box = slider.bounding_box()
        assert box is not None
        slider.click(position={"x": 4 + rng.random() * (box["width"] - 8), "y": box["height"] / 2})
        self.step = int(self.page.get_by_label("Go to merge").input_value())
        self.done.append(f"slider {self.step}")
        return 1

    def click_a_token(self, rng: random.Random) -> int:
        """Click a token: its details are shown, the step stays, and subsequent keys still step."""
        self.page.locator(".st-key-text .t").nth(rng.randint(0, 20)).click()
        self.done.append("token")
        return 1

    def play_and_pause(self, rng: random.Random) -> int:
        self.check()
        if self.step > LAST_STEP - 20:
            return 0
        self.page.keyboard.press(" ")
        expect(self.page.get_by_label("Go to merge")).not_to_have_value(str(self.step), timeout=PATIENCE)
        self.page.keyboard.press(" ")
        expect(self.page.get_by_role("button", name="Play")).to_be_visible(timeout=PATIENCE)
        self._wait_for_rest()
        self.step = int(self.page.get_by_label("Go to merge").input_value())
        self.done.append(f"plays to {self.step}")
        return 2

    def _wait_for_rest(self) -> None:
        self.page.wait_for_function(
            "() => ![...bpeLab.actions().of.values()].some((actions) => actions.waiting.length)"
        )

    def type_a_text(self, rng: random.Random) -> int:
        area = self.page.get_by_label("Text to encode")
        if not self.text:
            area.fill("")
        word = "".join(rng.choices("abcdefgh ", k=rng.randint(1, _BURST))).strip() or "x"
        area.press("End")
        area.press_sequentially(word)
        self.text += word
        self.done.append(f"text {word}")
        return len(word)

    def choose(self, rng: random.Random) -> int:
        """Choose an option in one of Streamlit's own widgets."""
        labels = self._labels()
        if not labels:
            return 0
        label = rng.choice(labels)
        if label in _MENUS.get(self.at, ()):
            wait_until_idle(self.page)  # a menu closes when its page is redrawn; a user would reopen it
            options = self.page.get_by_test_id("stSelectboxVirtualDropdown").get_by_role("option")
            for _again in range(3):
                self._menu(label).click()
                try:
                    expect(options.first).to_be_visible(timeout=PATIENCE / 4)
                    break
                except AssertionError:
                    wait_until_idle(self.page)
            at = rng.randrange(options.count())
            self.chosen[label] = options.nth(at).inner_text().strip()
            options.nth(at).click()
        else:
            buttons = self._group(label).get_by_role("radio")
            token = self.page.locator(".st-key-token")  # its card replaces the candidates, after a reload only now
            expect(buttons.or_(token).first).to_be_visible(timeout=PATIENCE)
            if self._is_covered():
                return 0
            option = rng.choice(buttons.all_inner_texts()).strip()
            buttons.and_(self.page.get_by_role("radio", name=option, exact=True)).click()
            self.chosen[label] = option
        self.done.append(f"{label}: {self.chosen[label]}")
        return 1

    def type_a_number(self, rng: random.Random) -> int:
        labels = self._numbers()
        if not labels:
            return 0
        label = rng.choice(labels)
        clears = label in _CLEARABLE and rng.random() < 0.4
        self.number[label] = None if clears else rng.randint(*_NUMBERS[self.at][label])
        field_of_number = self.page.get_by_role("spinbutton", name=label, exact=True)
        typed = _typed(self.number[label])
        field_of_number.fill(typed)
        if typed and re.fullmatch(rf"[0-9]+{typed}", field_of_number.input_value()):
            field_of_number.fill(typed)  # after a value that came before the first digit: a user would see that
        field_of_number.press("Enter")
        field_of_number.blur()  # keys that follow are the page's
        self.done.append(f"{label}: {typed or 'cleared'}")
        return 1

    def toggle_a_panel(self, rng: random.Random) -> int:
        """Open or close a panel; in that of many texts, take the samples."""
        title = rng.choice(_PANELS[self.at])
        wait_until_idle(self.page)
        self._panel(title).locator("summary").click()
        self.opened ^= {title}
        self.done.append(f"{'opens' if title in self.opened else 'closes'} {title}")
        if title == _TEXTS and title in self.opened:
            self.page.get_by_role("button", name="Use the sample texts").click()
            self.done.append("takes the samples")
            return 2
        return 1

    def move_the_dropout(self, rng: random.Random) -> int:
        """Press keys on the slider of BPE-dropout."""
        if _OTHERS not in self.opened:
            return 0
        self.check()
        if not self._dropout().count():
            return 0
        for _ in range(rng.randint(1, _BURST)):
            self._dropout().press(rng.choice(["ArrowLeft", "ArrowRight"]))
        self.dropout = self._dropout().get_attribute("aria-valuetext") or ""
        self.done.append(f"dropout {self.dropout}")
        return 1

    def take_a_prompt(self, rng: random.Random) -> int:
        """Take one of the examples of prompts as the text."""
        title = rng.choice(list(_PROMPTS))
        if not self.page.locator(".st-key-prompt-end").count():
            self._group("Show the text as").get_by_role("radio", name="Prompt end", exact=True).click()
        self.page.get_by_role("button", name=title, exact=True).click()
        self.text = _PROMPTS[title]
        self.done.append(f"prompt {title}")
        return 1

    def choose_side_by_side(self, rng: random.Random) -> int:
        """Remove an algorithm from those side by side, or add one."""
        wait_until_idle(self.page)
        rules = self.page.get_by_role("button", name=_RULES)
        rules.click()
        menu = self.page.get_by_role("combobox", name=_SIDE_BY_SIDE, exact=True)
        menu.click()
        options = self.page.get_by_role("listbox").get_by_role("option", disabled=False)
        tags = self.page.get_by_test_id("stMultiSelect").filter(has=menu).locator("[data-tag]")
        named = tags.all_inner_texts()
        if (len(named) > 1 and rng.random() < 0.5) or len(named) == 4:
            self.page.keyboard.press("Backspace")
            del named[-1]
        else:
            expect(options.first).to_be_visible(timeout=PATIENCE)
            option = options.nth(rng.randrange(options.count()))
            named.append(option.inner_text().strip())
            option.click()
        self.page.keyboard.press("Escape")
        rules.click()
        order = {"BPE": "bpe", "PickyBPE": "picky", "SuperBPE": "superbpe", "BoundlessBPE": "boundlessbpe"}
        order |= {"WordPiece": "wordpiece", "Unigram": "unigram", "SentencePiece": "sentencepiece"}
        self.side_by_side = [order[name] for name in order if name in {each.strip() for each in named}]
        if self.side_by_side == ["bpe", "wordpiece", "unigram", "sentencepiece"]:
            self.side_by_side = []  # the default, which no address names
        self.done.append(f"side by side {self.side_by_side}")
        return 1

    def choose_a_use(self, rng: random.Random) -> int:
        """Choose in the menu of filters."""
        wait_until_idle(self.page)
        self._filters().click()
        self.uses = rng.choice(["All", "Used", "Never used", "Duplicates"])
        self._group(_USES).get_by_role("radio", name=self.uses, exact=True).click()
        self.page.keyboard.press("Escape")
        self.done.append(f"{_USES}: {self.uses}")
        return 1

    def move_a_range(self, rng: random.Random) -> int:
        """Press keys on one thumb of a range slider."""
        self.check()
        thumbs = self._thumbs()
        end = rng.randrange(2)
        for _ in range(rng.randint(1, _BURST)):
            thumbs[end].press("ArrowLeft" if end else "ArrowRight")
        self.range = [int(thumb.input_value()) for thumb in thumbs]
        self.done.append(f"range {self.range}")
        return 1

    def choose_several(self, rng: random.Random) -> int:
        wait_until_idle(self.page)
        self._filters().click()
        self.page.get_by_role("combobox", name=_SEVERAL[self.at], exact=True).click()
        options = self.page.get_by_role("listbox").get_by_role("option")
        expect(options.first).to_be_visible(timeout=PATIENCE)
        offered = [each.strip() for each in options.all_inner_texts()]
        names = [each for each in offered if each not in ("Select all", "No results")][:4]
        if names:
            self.many.append(rng.choice(names))
            self.done.append(f"{_SEVERAL[self.at]}: {self.many[-1]}")
            options.get_by_text(self.many[-1], exact=True).click()
        self.page.keyboard.press("Escape")
        self._filters().click()
        return len(names[:1])

    def change_the_language(self, rng: random.Random) -> int:
        """Switch to another language and back to English, the language of the labels used here."""
        now = "English"
        for to in (rng.choice([name for name in _LANGUAGES if name != now]), "English"):
            wait_until_idle(self.page)
            self.page.get_by_role("button", name=now, exact=True).click()
            self.page.get_by_role("menuitem", name=re.compile(f"^{re.escape(to)}")).click()
            expect(self.page.get_by_role("button", name=to, exact=True)).to_be_visible(timeout=PATIENCE)
            now = to
            self.done.append(to)
        return 2

    def go_to(self, rng: random.Random) -> int:
        """Open another page, whatever is pending on this one."""
        to = rng.choice([name for name in _PAGES if name != self.at])
        if self.at == "Encode":
            self.check()  # typed text is sent shortly after the last key
        self.page.get_by_role("link", name=to, exact=True).click()
        self.at = to
        if to == "Lessons" and self.lesson is None:
            cards = self.page.locator("[class*=st-key-card-of]")  # a course has buttons with the same names
            cards.get_by_role("button", name="Why counting letters fails", exact=True).click()
            self.lesson = 0
        self.done.append(f"to {to}")
        self.check()
        return 1

    def there_and_back(self, rng: random.Random) -> int:
        """Open another page and return with the browser's Back, possibly before the other page has loaded."""
        if self.at == "Lessons":
            return 0  # each lesson has its own history entry
        if self.at == "Encode":
            self.check()
        to = rng.choice([name for name in _PAGES if name not in (self.at, "Lessons")])
        self.page.get_by_role("link", name=to, exact=True).click()
        self.page.wait_for_function(
            "(path) => location.pathname === path", arg="/" if to == "Train" else f"/{to.lower()}"
        )
        time.sleep(rng.choice([0, 0.05, 0.5]))
        self.page.go_back()
        self.done.append(f"to {to} and back")
        self.check()
        return 2

    def reload(self, rng: random.Random) -> int:
        if self.at == "Encode":
            self.check()
        pause = rng.choice([0, 0.02, 0.05])
        time.sleep(pause)
        self.page.reload(wait_until="commit")
        self.done.append(f"reload after {pause * 1000:.0f} ms")
        if rng.random() < 0.5:
            self.check()
        else:
            self.page.wait_for_function("() => window.bpeLab !== undefined")
        return 1

    def ways(self) -> Sequence[Callable[[random.Random], int]]:
        """The actions possible on this page, frequent ones repeated."""
        moves = [self.go_to, self.there_and_back, self.reload]
        panels = [self.toggle_a_panel] if self.at in _PANELS else []
        numbers = [self.type_a_number] * 2 if self._numbers() else []
        if self.at == "Encode":
            own = [self.type_a_text] * 3 + [self.choose] * 2 + [self.take_a_prompt, self.move_the_dropout]
            return [*own, *panels, *numbers, *moves]
        if self.at not in ("Train", "Compare", "Lessons"):
            own = [self.move_a_range, self.choose_several, self.choose_a_use] if self.at in _SLIDERS else []
            own += [self.choose_side_by_side] if self.at == "Algorithms" else []
            return [*[self.choose] * 3, *own, *panels, *numbers, *moves, self.change_the_language]
        both = [self.press] * 5 + [self.click] * 3 + [*panels, *numbers, *moves]
        both += [self.choose] if _GROUPS[self.at] else []
        if self.at != "Train":
            return both
        views = [self.type_a_step, self.click_a_row, self.click_a_curve, self.drag_the_slider, self.click_a_token]
        return [*both, self.press, self.reload, *views, self.play_and_pause]


@dataclass
class Result:
    """Number of actions, and the lost ones."""

    asked: int
    lost: list[str]


def run(pages: list[Page], actions: int, seed: int) -> Result:
    """Act in each of the tabs in turn until this many actions were performed."""
    rng = random.Random(seed)
    visitors = [Visitor(f"tab {number}", page) for number, page in enumerate(pages, 1)]
    for visitor in visitors:
        visitor.open()
    result = Result(0, [])
    while result.asked < actions:
        visitor = rng.choice(visitors)
        visitor.page.bring_to_front()
        try:
            for _ in range(rng.randint(1, 3)):
                result.asked += rng.choice(visitor.ways())(rng)
            visitor.check()
        except (AssertionError, Error) as error:
            shown = str(error).strip().splitlines()
            result.lost.append(
                f"{visitor.name} on {visitor.at}: {'; '.join(visitor.done[-6:])}: {' '.join(shown[:12])}"
            )
            print(f"lost, at {visitor.page.url}: {result.lost[-1]}", flush=True)
            visitor.begin_anew()
    return result


@contextmanager
def busy_processes(many: int) -> Iterator[None]:
    """This many processes that keep the CPU busy."""
    processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(many)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--actions", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--busy", type=int, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, served_app(Path(folder)) as server, launched_chromium() as chromium:
        context = chromium.new_context(base_url=server.url, viewport={"width": 1280, "height": 900})
        pages = [context.new_page() for _ in range(2)]
        pages[0].goto("/")
        pages[0].get_by_label("Go to merge").wait_for(timeout=START_SECONDS * 1_000)
        with busy_processes(given.busy):
            start = time.monotonic()
            result = run(pages, given.actions, given.seed)
            seconds = time.monotonic() - start
        tracebacks = server.log_text().count("Traceback")
    print(
        f"seed {given.seed}, {given.busy} busy processes: {result.asked} actions, {len(result.lost)} lost, "
        f"{tracebacks} tracebacks, {seconds:.0f} s"
    )
    return 1 if result.lost or tracebacks else 0


if __name__ == "__main__":
    sys.exit(main())
