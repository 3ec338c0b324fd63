"""SVG picture of an encoding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpe_core.drawing.spans import check_size, spans_svg
from bpe_core.tokenizer.html_views import spans

if TYPE_CHECKING:
    from bpe_core.tokenizer.encoding import Encoding


def encoding_svg(encoding: Encoding, *, width: int, theme: str, caption: str, ids: bool) -> str:
    """Return the picture documented by `Encoding.svg`.

    >>> from bpe_core import load_pretrained
    >>> encoding = load_pretrained("gpt2").encode("Hello")
    >>> ">Hello</text>" in encoding_svg(encoding, width=400, theme="dark", caption="", ids=False)
    True
    """
    check_size(len(encoding), len(encoding.text))
    drawn = spans(encoding, 0, len(encoding))
    return spans_svg(encoding.utf8, drawn, width=width, theme=theme, caption=caption, ids=ids)
