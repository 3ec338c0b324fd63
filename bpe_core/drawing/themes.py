"""The colours of a picture: for light slides, for dark ones, and for print."""

from __future__ import annotations

from typing import NamedTuple

_HUES = ("#3b82f6", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#9a8cff", "#c9b400")
"""Eight hues after Okabe and Ito, those of the app."""


class Theme(NamedTuple):
    """The colours of a picture: ground, ink, pale ink; `share`: of a hue in a token's colour, of neighbours' and alone.

    `outlined`: tokens have an outline, which a printer without colours prints.

    >>> THEMES["print"].ground
    '#ffffff'
    """

    ground: str
    ink: str
    pale: str
    share: tuple[float, float]
    outlined: bool = False

    def fill(self, token_id: int, *, second: bool = False) -> str:
        """The colour of a token; the second shade of its hue where the token before it has the same.

        >>> THEMES["light"].fill(97) == THEMES["light"].fill(97, second=True)
        False
        """
        return mixed(_HUES[hue(token_id)], self.ground, self.share[second])

    def outline(self, token_id: int) -> str:
        """The colour of a token's outline.

        >>> THEMES["light"].outline(97)
        '#938609'
        """
        return mixed(_HUES[hue(token_id)], self.ink, 0.7)

    def soft(self, fill: str) -> str:
        """The colour of marks for white space on a token of this colour.

        >>> THEMES["print"].soft("#ffffff")
        '#7c7e7f'
        """
        return mixed(self.ink, fill, 0.55)


THEMES = {
    "light": Theme("#fbfbf9", "#16191d", "#5d666e", (0.26, 0.46)),
    "dark": Theme("#0f1216", "#e9ecef", "#97a1ab", (0.34, 0.52)),
    "print": Theme("#ffffff", "#111417", "#50585f", (0.16, 0.34), outlined=True),
}
"""The themes by name."""


def hue(token_id: int) -> int:
    """Which of the eight hues a token has: the same hash of its id as in the app and in notebooks.

    >>> [hue(token_id) for token_id in (97, 98, 99)]
    [7, 4, 1]
    """
    return ((token_id * 2_654_435_761) & 0xFFFFFFFF) >> 29


def mixed(colour: str, other: str, share: float) -> str:
    """Two colours mixed in sRGB; `share`: of the first, 0 to 1.

    >>> mixed("#ffffff", "#000000", 0.5)
    '#808080'
    """
    parts = zip(bytes.fromhex(colour[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + "".join(f"{round(share * each + (1 - share) * rest):02x}" for each, rest in parts)
