"""Core of BPE Lab: train a byte-pair encoding, inspect every step, encode, and compare tokenizers."""

from bpe_core import starting as starting  # before slow imports
from bpe_core.bpe.config import TrainConfig
from bpe_core.bpe.costs import VocabularyCost
from bpe_core.bpe.parity import ParityStep, ParityTraining, train_parity
from bpe_core.bpe.snapshot import Candidate, CountChange, Merge, Snapshot
from bpe_core.bpe.training import Training, train
from bpe_core.chats.rendering import render_chat
from bpe_core.chats.template_files import ChatTemplates, load_chat_templates
from bpe_core.comparison.comparison import Comparison, compare
from bpe_core.comparison.many_texts import TextCounts, compare_texts
from bpe_core.comparison.parallel import ParallelCount, ParallelCounts, parallel_texts
from bpe_core.comparison.results import Agreement, Disagreement, Row
from bpe_core.errors import (
    BpeError,
    ClusterError,
    ConfigError,
    CorpusError,
    FormatError,
    HubError,
    TokenIdError,
    VocabularyError,
)
from bpe_core.formats import load, save
from bpe_core.hub.loading import load_from_hub
from bpe_core.picky.events import PickyMerge, Removal
from bpe_core.picky.model import PickyModel
from bpe_core.picky.snapshot import PickySnapshot
from bpe_core.picky.training import PickyTraining, train_picky
from bpe_core.published.pretrained import PRETRAINED, load_pretrained
from bpe_core.segmentations.fewest import FewestTokens, ShorterWord, compare_fewest, encode_fewest
from bpe_core.segmentations.sampling import (
    LikelySegmentation,
    SampledSegmentation,
    encode_sampled,
    likely_segmentations,
    sampled_segmentations,
    segmentation_entropy,
)
from bpe_core.sentencepiece.model import SentencePieceModel, sentencepiece_tokenizer
from bpe_core.sentencepiece.training import SentencePieceTraining, train_sentencepiece
from bpe_core.text.counting import count_words
from bpe_core.text.table_files import SkippedRow, TableFile, open_table
from bpe_core.text.word_counts import WordCounts
from bpe_core.tokenizer.batches import Batch, batch
from bpe_core.tokenizer.encoding import Encoding, Token
from bpe_core.tokenizer.file_encoder import EncodedFiles, encode_files
from bpe_core.tokenizer.model import EncodeStep, PossibleMerge, TokenNode
from bpe_core.tokenizer.rows import Padding
from bpe_core.tokenizer.special_tokens import SpecialToken
from bpe_core.tokenizer.stages import Passage, Pipeline, chat_pipeline, pipeline
from bpe_core.tokenizer.templates import Chat, Message, Template
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.tokenizer.truncation import Truncation
from bpe_core.unigram.assembly import unigram_tokenizer
from bpe_core.unigram.lattice import LatticeEdge, Segmentation
from bpe_core.unigram.model import UnigramModel
from bpe_core.unigram.training import PieceLoss, UnigramRound, UnigramSnapshot, UnigramTraining, train_unigram
from bpe_core.wordpiece.model import LongestMatch, WordPieceModel, wordpiece_tokenizer
from bpe_core.wordpiece.training import (
    WordPieceCandidate,
    WordPieceMerge,
    WordPieceSnapshot,
    WordPieceTraining,
    train_wordpiece,
)

__all__ = [
    "PRETRAINED",
    "Agreement",
    "Batch",
    "BpeError",
    "Candidate",
    "Chat",
    "ChatTemplates",
    "ClusterError",
    "Comparison",
    "ConfigError",
    "CorpusError",
    "CountChange",
    "Disagreement",
    "EncodeStep",
    "EncodedFiles",
    "Encoding",
    "FewestTokens",
    "FormatError",
    "HubError",
    "LatticeEdge",
    "LikelySegmentation",
    "LongestMatch",
    "Merge",
    "Message",
    "Padding",
    "ParallelCount",
    "ParallelCounts",
    "ParityStep",
    "ParityTraining",
    "Passage",
    "PickyMerge",
    "PickyModel",
    "PickySnapshot",
    "PickyTraining",
    "PieceLoss",
    "Pipeline",
    "PossibleMerge",
    "Removal",
    "Row",
    "SampledSegmentation",
    "Segmentation",
    "SentencePieceModel",
    "SentencePieceTraining",
    "ShorterWord",
    "SkippedRow",
    "Snapshot",
    "SpecialToken",
    "TableFile",
    "Template",
    "TextCounts",
    "Token",
    "TokenIdError",
    "TokenNode",
    "Tokenizer",
    "TrainConfig",
    "Training",
    "Truncation",
    "UnigramModel",
    "UnigramRound",
    "UnigramSnapshot",
    "UnigramTraining",
    "VocabularyCost",
    "VocabularyError",
    "WordCounts",
    "WordPieceCandidate",
    "WordPieceMerge",
    "WordPieceModel",
    "WordPieceSnapshot",
    "WordPieceTraining",
    "batch",
    "chat_pipeline",
    "compare",
    "compare_fewest",
    "compare_texts",
    "count_words",
    "encode_fewest",
    "encode_files",
    "encode_sampled",
    "likely_segmentations",
    "load",
    "load_chat_templates",
    "load_from_hub",
    "load_pretrained",
    "open_table",
    "parallel_texts",
    "pipeline",
    "render_chat",
    "sampled_segmentations",
    "save",
    "segmentation_entropy",
    "sentencepiece_tokenizer",
    "train",
    "train_parity",
    "train_picky",
    "train_sentencepiece",
    "train_unigram",
    "train_wordpiece",
    "unigram_tokenizer",
    "wordpiece_tokenizer",
]
