"""BPE Lab's core: train a byte-pair encoding, look at every step of it, encode, and compare tokenizers."""

from bpe_core.compare import Agreement, Comparison, Disagreement, Row, compare
from bpe_core.config import TrainConfig
from bpe_core.encoding import Encoding, Token
from bpe_core.errors import BpeError, ConfigError, CorpusError, FormatError, TokenIdError, VocabularyError
from bpe_core.formats import load, save
from bpe_core.pipeline import Passage, Pipeline, chat_pipeline, pipeline
from bpe_core.pretrained import PRETRAINED, load_pretrained
from bpe_core.sentencepiece import SentencePieceTraining, train_sentencepiece
from bpe_core.sentencepiece_tokenizer import SentencePieceTokenizer
from bpe_core.snapshot import Candidate, CountChange, Merge, Snapshot
from bpe_core.templates import Message
from bpe_core.tokenizer import EncodeStep, PossibleMerge, Tokenizer, TokenNode
from bpe_core.training import Training, train
from bpe_core.unigram import PieceLoss, UnigramRound, UnigramSnapshot, UnigramTraining, train_unigram
from bpe_core.unigram_model import LatticeEdge, Segmentation, UnigramModel
from bpe_core.unigram_tokenizer import UnigramTokenizer
from bpe_core.wordpiece import (
    WordPieceCandidate,
    WordPieceMerge,
    WordPieceSnapshot,
    WordPieceTraining,
    train_wordpiece,
)
from bpe_core.wordpiece_tokenizer import WordPieceTokenizer

__all__ = [
    "PRETRAINED",
    "Agreement",
    "BpeError",
    "Candidate",
    "Comparison",
    "ConfigError",
    "CorpusError",
    "CountChange",
    "Disagreement",
    "EncodeStep",
    "Encoding",
    "FormatError",
    "LatticeEdge",
    "Merge",
    "Message",
    "Passage",
    "PieceLoss",
    "Pipeline",
    "PossibleMerge",
    "Row",
    "Segmentation",
    "SentencePieceTokenizer",
    "SentencePieceTraining",
    "Snapshot",
    "Token",
    "TokenIdError",
    "TokenNode",
    "Tokenizer",
    "TrainConfig",
    "Training",
    "UnigramModel",
    "UnigramRound",
    "UnigramSnapshot",
    "UnigramTokenizer",
    "UnigramTraining",
    "VocabularyError",
    "WordPieceCandidate",
    "WordPieceMerge",
    "WordPieceSnapshot",
    "WordPieceTokenizer",
    "WordPieceTraining",
    "chat_pipeline",
    "compare",
    "load",
    "load_pretrained",
    "pipeline",
    "save",
    "train",
    "train_sentencepiece",
    "train_unigram",
    "train_wordpiece",
]
