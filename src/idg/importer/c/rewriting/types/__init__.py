"""Writes what C's types of other kinds mean as numbers and arrays: enums, structs."""
