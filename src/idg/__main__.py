"""`python -m idg` is the command `idg`."""

from idg.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
