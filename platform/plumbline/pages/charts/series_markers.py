"""The signs of groups, runs or series in a picture. Their colours are in `static/desk/signs.css`."""

SHAPES = ("circle", "square", "triangle", "diamond", "cross", "plus", "down", "ring")
"""The shapes, in order. After eight they repeat."""
