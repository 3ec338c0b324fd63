"""SentencePiece: training and encoding by its own library, with offsets and step-by-step merges."""
