"""Notebook card of a value, its style, and tables."""

from __future__ import annotations

import html
from collections.abc import Sequence

MOST_ROWS = 30
"""Limit on the rows of a table; the others are counted."""

# Colours are tints of any background, and inks derive from the notebook's own text colour, so that the same HTML is
# readable in light and in dark, however a notebook switches. Every rule is scoped by the class; those of tables repeat
# it to outweigh the notebook's own table style.
STYLE = """
.bpe-lab{--line:color-mix(in srgb,currentColor 18%,transparent);--dim:color-mix(in srgb,currentColor 68%,transparent);
--mono:"DejaVu Sans Mono","SFMono-Regular",Menlo,Consolas,"Noto Sans Mono CJK JP",monospace;
font:14px/1.45 system-ui,"Segoe UI","Noto Sans",sans-serif;max-width:960px;margin:4px 0}
.bpe-lab .head{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 10px;margin:0 0 8px}
.bpe-lab .head b{font-weight:600}
.bpe-lab .head span,.bpe-lab .note{color:var(--dim);font-size:13px;font-variant-numeric:tabular-nums}
.bpe-lab .note{margin:8px 0 0}
.bpe-lab .label{font-weight:600;font-size:13px;margin:14px 0 4px}
.bpe-lab .side{display:flex;flex-wrap:wrap;align-items:flex-start;gap:0 40px}
.bpe-lab .flow{font-family:var(--mono);line-height:1.9;white-space:pre-wrap;overflow-wrap:anywhere;text-align:start}
.bpe-lab span.flow{line-height:inherit}
.bpe-lab .t{font-family:var(--mono);border-radius:4px;padding:2px 1px;unicode-bidi:isolate;
background:color-mix(in srgb,var(--tint) 31%,transparent);
-webkit-box-decoration-break:clone;box-decoration-break:clone}
.bpe-lab .c0{--tint:#3b82f6}.bpe-lab .c1{--tint:#e69f00}.bpe-lab .c2{--tint:#009e73}.bpe-lab .c3{--tint:#cc79a7}
.bpe-lab .c4{--tint:#d55e00}.bpe-lab .c5{--tint:#56b4e9}.bpe-lab .c6{--tint:#9a8cff}.bpe-lab .c7{--tint:#c9b400}
.bpe-lab .flow .t{margin:0 1px}
.bpe-lab .special{outline:1px solid color-mix(in srgb,currentColor 55%,transparent);outline-offset:-1px}
.bpe-lab .gap{color:var(--dim)}
.bpe-lab i{font-style:normal}
.bpe-lab i.s{color:color-mix(in srgb,currentColor 50%,transparent)}
.bpe-lab i.n,.bpe-lab i.x{font-size:.72em;border:1px solid color-mix(in srgb,currentColor 40%,transparent);
border-radius:3px;padding:0 2px;margin:0 1px}
.bpe-lab i.x{border-style:dashed;font-size:.82em;white-space:nowrap}
.bpe-lab i.p{display:inline-block;overflow:clip;vertical-align:baseline;white-space:nowrap;
width:calc((var(--b) - var(--a))*.46em)}
.bpe-lab i.p.in{border-inline-start:1px dashed color-mix(in srgb,currentColor 60%,transparent)}
.bpe-lab i.p>i{display:inline-block;width:calc(var(--n)*.46em);margin-inline-start:calc(var(--a)*-.46em);
text-align:center}
.bpe-lab.bpe-lab.bpe-lab table{border-collapse:collapse;border:0;margin:0;font-size:13px;
font-variant-numeric:tabular-nums;width:auto;table-layout:auto;color:inherit}
.bpe-lab.bpe-lab.bpe-lab thead tr,.bpe-lab.bpe-lab.bpe-lab tbody tr:nth-child(n){background:transparent;border:0}
.bpe-lab.bpe-lab.bpe-lab th,.bpe-lab.bpe-lab.bpe-lab td{border:0;border-bottom:1px solid var(--line);
padding:3px 14px 3px 0;text-align:start;vertical-align:baseline;white-space:nowrap;max-width:360px;
overflow:hidden;text-overflow:ellipsis;color:inherit;line-height:1.45;background:transparent}
.bpe-lab.bpe-lab.bpe-lab th{font-weight:400;color:var(--dim)}
.bpe-lab.bpe-lab.bpe-lab .r{text-align:end}
.bpe-lab.bpe-lab.bpe-lab .rest{color:var(--dim);text-align:center}
.bpe-lab.bpe-lab.bpe-lab .f{text-align:end;min-width:44px;padding:3px 8px;border-inline-start:2px solid transparent;
background:color-mix(in srgb,#009e73 calc(var(--v)*1%),transparent);background-clip:padding-box}
.bpe-lab .bar{display:inline-block;height:8px;border-radius:2px;width:calc(var(--v)*.8px);
background:color-mix(in srgb,#3b82f6 70%,transparent);vertical-align:baseline}
.bpe-lab .bars{display:inline-block;width:80px;text-align:start}
.bpe-lab .win{font-weight:600}
.bpe-lab details{margin:8px 0 0}
.bpe-lab summary{cursor:pointer;color:var(--dim);font-size:13px}
.bpe-lab .ids{font:12px/1.6 var(--mono);overflow-wrap:anywhere}
"""


