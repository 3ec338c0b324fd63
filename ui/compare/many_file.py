"""The file of many texts: uploaded, with its encoding, or made of the samples."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import streamlit as st

from bpe_core import SkippedRow, TableFile, open_table
from bpe_core.language import _
from bpe_core.text.charsets import beginning
from bpe_core.text.table_files import TEXT, foreign_encoding
from ui.compare.parallel_counts import parallel_samples
from ui.session import many_texts as state
from ui.session.samples import all_samples
from ui.session.tokenizer_files import Content
from ui.views.shelf import kept_files

MOST_MEGABYTES = 20
MOST_ROWS = 200_000
"""Maximum rows counted, for parallel texts divided by the number of languages: other visitors wait meanwhile."""

MOST_CHARACTERS = 30_000_000
"""Maximum characters counted: a megabyte of Parquet can hold a gigabyte of text."""
_TYPES = ["txt", "csv", "tsv", "jsonl", "ndjson", "parquet", "pq"]
_TRIED = 20
"""Number of rows searched for the column with the longest texts."""
_FEW_BYTES = 200_000


@dataclass(frozen=True)
class ManyFile:
    """A file of texts and its encoding."""

    name: str
    content: Content
    encoding: str = "utf-8"

    @cached_property
    def digest(self) -> str:
        """Identity in cache keys."""
        return f"{self.name} {self.encoding} {self.content.digest}"

    @property
    def is_small(self) -> bool:
        """Whether it is counted without a slot in the queue."""
        return len(self.content.data) < _FEW_BYTES and not self.name.lower().endswith((".parquet", ".pq"))

    def opened(self) -> TableFile:
        """The open file. Raises CorpusError for one that cannot be read."""
        return open_table(self.content.data, name=self.name, encoding=self.encoding)

    def columns(self) -> tuple[tuple[str, ...], str]:
        """Columns of texts, and the one selected by default: "text", or that with the longest texts.

        Raises CorpusError for a file without one.
        """
        with self.opened() as table:
            if not table.columns or TEXT in table.columns:
                return table.columns, table.column()
            sizes = Counter(dict.fromkeys(table.columns, 0))
            for row in islice(table.rows(table.columns), _TRIED):
                if not isinstance(row, SkippedRow):
                    sizes.update({name: len(text or "") for name, text in zip(table.columns, row[1], strict=True)})
            return table.columns, sizes.most_common(1)[0][0]

    def texts(self, column: str, rows: frozenset[int], longest: int | None = None) -> dict[int, str]:
        """Texts of these rows, or their first characters, by row."""
        found: dict[int, str] = {}
        with self.opened() as table:
            for row in table.rows([column]):
                if not isinstance(row, SkippedRow) and row[0] in rows:
                    found[row[0]] = (row[1][0] or "")[:longest]
                    if len(found) == len(rows):
                        break
        return found


def chosen_file() -> ManyFile | None:
    """Draw the uploader, and the confirmation of an encoding other than UTF-8; return the file, or None without one."""
    place = state.UPLOAD
    st.file_uploader(
        _("Lines, CSV, JSON lines or Parquet, up to {most} MB: one text a row", most=MOST_MEGABYTES),
        type=_TYPES,
        max_upload_size=MOST_MEGABYTES,
        on_change=state.SAMPLES.set,
        args=(False,),
        **place.widget(),
    )
    kept_files("many texts", place.key, most=2, most_bytes=MOST_MEGABYTES * 2**20)
    uploaded = place.file()
    if uploaded is None:
        st.button(
            _("Use the sample texts"),
            on_click=state.SAMPLES.set,
            args=(True,),
            type="tertiary",
            key="many samples",
        )
        return _sample_file(state.WAY.get()) if state.SAMPLES.get() else None
    name, data = uploaded
    content = Content(data)
    if name.lower().endswith((".parquet", ".pq")):
        return ManyFile(name, content)
    encoding = foreign_encoding(data)
    if encoding is None or state.ENCODING.get() == f"{encoding} {content.digest}":
        return ManyFile(name, content, encoding or "utf-8")
    with st.container(border=True, width=420, key=f"encoding of {place.key}"):
        st.text(_("The file is not UTF-8, but probably {encoding}. It would begin:", encoding=encoding))
        st.text(beginning(data, encoding))
        st.button(
            _("Read as {encoding}", encoding=encoding),
            type="primary",
            on_click=state.ENCODING.set,
            args=(f"{encoding} {content.digest}",),
            key="read many texts",
        )
    return None


def _sample_file(way: str) -> ManyFile:
    """The samples to read, one paragraph per row; or the parallel ones, one language per column."""
    if way == "parallel":
        rows = [parallel_samples()]
    else:
        texts = [each.text for each in all_samples() if each.group != "toy" and not each.modules]
        rows = [{"text": part} for text in texts for part in text.split("\n\n") if part.strip()]
    data = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
    return ManyFile("samples.jsonl", Content(data))
