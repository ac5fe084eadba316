"""Commands on one program: reading, running, proving, showing, importing, exporting."""
