"""Argument checks: each returns the value in its canonical form, or raises an error with the reason.

Parameters: the name of the value for the message (`what`: a parameter name, or words as a `TranslatableMessage`), and
the class of the error if it is not ConfigError. Descriptions of a type or of contents are `TranslatableMessage`s too.
NumPy's integers are whole numbers; True and False are not.
"""

from __future__ import annotations

from codecs import lookup_error
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import isnan
from os import PathLike, fsencode, fspath
from types import UnionType
from typing import Any, Literal, TypeGuard, TypeVar

import numpy as np
import numpy.typing as npt

from bpe_core.errors import BpeError, ConfigError, CorpusError, FormatError, TokenIdError, quoted
from bpe_core.language import TranslatableMessage, message

Kind = TypeVar("Kind")

_TRUE_OR_FALSE = message("True or False")


def wrong(
    value: object,
    what: str,
    limit: str,
    remedy: str = message("Correct it."),
    *,
    error: type[BpeError] = ConfigError,
) -> BpeError:
    """The error for a value that is not allowed, to be raised.

    >>> wrong(3, "errors", "It takes a name.")
    ConfigError('errors is 3. It takes a name. Correct it.')
    """
    return error(message("{name} is {value}.", name=what, value=quoted(value)), limit=limit, remedy=remedy)


def is_whole_number(value: object) -> TypeGuard[int]:
    """Whether a value is a Python or NumPy integer.

    >>> is_whole_number(3), is_whole_number(np.int32(3)), is_whole_number(True), is_whole_number(3.0)
    (True, True, False, False)
    """
    return type(value) is int or (  # the most frequent case, checked first
        isinstance(value, int | np.integer) and not isinstance(value, bool | np.timedelta64)
    )


def is_iterable(value: object) -> TypeGuard[Iterable[Any]]:
    """Whether a value can be iterated over; False for NumPy's zero-dimensional arrays, which only look iterable.

    >>> is_iterable([3]), is_iterable(np.array([3])), is_iterable(np.array(3)), is_iterable(3)
    (True, True, False, False)
    """
    return isinstance(value, Iterable) and not (isinstance(value, np.ndarray) and value.ndim == 0)


def whole_number(
    value: object,
    what: str,
    lowest: int | None = 0,
    highest: int | None = None,
    *,
    error: type[BpeError] = ConfigError,
) -> int:
    """Return the value as an int. Raises `error` unless it is a whole number within the limits (None: no limit).

    >>> whole_number(np.int64(7), "n", 1, 10)
    7
    >>> whole_number(11, "n", 1, 10)
    Traceback (most recent call last):
        ...
    bpe_core.errors.ConfigError: n is 11. It takes a whole number from 1 to 10. Correct it.
    """
    if is_whole_number(value):
        number = int(value)
        if (lowest is None or lowest <= number) and (highest is None or number <= highest):
            return number
    if lowest is None:
        limit = message("It takes a whole number.")
    elif highest is None:
        limit = message("It takes a whole number of {lowest:,} or more.", lowest=lowest)
    else:
        limit = message("It takes a whole number from {lowest:,} to {highest:,}.", lowest=lowest, highest=highest)
    raise wrong(value, what, limit, error=error)


def how_many(value: object, what: str = "n") -> int | None:
    """Return the value as an int of at least 0, or None for all. Raises ConfigError for anything else.

    >>> how_many(3), how_many(None)
    (3, None)
    """
    if value is None or (is_whole_number(value) and value >= 0):
        return None if value is None else int(value)
    raise wrong(value, what, message("It takes a whole number of 0 or more, or None for all."))


def step_number(value: object, last: int, *, limit: TranslatableMessage | None = None) -> int:
    """Return a step of a training, 0 to `last`, as an int. Raises ConfigError for anything else.

    `limit`: the allowed steps, for the message.

    >>> step_number(2, 3)
    2
    """
    if is_whole_number(value) and 0 <= value <= last:
        return int(value)
    raise ConfigError(
        message("The step is {value}.", value=quoted(value)),
        limit=limit or message("This training has the steps 0 to {last:,}.", last=last),
        remedy=message("Choose one of them."),
    )


def is_number(value: object) -> TypeGuard[float]:
    """Whether a value is a Python or NumPy number other than NaN.

    >>> is_number(1), is_number(np.float32(0.5)), is_number(float("nan")), is_number(True)
    (True, True, False, False)
    """
    return is_whole_number(value) or (isinstance(value, float | np.floating) and not isnan(value))


def true_or_false(value: object, what: str) -> bool:
    """Return the value. Raises ConfigError unless it is True or False.

    >>> true_or_false(True, "lowercase")
    True
    """
    return instance(value, what, bool, _TRUE_OR_FALSE)


