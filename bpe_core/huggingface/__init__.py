"""The tokenizers library of Hugging Face, re-created: its normalizers, pre-tokenizers and decoders, equal in ids, text
and alignment."""
