"""Checking a certificate: the log of its room is read and judged again, and everything that the certificate says is compared."""

from __future__ import annotations

import json
from collections.abc import Callable

from idg.coordinator.classes.handing_in import certified_ending, certified_proof, room_log
from idg.coordinator.classes.told import CERTIFICATE_FORMAT, CERTIFICATE_VERSION, Certificate
from idg.coordinator.pool.jobs import Pool
from idg.coordinator.pool.json_text import record_text
from idg.coordinator.rooms.judging.replay import Replayed, engine_note, replay
from idg.coordinator.store import Store
from idg.engine.wire.codec import WireError, decode
from idg.sip.record import Record, replace


class Finding(Record):
    """One thing that a certificate says, and whether it is so."""

    holds: bool
    text: str


class CheckedCertificate(Record):
    certificate: Certificate
    findings: tuple[Finding, ...]

    @property
    def holds(self) -> bool:
        return all(finding.holds for finding in self.findings)


def read_certificate(text: str) -> Certificate:
    """ValueError says why the text is no certificate."""
    try:
        certificate = decode(Certificate, json.loads(text))
    except (json.JSONDecodeError, WireError) as error:
        raise ValueError(f"this is no certificate: {error}") from None
    if (certificate.format, certificate.version) != (CERTIFICATE_FORMAT, CERTIFICATE_VERSION):
        raise ValueError(f"this is no certificate of the form {CERTIFICATE_FORMAT} {CERTIFICATE_VERSION}")
    return certificate


async def check_certificate(
    store: Store, pool: Pool, certificate: Certificate, progress: Callable[[int, int], None] = lambda number, last: None
) -> CheckedCertificate:
    findings: list[Finding] = []
    row = await store.room(certificate.room)
    if row is None:
        return CheckedCertificate(certificate, (Finding(False, f"there is no room {certificate.room} in this database"),))
    log = await room_log(store, certificate.room, certificate.events)
    same = (log.events, log.sha256) == (certificate.events, certificate.log_sha256)
    findings.append(Finding(same, f"the first {certificate.events} events of the room have the hash of the certificate"))
    right_program = row.program == certificate.program and row.level == certificate.level
    findings.append(Finding(right_program, "the room plays the program of the certificate"))
    replayed = await replay(store, pool, certificate.room, progress)
    findings.append(_judged_again(replayed))
    findings.append(await _proof(store, certificate))
    findings.append(await _ending(store, certificate))
    findings.append(Finding(log.hints == certificate.hints, f"{certificate.hints} hints were given in the room"))
    findings.append(await _stored(store, certificate))
    return CheckedCertificate(certificate, tuple(findings))


def _judged_again(replayed: Replayed) -> Finding:
    note = engine_note(replayed)
    text = f"all {replayed.judged} verdicts of the log come out the same when they are judged again"
    return Finding(replayed.same, f"{text} ({note})" if note else text)


async def _proof(store: Store, certificate: Certificate) -> Finding:
    proof = certificate.proof
    if proof is None:
        log = await room_log(store, certificate.room, certificate.events)
        return Finding(log.solved_at is None, "nothing was proved")
    facts = ", ".join(fact.text for fact in proof.facts)
    event = await store.event(certificate.room, proof.event)
    text = f"event {proof.event} of the log is the proof of the guarantee, from: {facts}"
    if event is None or event.kind not in ("solved", "rejudged") or proof.event > certificate.events:
        return Finding(False, text)
    student = await store.student(certificate.class_id, certificate.student)
    told = certified_proof(event, "" if student is None else student.player or "")
    # Who the student is, is asked for by `_stored`; whether they are credited is known only where the class still exists.
    known = told if student is not None else replace(told, credited=proof.credited)
    log = await room_log(store, certificate.room, certificate.events)
    is_last = log.solved_at is not None and log.solved_at.number == proof.event
    return Finding(known == proof and is_last, text)


async def _ending(store: Store, certificate: Certificate) -> Finding:
    ending = certificate.ending
    log = await room_log(store, certificate.room, certificate.events)
    if ending is None:
        return Finding(log.ended_at is None, "it was not shown how the runs end")
    shown = "every run ends" if ending.ends == "ends" else "a run never ends"
    text = f"event {ending.event} of the log shows that {shown}"
    if log.ended_at is None or log.ended_at.number != ending.event:
        return Finding(False, text)
    student = await store.student(certificate.class_id, certificate.student)
    told = certified_ending(log.ended_at, "" if student is None else student.player or "")
    return Finding((told if student is not None else replace(told, credited=ending.credited)) == ending, text)


async def _stored(store: Store, certificate: Certificate) -> Finding:
    """The certificate with what only the server knows, by whom and when it was handed in: that is what was stored then."""
    text = record_text(certificate)
    rows = await store.hand_ins_of(certificate.class_id, certificate.student)
    when_and_who = f"it was handed in by {certificate.name} (student {certificate.student} of '{certificate.class_title}')"
    return Finding(any(row.certificate == text for row in rows), f"{when_and_who}, as stored here; no later hand-in replaced it")
