"""Byte-pair encoding: the reference (read it first), training, every step of it, merge tables, the model."""
