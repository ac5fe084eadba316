"""What one caller, and all callers together, may ask for and store."""
