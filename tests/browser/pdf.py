"""Reader for PDFs written by Chromium: pages, text that is stored as text, and colours."""

import re
import zlib

_STREAM = re.compile(rb"/Filter\s*/FlateDecode.*?stream\r?\n(.*?)endstream", re.DOTALL)
_FILL = re.compile(rb"(?:^|\s)([\d.]+) ([\d.]+) ([\d.]+) rg\b")
_CHARS = re.compile(rb"beginbfchar(.*?)endbfchar", re.DOTALL)
_RANGES = re.compile(rb"beginbfrange(.*?)endbfrange", re.DOTALL)
_CODE = re.compile(rb"<([0-9A-Fa-f]+)>")


class Pdf:
    """A document as sent to a printer."""

    def __init__(self, data: bytes) -> None:
        self.pages = len(re.findall(rb"/Type\s*/Page\b", data))
        self._streams = [unpacked for each in _STREAM.findall(data) if (unpacked := _unpacked(each))]

    @property
    def characters(self) -> set[str]:
        """The characters that can be searched and copied: glyphs mapped to Unicode."""
        found: set[str] = set()
        for stream in self._streams:
            for block in _CHARS.findall(stream):
                found.update(map(_text, _CODE.findall(block)[1::2]))
            for block in _RANGES.findall(stream):
                codes = _CODE.findall(block)
                for first, last, text in zip(codes[::3], codes[1::3], codes[2::3], strict=True):
                    start = int(text, 16)
                    found.update(chr(start + at) for at in range(int(last, 16) - int(first, 16) + 1))
        return found

    @property
    def fills(self) -> set[tuple[float, ...]]:
        """All fill colours: red, green and blue, to two digits."""
        return {
            tuple(round(float(part), 2) for part in fill) for stream in self._streams for fill in _FILL.findall(stream)
        }


def _unpacked(stream: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(stream)
    except zlib.error:
        return b""


def _text(code: bytes) -> str:
    return bytes.fromhex(code.decode()).decode("utf-16-be", "replace")
