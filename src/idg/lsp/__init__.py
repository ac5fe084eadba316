"""`idg lsp`: a language server for editors.

server.py speaks the protocol; jobs.py is what processes of their own compute, so that the server always answers.
"""
