"""The SQL page: people's own queries, run through a login that may only read the views."""
