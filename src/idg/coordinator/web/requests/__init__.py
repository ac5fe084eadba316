"""What is read and checked of a request before its route gets it."""
