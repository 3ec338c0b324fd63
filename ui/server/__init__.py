"""What the server does beside running pages: it checks what browsers send before any page sees it."""
