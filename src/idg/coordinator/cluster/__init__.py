"""What several computers need to play as one: NATS carries work to engine nodes and news between coordinators."""
