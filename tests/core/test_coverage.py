"""Tracing is slow: tests that do not count for coverage are not traced in any process of a test run."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize("number", [1, 2])
def test_only_the_first_parameters_of_a_test_are_traced(number: int) -> None:
    assert number == 1 or sys.gettrace() is None


@given(st.integers())
def test_random_examples_are_not_traced(number: int) -> None:
    assert number is not None
    assert sys.gettrace() is None
