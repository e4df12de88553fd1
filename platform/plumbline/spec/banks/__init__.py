"""Items of banks as plain data: questions, passages, pairs of sentences, and texts, whichever method asks them."""
