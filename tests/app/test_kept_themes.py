"""The theme that a run sends is made once, and again when the configuration was read anew."""

from __future__ import annotations

from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime.app_session import _populate_theme_msg

from ui.shared.kept_themes import Themes

SECTIONS = ("theme", "theme.light", "theme.dark", "theme.sidebar", "theme.light.sidebar", "theme.dark.sidebar")


def test_every_section_is_what_streamlit_makes_of_it() -> None:
    themes = Themes(_populate_theme_msg)
    for section in SECTIONS * 2:
        by_streamlit, kept = CustomThemeConfig(), CustomThemeConfig()
        _populate_theme_msg(by_streamlit, section)
        themes.populate(kept, section)
        assert kept == by_streamlit


def test_a_section_is_made_once_and_a_visitor_who_changes_it_changes_nothing_for_others() -> None:
    made: list[str] = []

    def populate(message: CustomThemeConfig, section: str) -> None:
        made.append(section)
        message.primary_color = f"colour {len(made)} of {section}"

    themes = Themes(populate)
    for _ in range(3):
        message = CustomThemeConfig()
        themes.populate(message, "theme.dark")
        assert message.primary_color == "colour 1 of theme.dark"
        message.primary_color = "another"
    themes.forget()
    message = CustomThemeConfig()
    themes.populate(message, "theme.dark")
    assert message.primary_color == "colour 2 of theme.dark"
