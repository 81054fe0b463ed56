"""What the laboratory gives you: AES, words and vectors, and a dealer. Read it; there is nothing to fill in."""
