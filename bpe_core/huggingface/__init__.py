"""Reimplementation of Hugging Face's tokenizers library: normalizers, pre-tokenizers and decoders, equal in ids, text
and alignment."""
