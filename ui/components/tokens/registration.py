"""Register a view of tokens: its own script and style, plus the parts common to all views: captions, tooltip,
and the button whose menu makes a picture (ui/components/pictures)."""

from __future__ import annotations

from pathlib import Path

from ui.components.defined import Component

_SHARED_STYLE = Path(__file__).parent / "spans.css"
_CAPTIONS = (
    '<div class="over" hidden><b role="heading" aria-level="2"></b><span></span></div>',
    '<p class="under" hidden></p>',
)
_PICTURE = (
    '<button class="picture" type="button" aria-haspopup="menu" aria-label="[[Picture of this view]]" '
    'title="[[Picture]]">'
    '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 4v11m-4-4 4 4 4-4M5 19h14" /></svg></button>'
)
_TIP = '<div class="tip" popover="manual" role="tooltip"></div>'


def view_component(folder: Path, html: str) -> Component:
    """Component in `folder`, with its script and style of the same name; `html` is app markup, never user text."""
    name = folder.name
    style = "\n".join(path.read_text("utf-8") for path in (_SHARED_STYLE, folder / f"{name}.css"))
    return Component(
        f"bpe_lab_{name}",
        folder / f"{name}.js",
        html=f'<div class="tv">{html.join(_CAPTIONS)}{_PICTURE}</div>{_TIP}',
        css=style,
    )
