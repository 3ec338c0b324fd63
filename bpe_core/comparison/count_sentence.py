"""Difference of two token counts in one sentence: the tokenizer with more tokens, and the sources of the difference."""

from __future__ import annotations

from bpe_core.comparison.totals import WHITE_SPACE, Difference
from bpe_core.language import _, listed, message, n_, translate

_FROM = {
    WHITE_SPACE: message("white space"),
    "special token": message("special tokens"),
    "normalization": message("normalization"),
    "split": message("where the splits cut"),
    "missing token": message("missing tokens"),
    "earlier merge": message("the order of merges"),
    "choice": message("other choices"),
}


def headline(left: str, right: str, found: Difference, tokens: int, *, is_whole: bool) -> str:
    """The sentence. `tokens`: token count of the right tokenizer; `is_whole`: whether all disagreements were explained.

    >>> from bpe_core.comparison.totals import SourceShare
    >>> shares = (SourceShare("white space", 231, 80), SourceShare("split", -20, 20))
    >>> headline("GPT-2", "cl100k", Difference(211, shares, 0), 400, is_whole=True)
    'GPT-2 takes 211 more tokens than cl100k (53 %): 231 from white space, 20 fewer from where the splits cut.'
    >>> headline("cl100k", "GPT-2", Difference(-1, (SourceShare("split", -1, 2),), 0), 4, is_whole=True)
    'GPT-2 takes 1 more token than cl100k (33 %): 1 from where the splits cut.'
    """
    if found.tokens < 0:
        turned = tuple(share._replace(tokens=-share.tokens) for share in found.shares)
        more = Difference(-found.tokens, turned, -found.elsewhere)
        return headline(right, left, more, tokens + found.tokens, is_whole=is_whole)
    if not found.shares and not found.tokens:
        return n_(
            "{left} and {right} segment this text alike: {count:,} token.",
            "{left} and {right} segment this text alike: {count:,} tokens.",
            tokens,
            left=left,
            right=right,
        )
    sums = _sums(found, is_whole=is_whole)
    return _more(left, right, found.tokens, sums, of=tokens) if found.tokens else _even(left, right, tokens, sums)


def _even(left: str, right: str, tokens: int, sums: str) -> str:
    if not sums:
        return n_(
            "{left} and {right} take {count:,} token each, but not the same ones.",
            "{left} and {right} take {count:,} tokens each, but not the same ones.",
            tokens,
            left=left,
            right=right,
        )
    return n_(
        "{left} and {right} take {count:,} token each, what one saves the other saves elsewhere: {sums}.",
        "{left} and {right} take {count:,} tokens each, what one saves the other saves elsewhere: {sums}.",
        tokens,
        left=left,
        right=right,
        sums=sums,
    )


def _more(left: str, right: str, tokens: int, sums: str, *, of: int) -> str:
    """Sentence about the tokenizer with `tokens` more tokens than the other, which has `of`."""
    if not of:
        return n_(
            "{left} takes {count:,} more token than {right}: {sums}.",
            "{left} takes {count:,} more tokens than {right}: {sums}.",
            tokens,
            left=left,
            right=right,
            sums=sums,
        )
    return n_(
        "{left} takes {count:,} more token than {right} ({percent:.0f} %): {sums}.",
        "{left} takes {count:,} more tokens than {right} ({percent:.0f} %): {sums}.",
        tokens,
        left=left,
        right=right,
        percent=100 * tokens / of,
        sums=sums,
    )


def _sums(found: Difference, *, is_whole: bool) -> str:
    """Sources of the difference; "" if there are none."""
    sums = [(share.tokens, _FROM[share.source]) for share in found.shares if share.tokens]
    if found.elsewhere:
        unknown = message("the rest of the text, whose causes are not counted")
        rest = message("tokens that hold no text") if is_whole else unknown
        sums.append((found.elsewhere, rest))
    each = [
        _("{tokens:,} from {source}", tokens=tokens, source=source)
        if tokens > 0
        else _("{tokens:,} fewer from {source}", tokens=-tokens, source=source)
        for tokens, source in sums
    ]
    return translate(listed(each, last=""))
