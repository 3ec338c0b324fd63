"""UnigramTokenizer: words by white space, each cut into the pieces with the best score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bpe_core.config import UNKNOWN, TrainConfig
from bpe_core.piece_tokenizer import WORD_MARK, PieceTokenizer
from bpe_core.unigram_model import UnigramModel

MARKED_SPLIT = r" ?\S+"
"""A word and the one space in front of it, which ▁ stands for. Other white space is dropped."""


class UnigramTokenizer(PieceTokenizer):
    """A Unigram model at work. A word that holds an unknown letter becomes one <unk> whole. Never changes.

    <unk> has the id 0, the pieces follow in the model's order. `model`: the scores.

    >>> tokenizer = UnigramTokenizer(UnigramModel({"▁": 2.0, "h": 3.0, "u": 3.0, "g": 3.0, "▁hu": 4.0}))
    >>> tokenizer.tokenize("hug\\n\\nhu  hugs")
    ['▁hu', 'g', '▁hu', '<unk>']
    >>> [(token.char_start, token.char_end) for token in tokenizer.encode("hug hug")]
    [(0, 2), (2, 3), (3, 6), (6, 7)]
    """

    def __init__(self, model: UnigramModel, *, name: str = "Unigram") -> None:
        super().__init__(
            name,
            config=TrainConfig(unit="char", split=MARKED_SPLIT),
            pieces=(UNKNOWN, *model.scores),
            special_tokens={UNKNOWN: 0},
            unknown_id=0,
        )
        self.model = model
        self._numbers: Mapping[str, int] = {piece: i for i, piece in enumerate(model.scores, start=1)}

    def _encode_word(self, word: str) -> list[int]:
        best = self.model.best(marked(word)) if word else None
        return [self._numbers[piece] for piece in best.pieces] if best is not None else [0] if word else []

    def _lengths(self, word: str, ids: Sequence[int]) -> list[int]:
        """Bytes of the word that each of its tokens covers."""
        if list(ids) == [0]:
            return [len(word.encode())]
        lengths = [len(self.pieces[token_id].encode()) for token_id in ids]
        lengths[0] -= len(WORD_MARK.encode()) - len(word[: word.startswith(" ")])
        return lengths

    def _decode(self, ids: Iterable[int], skip_special: bool) -> bytes:
        """▁ as a space, none in front of the first word."""
        text = ""
        for token_id in ids:
            token = self.token(token_id)
            if token_id not in self._special_names:
                text += token.replace(WORD_MARK, " ")
            elif not skip_special:
                text += f" {token}" if token_id == self.unknown_id else token
        return text.removeprefix(" ").encode()


def marked(word: str) -> str:
    """A word as the model sees it: ▁ in place of the space in front of it, or added where there is none.

    >>> marked("low"), marked(" low")
    ('▁low', '▁low')
    """
    return WORD_MARK + word.removeprefix(" ")
