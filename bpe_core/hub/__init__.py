"""Tokenizers by model name on the Hugging Face hub, through its library, and single files by their https address.

No other code uses the network.
"""
