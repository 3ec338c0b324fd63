"""Parts of the Encode page, one per file; `page.py` assembles them."""
