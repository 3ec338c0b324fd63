"""Pages in new sessions of the app, and what they show."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from streamlit.testing.v1 import AppTest

from bpe_core.payloads.frames import unframe
from tests.app.sending import without_terms

APP = Path(__file__).parents[2] / "app.py"


def params(query: str) -> dict[str, list[str]]:
    return parse_qs(query, keep_blank_values=True)


@cache
def hash_of(page: str) -> str:
    """The page hash that a browser sends for a page's URL. AppTest knows it only after a run."""
    return AppTest.from_file(APP, default_timeout=60).run().switch_page(f"pages/{page}.py")._page_hash


def opened(page: str = "train", query: str | Mapping[str, str | list[str]] = "", **values: object) -> AppTest:
    """A new session opened at a page's URL; `values`: of the session state, _ for a space."""
    app = AppTest.from_file(APP, default_timeout=60)
    app.query_params.update(params(query) if isinstance(query, str) else query)
    for name, value in values.items():
        app.session_state[name.replace("_", " ")] = value
    if page != "train":
        app._page_hash = hash_of(page)
    app.run()
    assert not app.exception, app.exception
    return app


def has(app: AppTest, key: str) -> bool:
    """True if a view is on the page."""
    return any(each.proto.id.endswith(f"-{key}") for each in app.get("bidi_component"))


def payload(app: AppTest, key: str) -> dict[str, Any]:
    """Payload of a view."""
    [view] = [each.proto for each in app.get("bidi_component") if each.proto.id.endswith(f"-{key}")]
    head, body = unframe(view.bytes)
    return head | body


def places(lane: Mapping[str, Any]) -> list[tuple[int, int]]:
    """First byte and end of each token of a lane."""
    found, byte = [], 0
    for at, size in enumerate(lane["sizes"]):
        start = byte + lane["jumps"].get(str(at), 0)
        byte = start + size
        found.append((start, byte))
    return found


def column(app: AppTest, key: str, title: str) -> list[Any]:
    """Cells of a table's column."""
    [cells] = [each["cells"] for each in payload(app, key)["columns"] if each["title"] == title]
    return list(cells)


def columns(app: AppTest, key: str) -> dict[str, list[Any]]:
    """Cells of a table by column title."""
    return {column["title"]: column["cells"] for column in payload(app, key)["columns"]}


def texts(app: AppTest) -> list[str]:
    return [each.value for each in app.text]


def joined_texts(app: AppTest) -> str:
    return "\n".join(texts(app))


def all_lines(app: AppTest) -> list[str]:
    """Every line of text on the page."""
    return [without_terms(each.value) for kind in (app.markdown, app.caption, app.text) for each in kind]


def named(widgets: Any, label: str) -> Any:
    """The widget with this label."""
    [found] = [each for each in widgets if each.label == label]
    return found


def chip_text(chip: list[Any]) -> str:
    """The visible text of a chip."""
    pieces = chip[1]
    return pieces if isinstance(pieces, str) else "".join(shown for shown, _ in pieces)


def lanes(app: AppTest) -> list[str]:
    """Names of the tokenizers of the compared lines."""
    return [lane["name"] for lane in payload(app, "lines view")["lanes"]]
