"""Tokenizer, composed of normalizer, split, model, template and decoder; what it gives, and its stages shown."""
