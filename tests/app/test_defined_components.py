"""A component is defined once for each language in which it is drawn, with its words in that language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import streamlit as st

from bpe_core.language import PSEUDO
from ui.components import defined
from ui.components.defined import Component

WORDS = Path(defined.__file__).with_name("words.js")


@pytest.fixture
def definitions(monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, Any]]:
    """What components were defined with, by their names; each returns its name when it is drawn."""
    made: dict[str, dict[str, Any]] = {}

    def component(name: str, **given: Any) -> Any:
        assert name not in made, "defined twice"
        made[name] = given
        return lambda **_: name

    monkeypatch.setattr(st.components.v2, "component", component)
    return made


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """A script that says one thing."""
    (tmp_path / "catalogue.json").write_text("{}", "utf-8")
    (tmp_path / "words.js").write_text(WORDS.read_text("utf-8"), "utf-8")
    path = tmp_path / "view.js"
    path.write_text('import { t } from "./words.js";\n\nexport default function () {\n  t("Next");\n}\n', "utf-8")
    return path


def test_a_component_is_defined_when_it_is_first_drawn_in_a_language(
    definitions: dict[str, dict[str, Any]], script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = Component("view", script, html='<b title="[[Next]]">[[Back]]</b>')
    assert list(definitions) == ["view"]
    assert definitions["view"]["html"] == '<b title="Next">Back</b>'
    assert "const CATALOGUE = {};" in definitions["view"]["js"]
    assert view() == "view"
    monkeypatch.setattr(defined, "spoken", lambda: PSEUDO)
    assert [view(), view()] == ["view_en_xa", "view_en_xa"]
    assert definitions["view_en_xa"]["html"] == '<b title="\u27e6Next\u27e7">\u27e6Back\u27e7</b>'
    assert '"Next": "\\u27e6Next\\u27e7"' in definitions["view_en_xa"]["js"]
    assert list(definitions) == ["view", "view_en_xa"]
