"""Messages as data, and the catalogues that translate them."""

from bpe_core.language.catalogues import LANGUAGES, PSEUDO, add_catalogues, language_of
from bpe_core.language.messages import TranslatableMessage, counted, in_language, joined, listed, message
from bpe_core.language.sentences import Sentence, Strong, sentence
from bpe_core.language.speaking import _, gettext, n_, parts, said, speak, spoken, spoken_in

__all__ = [
    "LANGUAGES",
    "PSEUDO",
    "Sentence",
    "Strong",
    "TranslatableMessage",
    "_",
    "add_catalogues",
    "counted",
    "gettext",
    "in_language",
    "joined",
    "language_of",
    "listed",
    "message",
    "n_",
    "parts",
    "said",
    "sentence",
    "speak",
    "spoken",
    "spoken_in",
]
