"""Text file uploader: UTF-8 is read directly; any other encoding is detected and must be confirmed."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from bpe_core import CorpusError
from bpe_core.language import _, message, translate
from bpe_core.text.charsets import beginning, decoded_as, detected
from ui.session import training
from ui.session.items import Upload
from ui.session.limits import LONGEST_TEXT

Use = Callable[[str, str], object]
"""Callback with a file's name and text."""


def text_uploader(place: Upload, use: Use) -> None:
    """Draw a text file uploader. The limit on texts is in characters, each of which may take four bytes."""
    st.file_uploader(
        _("A text file in UTF-8 of up to {most:,} characters", most=LONGEST_TEXT),
        max_upload_size=4 * LONGEST_TEXT // 1_000_000,
        on_change=_read,
        args=(place, use),
        width=420,
        help=_(
            "English has a byte a character: {megabytes} MB. Other scripts have up to four.",
            megabytes=LONGEST_TEXT // 1_000_000,
        ),
        **place.widget(),
    )
    uploaded = place.file()
    encoding = None if uploaded is None else detected(uploaded[1])
    if uploaded is not None and encoding is not None:
        with st.container(border=True, width=420, key=f"encoding of {place.key}"):
            st.text(_("The file is not UTF-8, but probably {encoding}. It would begin:", encoding=encoding))
            st.text(beginning(uploaded[1], encoding))
            st.button(
                _("Read as {encoding}", encoding=encoding), type="primary", on_click=_read, args=(place, use, encoding)
            )


def _read(place: Upload, use: Use, encoding: str | None = None) -> None:
    """Pass on the uploaded file, unless its encoding still needs a confirmation."""
    uploaded = place.file()
    if uploaded is None or (encoding is None and detected(uploaded[1]) is not None):
        return
    name, data = uploaded
    try:
        text = decoded(data, encoding)
    except CorpusError as error:
        training.PROBLEM.set(error)
    else:
        training.TOLD.set(None)
        use(name, text)


def decoded(data: bytes, encoding: str | None = None) -> str:
    """Decode an uploaded file from UTF-8 or a given encoding. Raises CorpusError for invalid bytes.

    A byte order mark of UTF-8 stays: the command line and the libraries count its tokens, too.

    >>> decoded("\\ufeffこ".encode()), decoded("こ".encode("euc_jp"), "EUC-JP")
    ('\\ufeffこ', 'こ')
    """
    text = _of_utf8(data) if encoding is None else decoded_as(data, encoding, translate(message("The file")))
    if "\x00" in text:
        raise CorpusError(
            message(
                "The file holds a zero byte at character {place:,}, so it is not text.", place=text.index("\x00") + 1
            ),
            limit=message("Only text is read."),
            remedy=message("Choose a text file."),
        )
    return text


def _of_utf8(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise CorpusError(
            message(
                "The file is not UTF-8: byte {place:,} is 0x{value:02X}.",
                place=error.start + 1,
                value=data[error.start],
            ),
            limit=message("Its encoding cannot be detected."),
            remedy=message("If it is text in another encoding, such as Latin-1, save it again as UTF-8."),
        ) from None
