"""Tokenizer, composed of normalizer, split, model, template and decoder; its results, and views of its stages."""