def card(title: str, facts: Sequence[str], *body: str, note: str = "") -> str:
    """Card of one value in a notebook. `title`, `facts` and `note` are plain text, `body` is HTML.

    >>> card("Encoding", ["2 tokens"], "<p></p>", note="a < b")[-45:]
    '<p></p><div class="note">a &lt; b</div></div>'
    """
    quiet = f"<span>{html.escape(' · '.join(facts))}</span>" if facts else ""
    below = f'<div class="note">{html.escape(note)}</div>' if note else ""
    head = f'<div class="head"><b>{html.escape(title)}</b>{quiet}</div>'
    return f'<div class="bpe-lab"><style>{STYLE}</style>{head}{"".join(body)}{below}</div>'


def label(text: str) -> str:
    """Small heading inside a card; plain text.

    >>> label("F1")
    '<div class="label">F1</div>'
    """
    return f'<div class="label">{html.escape(text)}</div>'


def side_by_side(parts: Sequence[str]) -> str:
    """Parts, each HTML, side by side if they fit.

    >>> side_by_side(["<b></b>"])
    '<div class="side"><div><b></b></div></div>'
    """
    return f'<div class="side">{"".join(f"<div>{part}</div>" for part in parts)}</div>'


def table(head: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: Sequence[int] = (), rest: str = "") -> str:
    """HTML table. `head` and `rows`: cells of HTML. `numbers`: indices of right-aligned columns.

    `rest`: plain text about omitted rows, shown in place of an empty row of `rows`.

    >>> table(["Id"], [["7"]], numbers=[0])
    '<table><thead><tr><th class="r">Id</th></tr></thead><tbody><tr><td class="r">7</td></tr></tbody></table>'
    """
    css = [' class="r"' if at in numbers else "" for at in range(len(head))]
    top = "".join(f"<th{each}>{cell}</th>" for cell, each in zip(head, css, strict=True))
    lines = []
    for row in rows:
        cells = "".join(
            cell if cell.startswith("<td") else f"<td{each}>{cell}</td>" for cell, each in zip(row, css, strict=False)
        )
        lines.append(f"<tr>{cells or _rest(rest, len(head))}</tr>")
    return f"<table><thead><tr>{top}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def bar(share: float) -> str:
    """Bar next to a number; `share` from 0 to 1.

    >>> bar(0.5)
    '<span class="bars"><span class="bar" style="--v:50"></span></span>'
    """
    return f'<span class="bars"><span class="bar" style="--v:{round(100 * share)}"></span></span>'


def counted(number: int, noun: str) -> str:
    """Number with its noun.

    >>> counted(1, "token"), counted(1_200, "token")
    ('1 token', '1,200 tokens')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _rest(text: str, columns: int) -> str:
    return f'<td class="rest" colspan="{columns}">{html.escape(text)}</td>'
