"""`idg lti`: which learning platforms may send people here, and our keys."""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from urllib.parse import urlsplit

from idg.cli.errors import SUCCESS, UsageError
from idg.cli.results import tell
from idg.cli.serving.server import settings_of
from idg.coordinator.lti.platforms import problem_of
from idg.coordinator.lti.signing import OurKeys
from idg.coordinator.store import Store, StoreError
from idg.coordinator.store.lti_records import PlatformRow

CANVAS_ISSUER = "https://canvas.instructure.com"
"""How every Canvas that Instructure runs calls itself."""
CANVAS_SIGN_ON = "https://sso.canvaslms.com"
"""Where every Canvas that Instructure runs has its addresses for launches."""


def run(options: argparse.Namespace) -> int:
    try:
        return asyncio.run(_run(options))
    except StoreError as error:
        raise UsageError(str(error)) from None


async def _run(options: argparse.Namespace) -> int:
    wanted = platform_of(options) if options.action == "add" else None
    store = await Store.open(settings_of(options).database_url)
    try:
        if wanted is not None:
            await store.put_platform(wanted)
            told = f"launches of {wanted.name} ({wanted.issuer}, client {wanted.client}) are accepted from now on"
            tell(options, told, platform=_fields(wanted))
        elif options.action == "list":
            rows = await store.platforms()
            tell(options, "\n".join(map(_shown, rows)) or "no platform is registered", platforms=list(map(_fields, rows)))
        elif options.action == "remove":
            if not await store.delete_platform(options.name):
                raise UsageError(f"there is no platform {options.name}; 'idg lti list' names them")
            tell(options, f"launches of {options.name} are not accepted any more", name=options.name)
        elif options.action == "keys":
            keys = OurKeys(store)
            if options.new:
                await keys.renew()
            published = await keys.published()
            tell(options, json.dumps(published, indent=2), **published)
        else:
            await _scores(store, options)
    finally:
        await store.close()
    return SUCCESS


def platform_of(options: argparse.Namespace) -> PlatformRow:
    """UsageError says what is missing or wrong."""
    known: dict[str, str] = {}
    hosts = list(options.service_host)
    if options.moodle:
        base = options.moodle.rstrip("/")
        addresses = {"login": "auth", "token": "token", "keys": "certs"}
        known = {"issuer": base, **{name: f"{base}/mod/lti/{script}.php" for name, script in addresses.items()}}
    elif options.canvas:
        known = {
            "issuer": CANVAS_ISSUER,
            "login": f"{CANVAS_SIGN_ON}/api/lti/authorize_redirect",
            "token": f"{CANVAS_SIGN_ON}/login/oauth2/token",
            "keys": f"{CANVAS_SIGN_ON}/api/lti/security/jwks",
        }
        hosts.append(urlsplit(options.canvas).netloc or options.canvas)
    known |= {name: getattr(options, name) for name in ("issuer", "login", "token", "keys") if getattr(options, name)}
    missing = [f"--{name}" for name in ("issuer", "login", "token", "keys") if name not in known]
    if missing:
        raise UsageError(f"{', '.join(missing)} must be given, or --moodle or --canvas")
    row = PlatformRow(
        *(options.name, known["issuer"], options.client, known["login"], known["token"], known["keys"], options.audience),
        *(" ".join(options.deployment), " ".join(hosts), time.time()),
    )
    problem = problem_of(row)
    if problem:
        raise UsageError(problem)
    return row


def _shown(row: PlatformRow) -> str:
    lines = [f"{row.name}: issuer {row.issuer}, client {row.client}, deployments {row.deployments or 'all'}"]
    lines += [f"    {name} {url}" for name, url in (("login", row.login_url), ("token", row.token_url), ("keys", row.keys_url))]
    if row.hosts:
        lines.append(f"    further hosts: {row.hosts}")
    return "\n".join(lines)


def _fields(row: PlatformRow) -> dict[str, object]:
    """The platform as JSON: nothing of it is secret, because platforms sign with keys of their own."""
    return {name: getattr(row, name) for name in row.__match_args__}


async def _scores(store: Store, options: argparse.Namespace) -> None:
    lines, told = [], []
    for row in await store.scores_waiting():
        when = "refused; the teacher can send it again" if row.due is None else f"tried {row.tries} times"
        lines.append(f"class {row.class_id}, assignment {row.assignment}, student {row.student}: {when}. {row.problem}".rstrip())
        place = {"class_id": row.class_id, "assignment": row.assignment, "student": row.student}
        told.append({**place, "refused": row.due is None, "tries": row.tries, "problem": row.problem})
    tell(options, "\n".join(lines) or "every score was sent", scores=told)
