"""Real servers of NATS and PostgreSQL, coordinators and nodes as processes of this machine: for development and for tests."""
