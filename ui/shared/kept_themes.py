"""The colours of the app, made into a message once and not at each run.

At the beginning of each run, a step on Train as well, Streamlit reads the options of all six sections of its theme and
writes them into a message for the browser: an eighth of the computing of such a step. They change only when its
configuration is read again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from streamlit import config
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session


class Themes:
    """The sections of the theme by their names, each made when it is first asked for."""

    def __init__(self, populate: Callable[..., None]) -> None:
        self._populate = populate
        self._made: dict[str, CustomThemeConfig] = {}

    def forget(self) -> None:
        """Make them anew."""
        self._made.clear()

    def populate(self, message: CustomThemeConfig, section: str = "theme") -> None:
        """Write a section into a message in which it is not yet."""
        made = self._made.get(section)
        if made is None:
            made = CustomThemeConfig()
            self._populate(made, section)
            self._made[section] = made
        message.MergeFrom(made)


def keep_themes() -> None:
    """From now on in this process."""
    module: Any = app_session
    themes = Themes(module._populate_theme_msg)
    module._populate_theme_msg = themes.populate
    config.on_config_parsed(themes.forget, force_connect=True)
