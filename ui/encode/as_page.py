"""The encoding as a page that works without the server."""

from __future__ import annotations

from functools import partial

from bpe_core import Tokenizer
from bpe_core.language import _, translate
from bpe_core.page.html import Page
from bpe_core.tokenizer.encoding_page import MOST_TOKENS, page_of_encoding
from bpe_core.tokenizer.tokenizer import Special
from ui.encode import cache
from ui.encode.chosen import ChosenTokenizer
from ui.session import encode as state
from ui.session.shared_view import Latest, latest
from ui.widgets.as_page import show_as_page
from ui.widgets.display import title_of


def show_encoding_as_page(chosen: ChosenTokenizer) -> None:
    """Draw the popover. It is outside of the fragment of the text: typing does not draw it again."""
    show_as_page(
        _("One HTML file with the text in tokens and the origin of each, for a course page or mail: no server."),
        _("Of a long text it has the first {most:,} tokens.", most=MOST_TOKENS),
        partial(_page, chosen.tokenizer, title_of(chosen.name), latest()),
        file_name="tokens.html",
        key="encoding",
    )


def _page(tokenizer: Tokenizer, name: str, held: Latest) -> Page:
    """The page of the text that is typed when it is downloaded."""
    choices = held.view.choices
    special: Special = "parse" if choices.get("special") == "parse" else "text"
    encoding = cache.encoding(tokenizer, choices.get("text", state.TEXT.default), special)
    return page_of_encoding(encoding, _("The text in tokens: {tokenizer}", tokenizer=translate(name)))
