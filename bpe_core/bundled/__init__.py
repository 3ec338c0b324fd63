"""Bundled vocabulary files, verified by hash when read, and OpenAI's tokenizers, whose files are ranks."""