def choice(value: object, what: str, choices: Collection[str], *, error: type[BpeError] = ConfigError) -> str:
    """Return the value. Raises `error` unless it is one of the `choices`.

    >>> choice("byte", "unit", ("byte", "char"))
    'byte'
    """
    if isinstance(value, str) and value in choices:
        return value
    limit = message("It takes {choices}.", choices=", ".join(map(repr, choices)))
    raise wrong(value, what, limit, message("Choose one."), error=error)


def instance(
    value: object,
    what: str,
    kind: type[Kind] | UnionType,
    wanted: str,
    *,
    error: type[BpeError] = ConfigError,
) -> Kind:
    """Return the value. Raises `error` unless it is of this type; `wanted`: the type in words.

    For text instead of bytes and a training instead of a tokenizer, the remedy is specific.

    >>> instance("gpt2", "split", str, "a name or a regular expression")
    'gpt2'
    """
    if isinstance(value, kind):
        return value
    raise wrong(value, what, message("It takes {wanted}.", wanted=wanted), _remedy(value, kind), error=error)


def _remedy(value: object, kind: type[object] | UnionType) -> TranslatableMessage:
    if isinstance(value, str) and isinstance(b"", kind):
        return message('Write b"Hello", or call .encode() on the text.')
    if callable(getattr(value, "tokenizer", None)) and getattr(kind, "__name__", "") == "Tokenizer":
        return message("Take its tokenizer: call .tokenizer() on it.")
    return message("Correct it.")


def given_text(
    value: object,
    what: str = message("The text"),
    *,
    limit: str = message("Only a str is text."),
    error: type[BpeError] = CorpusError,
) -> str:
    """Return the text with surrogate pairs joined (see `joined_pairs`). Raises `error` for anything but a str.

    >>> given_text("\\ud83d\\ude00")
    '😀'
    """
    if isinstance(value, str):
        return joined_pairs(value)
    raise error(
        message("{name} is {value} of type {type}.", name=what, value=quoted(value), type=type(value).__name__),
        limit=limit,
        remedy=message('Decode bytes first, for example with .decode("utf-8").'),
    )


def utf8_text(value: object, what: str, *, wanted: str = message("text"), error: type[BpeError] = ConfigError) -> str:
    """Return the text with surrogate pairs joined. Raises `error` unless it is a str without lone surrogates.

    >>> utf8_text("</w>", "end_of_word")
    '</w>'
    """
    joined = joined_pairs(instance(value, what, str, wanted, error=error))
    try:
        joined.encode()
    except UnicodeEncodeError:
        raise error(
            message("{name} is {value}, which holds a lone surrogate.", name=what, value=quoted(joined)),
            limit=message("Only text that can be written as UTF-8 is allowed."),
            remedy=message("Remove that character."),
        ) from None
    return joined


def joined_pairs(value: str) -> str:
    """Replace every surrogate pair by its character. Lone surrogates stay.

    >>> joined_pairs("\\ud83d\\ude00 \\ude00") == "😀 \\ude00"
    True
    """
    if value.isascii():
        return value
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return value


def is_pair_of_ids(value: object) -> bool:
    """Whether a value is a sequence of two whole numbers.

    >>> is_pair_of_ids((97, 98)), is_pair_of_ids(b"ab")
    (True, False)
    """
    return (
        isinstance(value, Sequence)
        and not isinstance(value, bytes | bytearray | memoryview)
        and len(value) == 2
        and all(map(is_whole_number, value))
    )


def sequence(value: object, what: str, wanted: str, *, error: type[BpeError] = ConfigError) -> Sequence[Any]:
    """Return the value. Raises `error` unless it is a sequence other than str or bytes; `wanted`: its contents.

    >>> sequence([(97, 98)], "forced", "pairs of ids")
    [(97, 98)]
    """
    if isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray | memoryview):
        return value
    raise wrong(value, what, message("It takes a sequence of {wanted}.", wanted=wanted), error=error)


def token_ids(value: object) -> Iterable[Any]:
    """Return the value, an array of whole numbers as a list, whose ids are checked several times faster.

    Raises TokenIdError unless it is an iterable other than text; the vocabulary checks each id.

    >>> token_ids([5]), token_ids(np.array([5, 6]))
    ([5], [5, 6])
    """
    if isinstance(value, np.ndarray) and np.issubdtype(value.dtype, np.integer) and value.ndim == 1:
        listed: list[int] = value.tolist()
        return listed
    encoded = hasattr(value, "ids")
    if is_iterable(value) and not encoded and not isinstance(value, str | bytes | bytearray):
        return value
    one = is_whole_number(value)
    remedy = message("Give its ids.") if encoded else message("Encode text first.")
    raise TokenIdError(
        message("{value} are not token ids.", value=quoted(value)),
        limit=message("Ids come as an iterable of whole numbers."),
        remedy=message("Write [{id}] for one.", id=quoted(value)) if one else remedy,
    )


