"""Byte-pair encoding: reference (read it first), training, snapshots, merge tables, model."""
