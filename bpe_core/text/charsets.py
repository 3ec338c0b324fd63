"""Texts that are not UTF-8: encoding detection and decoding."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from bpe_core import checks
from bpe_core.errors import ConfigError, CorpusError, quoted
from bpe_core.language import listed, message

_SAMPLE = 20_000
"""Size of the sample in bytes, from the line before the first one that is not UTF-8."""

_LEAST = 0.55
"""Share of common characters from which an encoding is accepted."""

_ENOUGH = 64
"""Bytes of text required to detect a single-byte encoding, and UTF-16 without a zero byte."""

_MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",  # starts with the mark of UTF-16
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}

_KANA, _HANGUL, _HAN = (re.compile(f"[{each}]") for each in ("\u3041-\u30ff", "\uac00-\ud7a3", "\u4e00-\u9fff"))
_SIGNS = re.compile("[\u3000-\u303f\uff01-\uff5e\u2014-\u2026\u00b7]")


class _Charset(NamedTuple):
    """An encoding: its name, Python's codecs for it, the narrowest first, and a weight for common characters."""

    name: str
    codecs: tuple[str, ...]
    weight: Callable[[str], float]


@lru_cache(maxsize=4096)
def _is_common(char: str, codec: str, first: int, last: int) -> bool:
    """Whether a character is in the rows of a character set that contain everyday characters."""
    data = char.encode(codec, "ignore")
    return len(data) == 2 and first <= data[0] <= last


def _japanese(char: str) -> float:
    if _KANA.match(char):
        return 1.5  # read as Chinese, half of a Japanese text would be everyday characters
    return (0.7 if _is_common(char, "euc_jp", 0xB0, 0xCF) else 0.2) if _HAN.match(char) else _sign(char)


def _korean(char: str) -> float:
    if _HANGUL.match(char):
        return 1.1 if _is_common(char, "euc_kr", 0xB0, 0xC8) else 0.1  # all of them are everyday characters of GB 2312
    return 0.2 if _HAN.match(char) else _sign(char)


def _chinese(codec: str, first: int, last: int) -> Callable[[str], float]:
    def weight(char: str) -> float:
        if _HAN.match(char):
            return 1.0 if _is_common(char, codec, first, last) else 0.2
        return 0.3 if _KANA.match(char) else _sign(char)

    return weight


def _sign(char: str) -> float:
    return 0.8 if _SIGNS.match(char) else 0.0


_SIMPLIFIED, _TRADITIONAL = _chinese("gb2312", 0xB0, 0xD7), _chinese("big5", 0xA4, 0xC6)


def _any(char: str) -> float:
    if char < "\x80":
        return 1.0 if char.isprintable() or char in "\t\n\r" else -10.0
    return max(_japanese(char), _korean(char), _SIMPLIFIED(char), _TRADITIONAL(char))


_CHARSETS = (
    _Charset("EUC-KR", ("euc_kr", "cp949"), _korean),
    _Charset("Shift_JIS", ("shift_jis", "cp932", "shift_jis_2004"), _japanese),
    _Charset("EUC-JP", ("euc_jp", "euc_jis_2004"), _japanese),
    _Charset("GB18030", ("gbk", "gb18030"), _SIMPLIFIED),
    _Charset("Big5", ("big5", "cp950", "big5hkscs"), _TRADITIONAL),
    _Charset("UTF-16LE", ("utf_16_le",), _any),
    _Charset("UTF-16BE", ("utf_16_be",), _any),
    _Charset("UTF-32LE", ("utf_32_le",), _any),
    _Charset("UTF-32BE", ("utf_32_be",), _any),
)
_NARROW, _WIDE = _CHARSETS[:-4], _CHARSETS[-4:]
_SINGLE = ("cp1252", "cp1251", "koi8_r", "cp1253", "cp1256")
_CODECS = {each.name.lower().replace("-", "_"): each.codecs for each in _CHARSETS} | {"gbk": ("gbk", "gb18030")}


def detected(data: bytes) -> str | None:
    """Name of the probable encoding of bytes; None for UTF-8, and if undetected.

    UTF-16 and UTF-32 are detected by their marks or zero bytes, other Chinese, Japanese and Korean encodings by their
    share of everyday characters, and single-byte encodings by charset-normalizer. A cut last character is ignored.

    >>> detected("日本語の文字です".encode("shift_jis")), detected("中文的文本".encode("gbk")), detected("é".encode())
    ('Shift_JIS', 'GB18030', None)
    """
    for mark, name in _MARKS.items():
        if data.startswith(mark):
            return name
    sample = _sample(data)
    if b"\0" in data[:_SAMPLE]:  # only UTF-16 and UTF-32 have zero bytes in text
        name, rating = _best(data[:_SAMPLE], _WIDE)
        return name if rating >= _LEAST else None
    if not sample:
        return None
    enough = len(sample) >= _ENOUGH
    name, rating = _best(sample, _CHARSETS if enough else _NARROW)
    return name if rating >= _LEAST else _of_single_bytes(sample) if enough else None


