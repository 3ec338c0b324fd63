"""A token added by hand, with the id and the flags that the tokenizers library gives it."""

from __future__ import annotations

from bpe_core import checks
from bpe_core.errors import VocabularyError, quoted
from bpe_core.language import message
from bpe_core.tokenizer.special_tokens import SpecialToken
from bpe_core.tokenizer.tokenizer import Tokenizer


def with_added_token(
    tokenizer: Tokenizer,
    text: str,
    *,
    whole_word: bool = False,
    strip_left: bool = False,
    strip_right: bool = False,
    normalized: bool | None = None,
    special: bool = False,
) -> Tokenizer:
    """Tokenizer with one more added token, like that of `add_tokens` in the tokenizers library.

    It is found in every text before the split, also inside words. A token of the model that is spelled the same keeps
    its id; any other gets the id after the highest. `normalized`: by default the opposite of `special`, as in the
    library; the other flags are those of SpecialToken. Raises VocabularyError for an empty text, and for one that
    spells the bytes of another token in a tokenizer.json.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> gpt2.tokenize("two lanterns"), with_added_token(gpt2, "lantern").tokenize("two lanterns")
    (['two', ' lantern', 's'], ['two', ' ', 'lantern', 's'])
    >>> with_added_token(gpt2, "lantern").encode("lantern").ids.tolist()
    [50257]
    """
    checks.instance(tokenizer, "tokenizer", Tokenizer, message("a Tokenizer"))
    content = checks.utf8_text(text, "text", wanted=message("text that is not empty"), error=VocabularyError)
    flags = {"whole_word": whole_word, "strip_left": strip_left, "strip_right": strip_right, "special": special}
    for name, flag in flags.items():
        checks.true_or_false(flag, name)
    matched = not special if normalized is None else checks.true_or_false(normalized, "normalized")
    token = SpecialToken(content, _id_of(tokenizer, content), **flags, normalized=matched)
    return tokenizer.with_special_tokens([token])


def _id_of(tokenizer: Tokenizer, text: str) -> int:
    known = tokenizer.vocab.get(text)
    if known is not None and tokenizer.token_bytes(known) != text.encode():
        raise VocabularyError(
            message("{text} cannot be added as a token.", text=quoted(text)),
            limit=message(
                "In a tokenizer.json that is the spelling of the token {id:,}, of other bytes: the library would take "
                "that one.",
                id=known,
            ),
            remedy=message("Choose another text, or add it by merges."),
        )
    return tokenizer.vocab_size if known is None else known
