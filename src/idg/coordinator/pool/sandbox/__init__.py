"""The sandbox of engine workers: no network, no files but those that are imported, no other processes. confine.py is the door."""
