"""The Algorithms page: BPE, WordPiece, Unigram and SentencePiece on one corpus, step by step and side by side."""
