"""Mounts a shelf beside the field that it belongs to: Python's side of shelf.js. Nothing of it comes to the server."""

from __future__ import annotations

from pathlib import Path

from ui.components.defined import Component

_HERE = Path(__file__).parent
_SHELF = Component(
    "bpe_lab_shelf",
    _HERE / "shelf.js",
    html='<div class="shelf"></div>',
    css=(_HERE / "shelf.css").read_text("utf-8"),
)


def kept_files(shelf: str, field: str, *, most: int, most_bytes: int, made: tuple[str, str] | None = None) -> None:
    """Keep the files that are chosen in an uploader, and offer them again below it.

    field: how the key of the uploader begins; "" where there is none, and nothing is offered. made: name and text of a
    file of this session that is kept as well.
    """
    _mount(shelf, field, kind="files", most=most, bytes=most_bytes, made=made)


def kept_text(shelf: str, field: str, *, most_bytes: int, until_sent: bool = False) -> None:
    """Keep what is being typed in the fields whose keys begin so, and offer it again.

    until_sent: the server knows what was typed as soon as the field is left.
    """
    _mount(shelf, field, kind="text", most=20, bytes=most_bytes, untilSent=until_sent)


def _mount(shelf: str, field: str, **data: object) -> None:
    _SHELF(key=f"shelf of {shelf}" if field else f"keeper of {shelf}", data={"shelf": shelf, "field": field, **data})
