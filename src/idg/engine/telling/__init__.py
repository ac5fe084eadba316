"""What players are told: feedback, the board, sentences, pictures, and the check of what a sentence claims."""
