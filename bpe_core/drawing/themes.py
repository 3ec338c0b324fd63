"""Colours of a picture: for light slides, for dark ones, and for print."""

from __future__ import annotations

from typing import NamedTuple

from bpe_core import checks

CALM_LIGHT = ("#dec3c1", "#eee5c0", "#c1e3fd", "#fca48c", "#c8f7ec", "#c1bbfc", "#f9c965", "#80c5cc")
CALM_DARK = ("#524b55", "#555002", "#235174", "#513117", "#233b35", "#4c2b4c", "#554d3c", "#36238b")
CALM_WHITE = ("#e0c6c3", "#f1e8c3", "#c4e6ff", "#ffa68e", "#cbfaef", "#c3beff", "#fccc65", "#82c8cd")
STRONG_LIGHT = ("#2aff00", "#b19fb4", "#c89e56", "#ffffb2", "#7ee1ff", "#7ba3ff", "#43ffe0", "#a0b69e")
STRONG_DARK = ("#2e5540", "#8e0084", "#271800", "#594d05", "#000057", "#011ef4", "#383e49", "#260216")
"""Eight token colours of the app on light, dark and white ground; the strong ones are for projectors."""

CHART = ("#3b82f6", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#9a8cff", "#c9b400")
"""Chart colours, distinguishable with colour blindness: Okabe and Ito's, and three between them."""


class Theme(NamedTuple):
    """Colours of a picture: ground, ink, pale ink, and those of tokens.

    `outlined`: whether tokens have an outline, visible in print without colours.

    >>> THEMES["print"].ground
    '#ffffff'
    """

    ground: str
    ink: str
    pale: str
    colours: tuple[str, ...]
    outlined: bool = False

    def outline(self, fill: str) -> str:
        """Outline colour of a token of this colour.

        >>> THEMES["print"].outline("#ffffff")
        '#a0a1a2'
        """
        return mixed(self.ink, fill, 0.4)

    def soft(self, fill: str) -> str:
        """Colour of white-space marks on a token of this colour.

        >>> THEMES["print"].soft("#ffffff")
        '#7c7e7f'
        """
        return mixed(self.ink, fill, 0.55)


THEMES = {
    "light": Theme("#fbfbf9", "#16191d", "#5d666e", CALM_LIGHT),
    "dark": Theme("#0f1216", "#e9ecef", "#97a1ab", CALM_DARK),
    "print": Theme("#ffffff", "#111417", "#50585f", CALM_WHITE, outlined=True),
    "light-strong": Theme("#fbfbf9", "#16191d", "#5d666e", STRONG_LIGHT),
    "dark-strong": Theme("#0f1216", "#e9ecef", "#97a1ab", STRONG_DARK),
}
"""Themes by name."""


def checked_theme(theme: object) -> str:
    """Return the name of a theme. Raises ConfigError for an unknown one.

    >>> checked_theme("dark")
    'dark'
    """
    return checks.choice(theme, "theme", THEMES)


def legible(colour: str, theme: Theme, least: float = 3.0) -> str:
    """Mix a colour with ink until it has at least this contrast to the ground of a theme.

    >>> legible("#e69f00", THEMES["light"]), legible("#e69f00", THEMES["dark"])
    ('#bc8406', '#e69f00')
    """
    shares = (share / 20 for share in range(20, 0, -1))
    steps = (mixed(colour, theme.ink, share) for share in shares)
    return next((step for step in steps if contrast(step, theme.ground) >= least), theme.ink)


def contrast(colour: str, other: str) -> float:
    """Contrast of two colours as defined by WCAG, 1 to 21.

    >>> contrast("#ffffff", "#000000"), round(contrast("#0f1216", "#e69f00"), 1)
    (21.0, 8.3)
    """
    darker, lighter = sorted(map(_luminance, (colour, other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = (each / 255 for each in bytes.fromhex(colour[1:]))
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def mixed(colour: str, other: str, share: float) -> str:
    """Mix two colours in sRGB; `share`: of the first, 0 to 1.

    >>> mixed("#ffffff", "#000000", 0.5)
    '#808080'
    """
    parts = zip(bytes.fromhex(colour[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + "".join(f"{round(share * each + (1 - share) * rest):02x}" for each, rest in parts)
