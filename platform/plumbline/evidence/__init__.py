"""The format of evidence packs: archive, manifest, signature, and what a pack leaves out. No Django, no database."""
