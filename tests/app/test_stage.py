"""The stage's list of cards matches the pages."""

import re
from pathlib import Path

from ui.session.choices import PAGES
from ui.widgets.stage import STAGE

UI = Path(__file__).parents[2] / "ui"
CONTAINER = re.compile(r'st\.container\((?=[^()]*border=True)[^()]*?key=f?"([^"]+)"')

NO_CARDS = {
    "lesson strip",  # at the foot of every card
    "missing files",  # an error and its remedy
    "models to split",
    "long text",  # a line in place of the text
    "encoding of {place.key}",  # a question about a file
    "card of {each.name}",  # in the list of lessons
    "card of {name}",
    "own list",  # in the lesson editor
    "own fields",
    "own step {at}",
    "choosing",  # above the page where a step of a lesson is chosen
}


def bordered() -> set[str]:
    """The keys of all containers with a border, as written in the source."""
    return {found[1] for path in UI.rglob("*.py") for found in CONTAINER.finditer(path.read_text("utf-8"))}


def test_every_card_has_a_tab_on_the_stage() -> None:
    tabs = {key for page in STAGE.values() for key, _ in page.cards}

    def has_tab(key: str) -> bool:
        pattern = ".+".join(re.escape(part) for part in re.split(r"\{[^}]+\}", key))
        return any(re.fullmatch(pattern, tab) for tab in tabs)

    assert len(bordered()) > 30
    assert not {key for key in bordered() - NO_CARDS if not has_tab(key)}


def test_what_a_frame_shows_names_cards_of_its_page_and_what_is_beside_them() -> None:
    for page in STAGE.values():
        keys = {key for key, _ in page.cards}
        assert set(page.alone or ()) <= keys
        for name, (_, parts) in page.joined.items():
            assert set(parts) <= {*keys, page.beside}
            assert name not in keys


def test_every_page_is_on_the_stage_with_tabs_that_differ() -> None:
    assert set(STAGE) >= set(PAGES)
    for page in STAGE.values():
        keys, titles = zip(*page.cards, strict=True)
        assert len(set(keys)) == len(keys)
        assert len(set(titles)) == len(titles)
