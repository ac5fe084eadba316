"""Files that are made from the sources, by `make spec`."""
