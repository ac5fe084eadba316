"""The second verifier asked about the end of programs: it audits the program with asserts that measures fell."""
