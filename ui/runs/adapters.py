"""Adapter from a finished training to the page's interface."""

from __future__ import annotations

from bpe_core import BpeError, PickyTraining, SentencePieceTraining, Training, UnigramTraining, WordPieceTraining
from ui.runs.algorithm_run import AlgorithmRun, FailedRun
from ui.runs.bpe import Bpe
from ui.runs.picky import Picky
from ui.runs.sentencepiece import SentencePiece
from ui.runs.unigram import Unigram
from ui.runs.wordpiece import WordPiece
from ui.work.algorithm_training import TrainedAlgorithm


def run_of(found: TrainedAlgorithm | BpeError, text: str) -> AlgorithmRun | FailedRun:
    """The run of a finished training, or FailedRun for an error."""
    if isinstance(found, BpeError):
        return FailedRun(found)
    training, requested, note = found
    match training:
        case Training():
            return Bpe(training, text, requested, note)
        case PickyTraining():
            return Picky(training, text, requested, note)
        case WordPieceTraining():
            return WordPiece(training, requested, note)
        case UnigramTraining():
            return Unigram(training, requested, note)
        case SentencePieceTraining():
            return SentencePiece(training, requested, note)
