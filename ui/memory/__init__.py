"""Values kept between runs: server-wide caches capped in bytes, and tracking of connected sessions."""
