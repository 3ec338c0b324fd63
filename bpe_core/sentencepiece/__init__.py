"""SentencePiece: trained and run by its own library, with offsets and its merges step by step."""
