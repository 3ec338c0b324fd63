"""Token colours of the style sheet: the distance of any two, and the contrast of text on them."""

import re
import tomllib
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from bpe_core.drawing import themes

PROJECT = Path(__file__).parents[2]
CSS = (PROJECT / "frontend" / "src" / "tokens" / "spans.css").read_text("utf-8")
THEMES = tomllib.loads((PROJECT / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]

Array = npt.NDArray[np.float64]

# OKLab by Ottosson: linear sRGB to cone responses, and the cube roots of these to lightness and two opponents.
TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)

# Colours as seen without one kind of cone, in linear sRGB: Machado, Oliveira and Fernandes 2009, severity 1.
EYES = {
    "all cones": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
}

LEAST = {  # CIEDE2000 between any two colours; 2 is just noticeable where they touch
    ("calm", "all cones"): 14,
    ("calm", "protanopia"): 9,
    ("calm", "deuteranopia"): 9,
    ("strong", "all cones"): 20,
    ("strong", "protanopia"): 13.5,
    ("strong", "deuteranopia"): 13.5,
}


def linear(colour: str) -> Array:
    channels = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def oklab(rgb: Array) -> Array:
    return TO_LAB @ np.cbrt(TO_LMS @ rgb)


def shown(lab: Array) -> Array:
    """A colour in OKLab as displayed by a screen, in linear sRGB."""
    return np.clip(np.linalg.inv(TO_LMS) @ (np.linalg.inv(TO_LAB) @ lab) ** 3, 0, 1)


def contrast(one: Array, other: Array) -> float:
    """Contrast ratio of WCAG 2."""
    light = sorted(float(np.array([0.2126, 0.7152, 0.0722]) @ colour) + 0.05 for colour in (one, other))
    return light[1] / light[0]


def cielab(rgb: Array) -> Array:
    relative = TO_XYZ @ rgb / TO_XYZ.sum(axis=1)
    x, y, z = np.where(relative > 216 / 24389, np.cbrt(relative), (24389 / 27 * relative + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def ciede2000(one: Array, other: Array) -> float:
    """Perceived difference of two colours in CIELAB: Sharma, Wu and Dalal 2005."""
    mean = (np.hypot(*one[1:]) + np.hypot(*other[1:])) / 2
    widened = 1 + 0.5 * (1 - np.sqrt(mean**7 / (mean**7 + 25.0**7)))
    (l1, a1, b1), (l2, a2, b2) = one * [1, widened, 1], other * [1, widened, 1]
    c1, c2 = np.hypot(a1, b1), np.hypot(a2, b2)
    h1, h2 = (np.degrees(np.arctan2(b, a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    between = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    hue = (h1 + between / 2) % 360 if c1 * c2 else h1 + h2
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    angles = np.radians([hue - 30, 2 * hue, 3 * hue + 6, 4 * hue - 63])
    weight = 1 + np.array([-0.17, 0.24, 0.32, -0.20]) @ np.cos(angles)
    d_l = (l2 - l1) / (1 + 0.015 * (lightness - 50) ** 2 / np.sqrt(20 + (lightness - 50) ** 2))
    d_c = (c2 - c1) / (1 + 0.045 * chroma)
    d_h = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(between / 2)) / (1 + 0.015 * chroma * weight)
    turn = np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2)))
    rotation = -2 * np.sqrt(chroma**7 / (chroma**7 + 25.0**7)) * np.sin(turn)
    return float(np.sqrt(d_l**2 + d_c**2 + d_h**2 + rotation * d_c * d_h))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [  # published with the formula
        ([50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425),
        ([50, -1, 2], [50, 0, 0], 2.3669),
        ([50, 2.5, 0], [50, 0, -2.5], 4.3065),
        ([50, 2.5, 0], [58, 24, 15], 19.4535),
        ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
        ([90.8027, -2.0831, 1.4410], [91.1528, -1.6435, 0.0447], 1.4441),
        ([2.0776, 0.0795, -1.1350], [0.9033, -0.0636, -0.5514], 0.9082),
    ],
)
def test_the_distance_is_the_published_one(one: list[float], other: list[float], expected: float) -> None:
    assert ciede2000(np.array(one), np.array(other)) == pytest.approx(expected, abs=1e-4)


def palette(kind: str, theme: str) -> list[Array]:
    """The eight colours of the style sheet over a theme's background, in linear sRGB."""
    background = oklab(linear(THEMES[theme]["backgroundColor"]))
    parts = r"oklab\(from var\(--bg\) ((?:calc\([^)]*\) ?){3})\)"
    rules = re.findall(
        rf"^\.c(\d) \{{ --strong: var\(--high-contrast\) {parts}; background-color: var\(--strong, {parts}\); \}}$",
        CSS,
        re.MULTILINE,
    )
    assert [number for number, *_ in rules] == list("01234567")
    colours = []
    for _, strong, calm in rules:
        lines = re.findall(r"calc\((-?[\d.]+) ([+-]) ([\d.]+) \* l\)", strong if kind == "strong" else calm)
        assert len(lines) == 3
        colours.append(shown(np.array([float(a) + float(sign + b) * background[0] for a, sign, b in lines])))
    return colours


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("kind", "eyes"), LEAST)
def test_any_two_colours_can_be_told_apart(kind: str, eyes: str, theme: str) -> None:
    seen = [cielab(np.clip(EYES[eyes] @ colour, 0, 1)) for colour in palette(kind, theme)]
    assert min(ciede2000(one, other) for one, other in combinations(seen, 2)) >= LEAST[kind, eyes]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["calm", "strong"])
def test_text_can_be_read_on_every_colour_and_every_colour_is_seen(kind: str, theme: str) -> None:
    background = linear(THEMES[theme]["backgroundColor"])
    ink = linear(THEMES[theme]["textColor"])
    colours = palette(kind, theme)
    assert min(contrast(ink, colour) for colour in colours) >= 7
    assert min(ciede2000(cielab(colour), cielab(background)) for colour in colours) >= 12


def test_contrast_is_that_of_the_guidelines() -> None:
    white: Any = linear("#ffffff")
    assert contrast(white, linear("#000000")) == pytest.approx(21)
    assert contrast(white, linear("#767676")) == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize(
    ("drawn", "kind", "theme"),
    [
        (themes.CALM_LIGHT, "calm", "light"),
        (themes.CALM_DARK, "calm", "dark"),
        (themes.STRONG_LIGHT, "strong", "light"),
        (themes.STRONG_DARK, "strong", "dark"),
    ],
)
def test_pictures_of_the_core_have_the_colours_of_the_app(drawn: tuple[str, ...], kind: str, theme: str) -> None:
    for own, ours in zip(drawn, palette(kind, theme), strict=True):
        srgb = np.where(ours <= 0.0031308, 12.92 * ours, 1.055 * ours ** (1 / 2.4) - 0.055)
        assert own == "#" + "".join(f"{round(float(part) * 255):02x}" for part in srgb)
