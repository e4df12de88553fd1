"""The accuracy on multiple-choice questions."""
