"""Core of BPE Lab: train a byte-pair encoding, inspect every step, encode, and compare tokenizers.

Public names are imported from their modules when they are first used.
"""

from bpe_core import starting as starting  # before any other import

# isort: split
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bpe_core.bpe.config import TrainConfig as TrainConfig
    from bpe_core.bpe.costs import VocabularyCost as VocabularyCost
    from bpe_core.bpe.parity import ParityStep as ParityStep
    from bpe_core.bpe.parity import ParityTraining as ParityTraining
    from bpe_core.bpe.parity import train_parity as train_parity
    from bpe_core.bpe.snapshot import Candidate as Candidate
    from bpe_core.bpe.snapshot import CountChange as CountChange
    from bpe_core.bpe.snapshot import Merge as Merge
    from bpe_core.bpe.snapshot import Snapshot as Snapshot
    from bpe_core.bpe.training import Training as Training
    from bpe_core.bpe.training import train as train
    from bpe_core.chats.rendering import render_chat as render_chat
    from bpe_core.chats.template_files import ChatTemplates as ChatTemplates
    from bpe_core.chats.template_files import load_chat_templates as load_chat_templates
    from bpe_core.comparison.comparison import Comparison as Comparison
    from bpe_core.comparison.comparison import compare as compare
    from bpe_core.comparison.many_texts import TextCounts as TextCounts
    from bpe_core.comparison.many_texts import compare_texts as compare_texts
    from bpe_core.comparison.parallel import ParallelCount as ParallelCount
    from bpe_core.comparison.parallel import ParallelCounts as ParallelCounts
    from bpe_core.comparison.parallel import parallel_texts as parallel_texts
    from bpe_core.comparison.results import Agreement as Agreement
    from bpe_core.comparison.results import Disagreement as Disagreement
    from bpe_core.comparison.results import Row as Row
    from bpe_core.errors import BpeError as BpeError
    from bpe_core.errors import ClusterError as ClusterError
    from bpe_core.errors import ConfigError as ConfigError
    from bpe_core.errors import CorpusError as CorpusError
    from bpe_core.errors import FormatError as FormatError
    from bpe_core.errors import HubError as HubError
    from bpe_core.errors import TokenIdError as TokenIdError
    from bpe_core.errors import VocabularyError as VocabularyError
    from bpe_core.formats import load as load
    from bpe_core.formats import save as save
    from bpe_core.hub.files import load_from_hub as load_from_hub
    from bpe_core.picky.events import PickyMerge as PickyMerge
    from bpe_core.picky.events import Removal as Removal
    from bpe_core.picky.model import PickyModel as PickyModel
    from bpe_core.picky.snapshot import PickySnapshot as PickySnapshot
    from bpe_core.picky.training import PickyTraining as PickyTraining
    from bpe_core.picky.training import train_picky as train_picky
    from bpe_core.published.pretrained import PRETRAINED as PRETRAINED
    from bpe_core.published.pretrained import load_pretrained as load_pretrained
    from bpe_core.segmentations.fewest import FewestTokens as FewestTokens
    from bpe_core.segmentations.fewest import ShorterWord as ShorterWord
    from bpe_core.segmentations.fewest import compare_fewest as compare_fewest
    from bpe_core.segmentations.fewest import encode_fewest as encode_fewest
    from bpe_core.segmentations.sampling import LikelySegmentation as LikelySegmentation
    from bpe_core.segmentations.sampling import SampledSegmentation as SampledSegmentation
    from bpe_core.segmentations.sampling import encode_sampled as encode_sampled
    from bpe_core.segmentations.sampling import likely_segmentations as likely_segmentations
    from bpe_core.segmentations.sampling import sampled_segmentations as sampled_segmentations
    from bpe_core.segmentations.sampling import segmentation_entropy as segmentation_entropy
    from bpe_core.sentencepiece.model import SentencePieceModel as SentencePieceModel
    from bpe_core.sentencepiece.model import sentencepiece_tokenizer as sentencepiece_tokenizer
    from bpe_core.sentencepiece.training import SentencePieceTraining as SentencePieceTraining
    from bpe_core.sentencepiece.training import train_sentencepiece as train_sentencepiece
    from bpe_core.text.counting import count_words as count_words
    from bpe_core.text.table_files import SkippedRow as SkippedRow
    from bpe_core.text.table_files import TableFile as TableFile
    from bpe_core.text.table_files import open_table as open_table
    from bpe_core.text.word_counts import WordCounts as WordCounts
    from bpe_core.tokenizer.batches import Batch as Batch
    from bpe_core.tokenizer.batches import batch as batch
    from bpe_core.tokenizer.encoding import Encoding as Encoding
    from bpe_core.tokenizer.encoding import Token as Token
    from bpe_core.tokenizer.file_encoder import EncodedFiles as EncodedFiles
    from bpe_core.tokenizer.file_encoder import encode_files as encode_files
    from bpe_core.tokenizer.model import EncodeStep as EncodeStep
    from bpe_core.tokenizer.model import PossibleMerge as PossibleMerge
    from bpe_core.tokenizer.model import TokenNode as TokenNode
    from bpe_core.tokenizer.rows import Padding as Padding
    from bpe_core.tokenizer.special_tokens import SpecialToken as SpecialToken
    from bpe_core.tokenizer.stages import Passage as Passage
    from bpe_core.tokenizer.stages import Pipeline as Pipeline
    from bpe_core.tokenizer.stages import chat_pipeline as chat_pipeline
    from bpe_core.tokenizer.stages import pipeline as pipeline
    from bpe_core.tokenizer.templates import Chat as Chat
    from bpe_core.tokenizer.templates import Message as Message
    from bpe_core.tokenizer.templates import Template as Template
    from bpe_core.tokenizer.tokenizer import Tokenizer as Tokenizer
    from bpe_core.tokenizer.truncation import Truncation as Truncation
    from bpe_core.unigram.assembly import unigram_tokenizer as unigram_tokenizer
    from bpe_core.unigram.lattice import LatticeEdge as LatticeEdge
    from bpe_core.unigram.lattice import Segmentation as Segmentation
    from bpe_core.unigram.model import UnigramModel as UnigramModel
    from bpe_core.unigram.training import PieceLoss as PieceLoss
    from bpe_core.unigram.training import UnigramRound as UnigramRound
    from bpe_core.unigram.training import UnigramSnapshot as UnigramSnapshot
    from bpe_core.unigram.training import UnigramTraining as UnigramTraining
    from bpe_core.unigram.training import train_unigram as train_unigram
    from bpe_core.wordpiece.model import LongestMatch as LongestMatch
    from bpe_core.wordpiece.model import WordPieceModel as WordPieceModel
    from bpe_core.wordpiece.model import wordpiece_tokenizer as wordpiece_tokenizer
    from bpe_core.wordpiece.training import WordPieceCandidate as WordPieceCandidate
    from bpe_core.wordpiece.training import WordPieceMerge as WordPieceMerge
    from bpe_core.wordpiece.training import WordPieceSnapshot as WordPieceSnapshot
    from bpe_core.wordpiece.training import WordPieceTraining as WordPieceTraining
    from bpe_core.wordpiece.training import train_wordpiece as train_wordpiece

