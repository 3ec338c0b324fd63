"""The Vocabulary page: every token of a tokenizer, its files, and the proof that they are read alike elsewhere."""
