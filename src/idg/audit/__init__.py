"""The second verifier. It is asked about a program and the invariants of its loops, and imports nothing of the first one."""

from idg.audit.ends.measures import audit_measures
from idg.audit.ends.recursion import audit_recursion
from idg.audit.ends.staying import audit_staying
from idg.audit.verifier import CONFIRMED, CONTRADICTED, NOT_DECIDED, Audit, AuditedCondition, audit, condition_script

__all__ = [
    "CONFIRMED",
    "CONTRADICTED",
    "NOT_DECIDED",
    "Audit",
    "AuditedCondition",
    "audit",
    "audit_measures",
    "audit_recursion",
    "audit_staying",
    "condition_script",
]