_NAMES = {
    "bpe.config": ("TrainConfig",),
    "bpe.costs": ("VocabularyCost",),
    "bpe.parity": ("ParityStep", "ParityTraining", "train_parity"),
    "bpe.snapshot": ("Candidate", "CountChange", "Merge", "Snapshot"),
    "bpe.training": ("Training", "train"),
    "chats.rendering": ("render_chat",),
    "chats.template_files": ("ChatTemplates", "load_chat_templates"),
    "comparison.comparison": ("Comparison", "compare"),
    "comparison.many_texts": ("TextCounts", "compare_texts"),
    "comparison.parallel": ("ParallelCount", "ParallelCounts", "parallel_texts"),
    "comparison.results": ("Agreement", "Disagreement", "Row"),
    "errors": (
        "BpeError",
        "ClusterError",
        "ConfigError",
        "CorpusError",
        "FormatError",
        "HubError",
        "TokenIdError",
        "VocabularyError",
    ),
    "formats": ("load", "save"),
    "hub.files": ("load_from_hub",),
    "picky.events": ("PickyMerge", "Removal"),
    "picky.model": ("PickyModel",),
    "picky.snapshot": ("PickySnapshot",),
    "picky.training": ("PickyTraining", "train_picky"),
    "published.pretrained": ("PRETRAINED", "load_pretrained"),
    "segmentations.fewest": ("FewestTokens", "ShorterWord", "compare_fewest", "encode_fewest"),
    "segmentations.sampling": (
        "LikelySegmentation",
        "SampledSegmentation",
        "encode_sampled",
        "likely_segmentations",
        "sampled_segmentations",
        "segmentation_entropy",
    ),
    "sentencepiece.model": ("SentencePieceModel", "sentencepiece_tokenizer"),
    "sentencepiece.training": ("SentencePieceTraining", "train_sentencepiece"),
    "text.counting": ("count_words",),
    "text.table_files": ("SkippedRow", "TableFile", "open_table"),
    "text.word_counts": ("WordCounts",),
    "tokenizer.batches": ("Batch", "batch"),
    "tokenizer.encoding": ("Encoding", "Token"),
    "tokenizer.file_encoder": ("EncodedFiles", "encode_files"),
    "tokenizer.model": ("EncodeStep", "PossibleMerge", "TokenNode"),
    "tokenizer.rows": ("Padding",),
    "tokenizer.special_tokens": ("SpecialToken",),
    "tokenizer.stages": ("Passage", "Pipeline", "chat_pipeline", "pipeline"),
    "tokenizer.templates": ("Chat", "Message", "Template"),
    "tokenizer.tokenizer": ("Tokenizer",),
    "tokenizer.truncation": ("Truncation",),
    "unigram.assembly": ("unigram_tokenizer",),
    "unigram.lattice": ("LatticeEdge", "Segmentation"),
    "unigram.model": ("UnigramModel",),
    "unigram.training": ("PieceLoss", "UnigramRound", "UnigramSnapshot", "UnigramTraining", "train_unigram"),
    "wordpiece.model": ("LongestMatch", "WordPieceModel", "wordpiece_tokenizer"),
    "wordpiece.training": (
        "WordPieceCandidate",
        "WordPieceMerge",
        "WordPieceSnapshot",
        "WordPieceTraining",
        "train_wordpiece",
    ),
}
"""Public names by module."""

_MODULES = {name: f"bpe_core.{module}" for module, names in _NAMES.items() for name in names}

__all__ = sorted(_MODULES)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'bpe_core' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULES[name]), name)
    return value


def __dir__() -> list[str]:
    return __all__
