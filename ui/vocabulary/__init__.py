"""The Vocabulary page: every token of a tokenizer, its files, and the proof with other libraries."""
