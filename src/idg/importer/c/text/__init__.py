"""From the text of a C file to its tree: tokens, the preprocessor, annotations, places, and the names that suites use."""
