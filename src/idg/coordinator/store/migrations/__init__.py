"""The migrations, by Alembic. `migrate` runs them; there is no env.py."""
