"""What people say of what a run found: words mapped to traits, distractors rated; each by themselves, blind."""
