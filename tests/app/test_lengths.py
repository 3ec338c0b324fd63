"""The histogram of token lengths: its bars, which of them are highlighted, and what a selection shows."""

from __future__ import annotations

from typing import Any

import pytest

from tests.app.pages import opened
from tests.app.sending import send_action
from ui.session import vocabulary
from ui.vocabulary.lengths import LONGEST_BAR, lengths_histogram


def chosen_bars(chosen: tuple[int, int] | None) -> tuple[int, ...] | None:
    """The highlighted bars out of three: 23 bytes, 24 bytes, and 25 to 90."""
    figure = lengths_histogram([4, 2, 1], 23, 90, chosen, in_bytes=True)
    selected: tuple[int, ...] | None = figure.data[0].selectedpoints
    return selected


def test_of_many_bars_only_some_are_named_and_the_last_which_is_for_longer_tokens_as_well() -> None:
    many = lengths_histogram([1] * (LONGEST_BAR + 1), 1, 128, None, in_bytes=True)
    assert many.layout.xaxis.ticktext == ("4", "8", "12", "16", "20", "25+")
    assert many.data[0].text is None
    few = lengths_histogram([256, 1_062, 0], 1, 3, None, in_bytes=False)
    assert few.layout.xaxis.ticktext == ("1", "2", "3")
    assert few.data[0].text == ("256", "1,062", "0")


def test_the_chosen_lengths_are_highlighted_and_the_last_bar_with_any_longer_one() -> None:
    assert chosen_bars(None) is None
    assert chosen_bars((24, 24)) == (1,)
    assert chosen_bars((24, 90)) == (1, 2)
    assert chosen_bars((40, 50)) == (2,)
    assert chosen_bars((1, 5)) == ()


@pytest.mark.parametrize(
    ("actions", "shown"),
    [
        ([("picked", [0, 2])], (3, 3)),
        ([("picked", [0, 2]), ("picked", [0, 2])], None),
        ([("picked", [0, 2]), ("picked", [0, 3])], (4, 4)),
        ([("ranged", [0, 1, 4])], (2, 5)),
        ([("ranged", [0, 4, 1])], None),
        ([("picked", [0, 9])], None),
        ([("picked", [1, 0])], None),
        ([("ranged", [0, 0, True])], None),
        ([("ranged", "all")], None),
    ],
)
def test_a_bar_filters_the_same_again_takes_it_back_and_what_is_no_bar_does_nothing(
    actions: list[tuple[str, Any]], shown: tuple[int, int] | None
) -> None:
    app = opened("vocabulary")
    for name, value in actions:
        send_action(app, name, value, "lengths histogram")
    chosen = app.session_state[vocabulary.LENGTHS.key] if vocabulary.LENGTHS.key in app.session_state else None  # noqa: SIM401
    assert chosen == shown
