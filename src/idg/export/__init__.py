"""Programs with their proved invariants, in the languages of other verifiers. `exporting.py` is the door.

A program is lowered once (`lowering/`) to statements in which every obligation of SIP is an assert of its own. A printer for each
target writes these statements. ACL2 and SMT-LIB have no loops; they get the conditions of the second verifier.
"""
