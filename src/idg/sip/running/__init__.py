"""Running programs exactly: code generation, runs, traces, tables."""
