"""Accepts connections and bounds what each may hold: time, bytes, descriptors."""
