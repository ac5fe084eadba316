"""Whether programs end: measures that fall in every turn, runs that never end, and what the two say of a whole program."""
