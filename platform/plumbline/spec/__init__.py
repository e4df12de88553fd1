"""What all methods share before any run: audit specs, the grammar of templates, cards, power, and the registry."""
