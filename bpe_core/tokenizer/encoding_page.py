"""An encoding as a page for a notebook: the text in tokens, and the facts and the merge tree of each token."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from bpe_core.language import _, n_
from bpe_core.page.cell import CellValue
from bpe_core.page.html import Page, page_html
from bpe_core.payloads.chips import Column, Table
from bpe_core.payloads.spans import TokenSpans
from bpe_core.payloads.tables import table_frame
from bpe_core.tokenizer.chips import chip
from bpe_core.tokenizer.html_views import encoding_html
from bpe_core.tokenizer.lanes import bare_labels
from bpe_core.tokenizer.trees import Tree, tree_frame

if TYPE_CHECKING:
    from bpe_core.tokenizer.encoding import Encoding
    from bpe_core.tokenizer.model import TokenNode
    from bpe_core.tokenizer.tokenizer import Tokenizer

MOST_TOKENS = 2_000
"""Limit on the tokens of a page, which then shows the number of the others."""

_TREE_HEIGHT, _LONGEST_HEX = 220, 24


class ShownEncoding(CellValue):
    """Value that `Encoding.view` shows; its page contains everything.

    >>> from bpe_core import load_pretrained
    >>> shown = ShownEncoding(load_pretrained("gpt2").encode("low"))
    >>> shown.last, shown.page(0)[:9], shown.card()[:22], shown.answer("step", 1)
    (0, '<!doctype', '<div class="bpe-lab"><', None)
    """

    def __init__(self, encoding: Encoding) -> None:
        self._encoding = encoding

    def page(self, step: int) -> str:
        """HTML of the page."""
        return page_html(lambda: page_of_encoding(self._encoding, "", cell=True))

    def card(self) -> str:
        """HTML of the tokens and their ids."""
        return encoding_html(self._encoding)


def page_of_encoding(encoding: Encoding, title: str, *, cell: bool = False) -> Page:
    """A page of an encoding in the current language. `cell`: whether it is the output of a notebook's cell.

    >>> from bpe_core import load_pretrained
    >>> page_of_encoding(load_pretrained("gpt2").encode("low"), "Low").facts
    '1 token · 3 characters · 3 bytes'
    """
    facts = [
        n_("{count:,} token", "{count:,} tokens", len(encoding)),
        n_("{count:,} character", "{count:,} characters", len(encoding.text)),
        n_("{count:,} byte", "{count:,} bytes", len(encoding.utf8)),
    ]
    return Page(title or _("The text in tokens"), " · ".join(facts), {**encoding_recording(encoding), "cell": cell})


def encoding_recording(encoding: Encoding) -> dict[str, Any]:
    """Content of an encoding's page, in the form of recording.ts.

    >>> from bpe_core import load_pretrained
    >>> encoding_recording(load_pretrained("gpt2").encode("low"))["ids"]
    [9319]
    """
    spans = TokenSpans.of(
        encoding.text,
        encoding.ids,
        encoding.starts,
        encoding.ends,
        special=encoding.special,
        labels=bare_labels(encoding, 0, MOST_TOKENS),
        words=np.diff(encoding.word_ids, prepend=encoding.word_ids[:1]) != 0,
        count=MOST_TOKENS,
        character_starts=encoding.character_starts,
    )
    times = Counter(encoding.ids.tolist())
    special = set(encoding.ids[encoding.special].tolist())
    return {
        "kind": "encoding",
        "text": spans.frame(key="text view", label=_("The text in tokens"), tells=True),
        "ids": spans.ids,
        "tokens": {each: _token(encoding, each, times[each], special=each in special) for each in set(spans.ids)},
    }


def _token(encoding: Encoding, token_id: int, times: int, *, special: bool) -> dict[str, Any]:
    tokenizer: Tokenizer | None = getattr(encoding.token_bytes, "__self__", None)
    data = encoding.token_bytes(token_id)
    node = None if tokenizer is None else tokenizer.tree(token_id)
    facts = [
        (_("Length"), n_("{count:,} byte", "{count:,} bytes", len(data))),
        (_("Bytes"), token_hex(data)),
        (_("In this text"), _("once") if times == 1 else _("{times:,} times", times=times)),
    ]
    tree = None
    if tokenizer is not None and node is not None:
        facts.insert(0, (_("Created"), created(tokenizer, node, special=special)))
        if node.left is not None:
            drawn = Tree.of(node, lambda each: chip(tokenizer, each), lambda each: node_label(tokenizer, each))
            tree = tree_frame(drawn, "token tree", height=_TREE_HEIGHT)
    table = Table(Column("", [name for name, _value in facts]), Column("", [value for _name, value in facts]))
    label = _("The chosen token")
    says = table_frame(table, key="token facts", height=None, label=label, header=False, pickable=False)
    return {"merge": None, "says": says, "tree": tree}


def token_hex(token: bytes) -> str:
    """The first bytes of a token in hex.

    >>> token_hex(b"low")
    '6C 6F 77'
    """
    return token[:_LONGEST_HEX].hex(" ").upper() + " …" * (len(token) > _LONGEST_HEX)


def rank_words(rank: int) -> str:
    """A merge by its rank.

    >>> rank_words(1_169)
    'rank 1,169'
    """
    return _("rank {rank:,}", rank=rank)


def created(tokenizer: Tokenizer, node: TokenNode, *, special: bool = False) -> str:
    """Origin of a token in the vocabulary; `node`: the root of its tree, `special`: whether it is a special token.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> [created(gpt2, gpt2.tree(token_id)) for token_id in (83, 1169)]
    ['a base symbol', 'rank 1,169']
    """
    if special:
        return _("special token")
    if "merges" not in tokenizer.model.views:
        return _("a piece of the vocabulary")
    if node.rank is None:
        return _("a base symbol") if is_base(tokenizer, node.id) else _("a whole word")
    return rank_words(node.rank)


def is_base(tokenizer: Tokenizer, token_id: int) -> bool:
    """Whether a token that no merge made is a single symbol.

    >>> from bpe_core import load_pretrained
    >>> is_base(load_pretrained("gpt2"), 83)
    True
    """
    return len(tokenizer.token_bytes(token_id)) == 1 or tokenizer.model.unit == "char"


def node_label(tokenizer: Tokenizer, node: TokenNode, rank: Callable[[int], str] = rank_words) -> str:
    """Line below a node of a tree; `rank`: words for the rank of a merge.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> node_label(gpt2, gpt2.tree(83)), node_label(gpt2, gpt2.tree(1169))
    ('byte 74', 'rank 1,169')
    """
    if node.rank is not None:
        return rank(node.rank)
    data = tokenizer.token_bytes(node.id)
    is_byte = tokenizer.model.unit == "byte" and len(data) == 1
    return _("byte {hex}", hex=f"{data[0]:02X}") if is_byte else _("base symbol")
