"""Difference of two token counts in one sentence: the tokenizer with more tokens, and the sources of the difference."""

from __future__ import annotations

from bpe_core.comparison.totals import WHITE_SPACE, Difference
from bpe_core.language import listed, message, n_, translate


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
            "{left} and {right} segment this text in the same way: {count:,} token.",
            "{left} and {right} segment this text in the same way: {count:,} tokens.",
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
        "{left} and {right} take {count:,} token each; the differences cancel out: {sums}.",
        "{left} and {right} take {count:,} tokens each; the differences cancel out: {sums}.",
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
    sums = [(share.tokens, share.source) for share in found.shares if share.tokens]
    if found.elsewhere:
        sums.append((found.elsewhere, "no text" if is_whole else "not counted"))
    each = [_more_from(tokens)[source] if tokens > 0 else _fewer_from(-tokens)[source] for tokens, source in sums]
    return translate(listed(each, last=""))


def _more_from(tokens: int) -> dict[str, str]:
    """Phrases for the tokens that each source adds, by its name."""
    return {
        WHITE_SPACE: message("{tokens:,} from white space", tokens=tokens),
        "special token": message("{tokens:,} from special tokens", tokens=tokens),
        "normalization": message("{tokens:,} from normalization", tokens=tokens),
        "split": message("{tokens:,} from where the splits cut", tokens=tokens),
        "missing token": message("{tokens:,} from missing tokens", tokens=tokens),
        "earlier merge": message("{tokens:,} from the order of merges", tokens=tokens),
        "choice": message("{tokens:,} from other choices", tokens=tokens),
        "not counted": message("{tokens:,} from the rest of the text, whose causes are not counted", tokens=tokens),
        "no text": message("{tokens:,} from tokens that hold no text", tokens=tokens),
    }


def _fewer_from(tokens: int) -> dict[str, str]:
    """Phrases for the tokens that each source saves, by its name."""
    return {
        WHITE_SPACE: message("{tokens:,} fewer from white space", tokens=tokens),
        "special token": message("{tokens:,} fewer from special tokens", tokens=tokens),
        "normalization": message("{tokens:,} fewer from normalization", tokens=tokens),
        "split": message("{tokens:,} fewer from where the splits cut", tokens=tokens),
        "missing token": message("{tokens:,} fewer from missing tokens", tokens=tokens),
        "earlier merge": message("{tokens:,} fewer from the order of merges", tokens=tokens),
        "choice": message("{tokens:,} fewer from other choices", tokens=tokens),
        "not counted": message(
            "{tokens:,} fewer from the rest of the text, whose causes are not counted", tokens=tokens
        ),
        "no text": message("{tokens:,} fewer from tokens that hold no text", tokens=tokens),
    }
