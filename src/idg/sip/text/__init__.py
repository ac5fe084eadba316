"""Text to syntax tree and back: lexer, parsers, printer, formatter."""
