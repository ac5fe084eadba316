"""What travels between workers, coordinator, agents and clients: typed records, and one way to write and read them as JSON."""
