"""Parts of the Pipeline page, one per file; `page.py` assembles them."""
