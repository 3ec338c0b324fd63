"""Figures of a tokenizer: the composition of its vocabulary, and the effect of its merges on a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from bpe_core import checks
from bpe_core.display.composition_figures import Composition, composition, composition_figure
from bpe_core.display.first_merges_figures import Curve, first_merges_figure
from bpe_core.display.forest_figures import forest_figure
from bpe_core.display.library import Figure
from bpe_core.display.vocabulary_figures import lengths_figure
from bpe_core.drawing.themes import checked_theme
from bpe_core.errors import quoted
from bpe_core.language import message
from bpe_core.text.scripts import SCRIPTS
from bpe_core.tokenizer.facts import TokenFacts, token_facts
from bpe_core.tokenizer.forests import merge_forest
from bpe_core.tokenizer.kinds import KINDS, token_kinds
from bpe_core.tokenizer.named_tokenizers import checked_tokenizers
from bpe_core.tokenizer.tokenizer import Tokenizer

FIGURES = ("lengths", "characters", "composition", "scripts", "forest", "merges")
"""Figures of a tokenizer by name."""

KINDS_TITLE, SCRIPTS_TITLE = message("Kinds of tokens"), message("Scripts of tokens")

_TAKEN_BY = {"text": ("forest", "merges"), "tokenizers": ("composition", "scripts", "merges"), "token_id": ("forest",)}
"""Optional arguments, and the figures that accept them."""


def tokenizer_figure(
    tokenizer: Tokenizer,
    name: str,
    theme: str,
    text: str | None,
    tokenizers: Mapping[str, Tokenizer] | None,
    token_id: int | None,
) -> Figure:
    """Return the figure documented by `Tokenizer.figure`.

    >>> from bpe_core import load_pretrained
    >>> tokenizer_figure(load_pretrained("gpt2"), "lengths", "light", None, None, None).data[0].y[:3]
    (256, 1916, 5212)
    """
    checks.choice(name, "name", FIGURES)
    checked_theme(theme)
    for what, value in (("text", text), ("tokenizers", tokenizers), ("token_id", token_id)):
        if value is not None and name not in _TAKEN_BY[what]:
            raise checks.wrong(
                name,
                "name",
                message("Only {names} takes {what}.", names=" / ".join(map(quoted, _TAKEN_BY[what])), what=what),
                message("Leave out {what}, or choose another figure.", what=what),
            )
    if name in ("lengths", "characters"):
        return _lengths(tokenizer, name == "lengths", theme)
    if name == "forest":
        return _forest(tokenizer, text, token_id, theme)
    of = [(tokenizer.name, tokenizer), *checked_tokenizers({} if tokenizers is None else tokenizers).items()]
    if name == "merges":
        return _first_merges(of, text, theme)
    if name == "scripts":
        return scripts_figure([scripts_of(*each, token_facts(each[1])) for each in of], theme)
    return kinds_figure([kinds_of(*each, token_facts(each[1])) for each in of], theme)


def kinds_of(name: str, tokenizer: Tokenizer, facts: TokenFacts) -> Composition:
    """Kinds of a vocabulary's tokens, for `kinds_figure`. `facts`: those of this tokenizer.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> kinds_of("GPT-2", gpt2, token_facts(gpt2)).counts[0]
    np.int64(31972)
    """
    return _composed(name, tokenizer, facts, token_kinds(tokenizer, facts), KINDS)


def scripts_of(name: str, tokenizer: Tokenizer, facts: TokenFacts) -> Composition:
    """Scripts of a vocabulary's tokens, for `scripts_figure`. `facts`: those of this tokenizer.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> scripts_of("GPT-2", gpt2, token_facts(gpt2)).counts[0]
    np.int64(47004)
    """
    return _composed(name, tokenizer, facts, facts.scripts, SCRIPTS)


def kinds_figure(of: Sequence[Composition], theme: str) -> Figure:
    """Share of each kind of token in one or several vocabularies.

    >>> kinds_figure([], "light").layout.title.text
    'Kinds of tokens'
    """
    return composition_figure(KINDS_TITLE, KINDS, of, theme)


def scripts_figure(of: Sequence[Composition], theme: str) -> Figure:
    """Share of each script in one or several vocabularies, largest first.

    >>> scripts_figure([], "light").layout.title.text
    'Scripts of tokens'
    """
    return composition_figure(SCRIPTS_TITLE, SCRIPTS, of, theme, by_size=True)


def _composed(
    name: str, tokenizer: Tokenizer, facts: TokenFacts, codes: npt.NDArray[np.uint8], groups: Sequence[str]
) -> Composition:
    return composition(name, codes, len(groups), lambda at: tokenizer.token_bytes(int(facts.ids[at])))


def _lengths(tokenizer: Tokenizer, in_bytes: bool, theme: str) -> Figure:
    added = {token.id: token for token in tokenizer.special_token_flags}
    of_model = enumerate(tokenizer.model.tokens)
    tokens = [token for token_id, token in of_model if token is not None and token_id not in added]
    tokens += [token.text.encode() for token in added.values() if not token.special]
    return lengths_figure(tokens, sum(token.special for token in added.values()), in_bytes, theme)


def _forest(tokenizer: Tokenizer, text: str | None, token_id: int | None, theme: str) -> Figure:
    if token_id is not None:
        tokenizer.token_bytes(token_id)  # raises for an id that is not in the vocabulary
    forest = merge_forest(tokenizer)
    uses = None
    if text is not None:
        used = np.bincount(tokenizer.encode(text).ids, minlength=tokenizer.vocab_size)
        uses = used[forest.ids].astype(np.int64)
    return forest_figure(forest.trees(uses, token_id), tokenizer.token_bytes, theme)


def _first_merges(of: Sequence[tuple[str, Tokenizer]], text: str | None, theme: str) -> Figure:
    given = checks.given_text("" if text is None else text, limit=message("Only str is encoded."))
    curves = [Curve(name, each.tokens_over_merges(given)) for name, each in of]
    return first_merges_figure(curves, len(given.encode("utf-8", "replace")), theme)
