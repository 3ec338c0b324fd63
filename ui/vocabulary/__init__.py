"""The Vocabulary page: every token of a tokenizer, its files, and the proof that other libraries read them alike."""