def beginning(data: bytes, encoding: str, characters: int = 60) -> str:
    """First characters of bytes in an encoding, with U+FFFD for invalid bytes.

    >>> beginning("日本語の文字です".encode("shift_jis"), "Shift_JIS", 3)
    '日本語'
    """
    return data[: 8 * characters + 4].decode(_codecs(encoding)[-1], "replace").lstrip("\ufeff")[:characters]


def decoded_as(data: bytes, encoding: str, name: str) -> str:
    """Decode bytes, without a byte order mark; `name`: their source, for errors.

    Vendor extensions are supported, such as those of Windows for Shift_JIS. Raises ConfigError for an encoding
    unknown to Python, CorpusError for bytes that are invalid in it.

    >>> decoded_as(b"\\xff\\xfeh\\0i\\0", "UTF-16", "file"), decoded_as("①".encode("cp932"), "Shift_JIS", "file")
    ('hi', '①')
    """
    failed: UnicodeError | None = None
    for codec in _codecs(encoding):
        try:
            return data.decode(codec).removeprefix("\ufeff")
        except UnicodeError as error:
            failed = error
    at = failed.start if isinstance(failed, UnicodeDecodeError) else 0
    raise _not_of(name, encoding, at, data[at : at + 1])


def utf8_remedy(data: bytes) -> str:
    """Remedy for bytes that are not UTF-8, with their probable encoding.

    >>> utf8_remedy("日本語の文字".encode("shift_jis"))
    'It is probably Shift_JIS: save it as UTF-8, or give --encoding shift_jis on the command line.'
    """
    found = detected(data)
    if found is None:
        return message("Save it as UTF-8, or name its encoding on the command line with --encoding.")
    return message(
        "It is probably {encoding}: save it as UTF-8, or give --encoding {name} on the command line.",
        encoding=found,
        name=found.lower(),
    )


def check_encoding(encoding: str) -> str:
    """Return the encoding. Raises ConfigError if Python does not have it.

    >>> check_encoding("utf-16")
    'utf-16'
    """
    _codecs(checks.utf8_text(encoding, "encoding", wanted=message("the name of an encoding")))
    return encoding


# -- helpers ---------------------------------------------------------------------------------------------------------


def _codecs(encoding: str) -> tuple[str, ...]:
    key = encoding.lower().replace("-", "_")
    if key in ("utf_8", "utf8"):
        return ("utf-8-sig",)
    known = _CODECS.get(key)
    if known is not None:
        return known
    try:
        found = codecs.lookup(encoding)
        with suppress(UnicodeError):
            b"a".decode(encoding)  # rejects codecs from bytes to bytes, such as base64
    except (LookupError, ValueError):
        names = ("UTF-8", "UTF-16", *(each.name for each in _CHARSETS[:5]), "Windows-1252")
        raise ConfigError(
            message("The encoding is {encoding}.", encoding=quoted(encoding)),
            limit=message("It is one that Python knows, such as {names}.", names=listed(names)),
            remedy=message("Use one of these names."),
        ) from None
    return _CODECS.get(found.name.lower().replace("-", "_"), (found.name,))


def _sample(data: bytes) -> bytes:
    """Bytes from the line before the first one that is not UTF-8; none if all are."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        start = data.rfind(b"\n", max(0, error.start - 1_000), error.start) + 1
        return data[start : start + _SAMPLE]
    return b""


def _best(sample: bytes, charsets: Sequence[_Charset]) -> tuple[str, float]:
    rated = [(each.name, _rating(sample, each)) for each in charsets]
    return max(rated, key=lambda each: each[1])


def _rating(sample: bytes, charset: _Charset) -> float:
    """Mean weight of the non-ASCII characters, counted in UTF-16 units; 0.0 for bytes invalid in the encoding."""
    text = next(filter(None, (_whole(sample, codec) for codec in charset.codecs)), "")
    found = [char for char in text if char > "\x7f" or charset.weight is _any]
    return sum(map(charset.weight, found)) / len(found) if found else 0.0


def _whole(sample: bytes, codec: str) -> str:
    """Decode a sample whose last character may be truncated; "" if it is invalid in the codec."""
    decoder = codecs.getincrementaldecoder(codec)()
    try:
        return decoder.decode(sample)
    except UnicodeError:
        return ""


def _of_single_bytes(sample: bytes) -> str | None:
    import charset_normalizer  # slow to import, and rarely needed

    best = charset_normalizer.from_bytes(sample, cp_isolation=list(_SINGLE)).best()
    return None if best is None else best.encoding.replace("cp", "Windows-").replace("koi8_r", "KOI8-R")


def _not_of(name: str, encoding: str, at: int, byte: bytes) -> CorpusError:
    return CorpusError(
        message(
            "{file} is not {encoding} at byte {position:,}: 0x{byte:02X}.",
            file=name,
            encoding=encoding,
            position=at,
            byte=byte[0] if byte else 0,
        ),
        limit=message("Every byte must be of the encoding."),
        remedy=message("Choose another encoding, or save the file as UTF-8."),
    )
