"""Pictures of views: every view has the button, and print has the colours of the light theme."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

from tests.app.pages import opened

PROJECT = Path(__file__).parents[2]
SCRIPTS = PROJECT / "frontend" / "src"
CONTROLS = {
    "address",
    "choice",
    "contrast",
    "copy_link",
    "follow_up",
    "live_text",
    "pager",
    "pictures",
    "player",
    "relay",
    "shelf",
    "stage",
    "tour",
    "verbatim",  # a text to copy
    "word_breaks",
}
"""Views without a picture."""


def test_every_view_has_the_button() -> None:
    views = re.findall(r"^  (\w+): (ofTokens\(|\{)", (SCRIPTS / "views.ts").read_text("utf-8"), re.MULTILINE)
    assert {name for name, made in views if made != "ofTokens("} == CONTROLS


def test_print_has_the_colours_of_the_light_theme_on_white() -> None:
    light = tomllib.loads((PROJECT / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]["light"]
    theme = {
        "--st-" + re.sub(r"[A-Z]", lambda found: f"-{found[0].lower()}", name): value for name, value in light.items()
    }
    printed = json.loads((SCRIPTS / "export" / "print.json").read_text("utf-8"))
    assert printed.pop("--st-background-color") == "#ffffff"
    assert printed == {name: theme[name] for name in printed}


def test_a_caption_knows_what_the_tokenizer_is_trained_on() -> None:
    app = opened()
    [mounted] = [each for each in app.get("bidi_component") if each.proto.json.startswith('["pictures"')]
    data = json.loads(mounted.proto.json)[2]
    assert (data["trainedOn"], data["settings"]) == (
        "The lantern story",
        "Bytes · GPT-2 split · 512 ids · first seen wins",
    )
    assert data["names"]["gpt2"] == "GPT-2"
