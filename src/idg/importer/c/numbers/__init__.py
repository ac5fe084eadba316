"""C's numbers as numbers of SIP: their types, what arithmetic makes of them, and where they cannot leave their bounds."""
