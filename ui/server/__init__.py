"""Server behaviour outside page scripts: browser messages are validated before a page sees them."""
