"""Proofs by exact algebra: polynomials, linear arithmetic, remainders, case splits."""
