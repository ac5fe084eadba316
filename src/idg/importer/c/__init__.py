"""C programs of the public verification suites, read as SIP. reader.py is where others enter.

text/ makes a tree of a text, rewriting/ makes the tree simpler, and the modules here read what is left with the types of numbers/.
"""
