"""How units of work run on SQLite and on PostgreSQL."""
