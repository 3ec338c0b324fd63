"""Addition of a token by hand, as merges of the tokens that spelled it before."""

from __future__ import annotations

from bpe_core import checks
from bpe_core.bpe.base_words import words_of_base
from bpe_core.bpe.growth import GrownVocabulary, check_grows
from bpe_core.bpe.reference import merge
from bpe_core.errors import ConfigError, quoted
from bpe_core.language import counted, message
from bpe_core.tokenizer.tokenizer import Tokenizer


def with_merge_path(tokenizer: Tokenizer, text: str) -> Tokenizer:
    """Tokenizer with merges, after all its own, that make one token of `text`.

    The tokens of the text are joined from the left, each merge with a new id. Words keep their tokens unless all other
    merges leave these adjacent; so no word is cut as it would be by an added token. Raises ConfigError for a tokenizer
    that is not BPE, for a text that is a token already, and for one that is not a single word of the split.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> gpt2.tokenize(" lanternlight"), with_merge_path(gpt2, " lanternlight").tokenize(" lanternlight")
    ([' lantern', 'light'], [' lanternlight'])
    """
    checks.instance(tokenizer, "tokenizer", Tokenizer, message("a Tokenizer"))
    content = checks.utf8_text(text, "text", wanted=message("text that is not empty"))
    check_grows(tokenizer)
    grown = GrownVocabulary(tokenizer)
    words = words_of_base(grown, content).corpus.words()
    if len(words) != 1:
        raise ConfigError(
            counted(
                "{text} is {count:,} word of the split.",
                "{text} is {count:,} words of the split.",
                len(words),
                text=quoted(content),
            ),
            limit=message("No merge crosses words."),
            remedy=message("Give a single word, with the space before it if the split has it, or add it as a token."),
        )
    [ids] = words
    if len(ids) < 2:
        raise ConfigError(
            message("{text} is the token {id:,} already.", text=quoted(content), id=ids[0]),
            limit=message("Merges make tokens that the vocabulary lacks."),
            remedy=message("Choose another text."),
        )
    tokens: list[bytes | None] = [
        None if token_id in grown.without_bytes else token for token_id, token in enumerate(grown.tokens)
    ]
    pairs = []
    while len(ids) > 1:
        pair, made = (ids[0], ids[1]), len(tokens)
        pairs.append(pair)
        tokens.append((tokens[pair[0]] or b"") + (tokens[pair[1]] or b""))
        ids = merge(ids, pair, made)
    return grown.tokenizer_with(tokens, pairs, name=tokenizer.name)
