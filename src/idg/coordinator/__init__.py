"""The coordinator: rooms, store, pool of engine workers, API."""
