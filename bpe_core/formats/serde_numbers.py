"""JSON numbers as the tokenizers library parses them: nearly always the nearest float, sometimes its neighbour.

Its parser (serde_json, without the feature float_roundtrip) reads the digits as one integer, rounds it to a float, and
divides by a power of ten, which rounds again. The last bit decides between segmentations with equal scores.
"""

from __future__ import annotations

_LARGEST = 2**64 - 1
_LARGEST_POWER = 308
_POWERS = [float(f"1e{power}") for power in range(_LARGEST_POWER + 1)]


def as_read(number: float) -> float:
    """The float that the library parses from a finite number's shortest decimal form.

    >>> as_read(-1.2039728043259361), as_read(-2.5), as_read(-1e9)
    (-1.203972804325936, -2.5, -1000000000.0)
    """
    digits, _, power = repr(abs(number)).partition("e")
    whole, _, decimals = digits.partition(".")
    significand, exponent = int(whole + decimals), int(power or 0) - len(decimals)
    while significand > _LARGEST:
        significand, exponent = significand // 10, exponent + 1
    value = float(significand)
    if exponent >= 0:
        value *= _POWERS[exponent]
    while exponent < 0:
        power_of_ten = min(_LARGEST_POWER, -exponent)
        value, exponent = value / _POWERS[power_of_ten], exponent + power_of_ten
    return -value if number < 0 else value