def numbers(value: object) -> npt.NDArray[np.integer[Any]]:
    """Return ids as an array. Raises TokenIdError unless they are whole numbers of 64 bits.

    >>> numbers([5, 6]).tolist(), numbers(range(2)).tolist()
    ([5, 6], [0, 1])
    """
    if isinstance(value, np.ndarray) and np.issubdtype(value.dtype, np.integer) and value.ndim == 1:
        return value
    listed = list(token_ids(value))
    if all(is_whole_number(number) and -(2**63) <= number < 2**63 for number in listed):
        return np.array(listed, np.int64)
    raise TokenIdError(
        message("{value} are not token ids.", value=quoted(value)),
        limit=message("Ids are whole numbers."),
        remedy=message("Correct them."),
    )


def mapping(value: object, what: str, wanted: str, *, error: type[BpeError] = ConfigError) -> Mapping[Any, Any]:
    """Return the value. Raises `error` unless it is a mapping whose keys are str; `wanted`: its contents in words.

    >>> mapping({"<s>": 256}, "special_tokens", "ids by their names")
    {'<s>': 256}
    """
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return value
    raise wrong(value, what, message("It takes a mapping of {wanted}.", wanted=wanted), error=error)


def decoding_errors(value: object) -> str:
    """Return the value. Raises ConfigError unless it names an error handler that bytes.decode accepts.

    >>> decoding_errors("replace")
    'replace'
    """
    if isinstance(value, str) and value not in _ENCODING_ONLY:
        try:
            lookup_error(value)
        except (LookupError, ValueError):
            pass
        else:
            return value
    limit = message("It takes what bytes.decode takes: 'replace', 'strict', 'ignore', 'backslashreplace', ….")
    raise wrong(value, "errors", limit, message("Choose one."))


_ENCODING_ONLY = ("xmlcharrefreplace", "namereplace")


def text_parts(value: object) -> list[tuple[str, int | None]]:
    """Return parts of a text as pairs: (text, None), or text and id of a special token. Raises CorpusError for others.

    >>> text_parts([("low", None), ("<s>", np.int64(256))])
    [('low', None), ('<s>', 256)]
    """
    parts: list[tuple[str, int | None]] = []
    if not is_iterable(value) or isinstance(value, str | bytes | bytearray):
        raise CorpusError(
            message("The text in parts is {value}.", value=quoted(value)),
            limit=message("It takes an iterable of pairs: a text, and None or an id."),
            remedy=message("Write [(text, None)] for plain text."),
        )
    for part in value:
        if not (isinstance(part, Sequence) and not isinstance(part, str | bytes | bytearray) and len(part) == 2):
            raise CorpusError(
                message("The text contains the part {part}.", part=quoted(part)),
                limit=message("A part is a pair of a text, and None or the id of the special token that it is."),
                remedy=message("Write (text, None) for plain text."),
            )
        special_id = part[1]
        if special_id is not None:
            special_id = whole_number(special_id, message("The id of a special token"), None, error=TokenIdError)
        parts.append((given_text(part[0]), special_id))
    return parts


def callback(value: object) -> Callable[..., object] | None:
    """Return the value. Raises ConfigError unless it is callable or None.

    >>> callback(print) is print, callback(None)
    (True, None)
    """
    if value is None or callable(value):
        return value
    raise wrong(value, "on_progress", message("It takes a function, or None."))


def file_path(value: object, *, use: Literal["read", "written"] = "read", error: type[BpeError] = FormatError) -> str:
    """Return a path as a str. Raises `error` if it cannot be a file path; `use`: "read" or "written".

    >>> file_path("tokenizer.json")
    'tokenizer.json'
    """
    path = fspath(value) if isinstance(value, str | PathLike) else None
    if not isinstance(path, str) or not path:
        problem = (
            message("{value} cannot be written: it is not a path.", value=quoted(value))
            if use == "written"
            else message("{value} cannot be read: it is not a path.", value=quoted(value))
        )
        limit = message("A path is a str or an os.PathLike, and not empty.")
    elif "\0" in path or not _has_bytes(path):
        problem = (
            message("{value} cannot be written: no file can have such a name.", value=quoted(value))
            if use == "written"
            else message("{value} cannot be read: no file can have such a name.", value=quoted(value))
        )
        limit = message("A path has no null characters and no lone surrogates.")
    else:
        return path
    raise error(problem, limit=limit, remedy=message("Choose another."))


def _has_bytes(path: str) -> bool:
    try:
        fsencode(path)
    except UnicodeEncodeError:
        return False
    return True
