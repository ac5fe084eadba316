"""The Invariant Analysis Engine: says what a proposal is, keeps the books, and gives feedback. Pure functions on data."""
