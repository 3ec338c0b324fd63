"""Files and texts that the browser saves and offers again at their field. None of them is sent to the server."""

from __future__ import annotations

from collections.abc import Sequence

from ui.views.component import View

_SHELF = View("shelf")


def kept_files(
    shelf: str,
    field: str,
    *,
    most: int,
    most_bytes: int,
    room: int = 1,
    opened: Sequence[str] = (),
    made: tuple[str, str] | None = None,
) -> None:
    """Save the files chosen in an uploader, and offer them again below it.

    field: prefix of the uploader's key; "" without an uploader, when nothing is offered. room: maximum number of files
    that one button opens together, not counting those already open in this session. made: name and text of a file made
    in this session, saved as well.
    """
    _mount(shelf, field, kind="files", most=most, bytes=most_bytes, room=room, opened=[*opened], made=made)


def kept_text(shelf: str, field: str, *, most_bytes: int, until_sent: bool = False) -> None:
    """Save the text typed into the fields with this key prefix, and offer it again.

    until_sent: delete the text when the field loses focus, since the server has it then.
    """
    _mount(shelf, field, kind="text", most=20, bytes=most_bytes, room=1, opened=[], untilSent=until_sent)


def _mount(shelf: str, field: str, **data: object) -> None:
    _SHELF(key=f"shelf of {shelf}" if field else f"keeper of {shelf}", data={"shelf": shelf, "field": field, **data})
