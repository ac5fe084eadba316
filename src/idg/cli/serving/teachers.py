"""`idg teachers`: the people who may make classes where the setting `classes` is `teachers`."""

from __future__ import annotations

import argparse
import asyncio
import time

from pydantic import ValidationError

from idg.cli.errors import SUCCESS, UsageError
from idg.cli.results import tell
from idg.cli.serving.server import settings_of
from idg.coordinator.codes import new_code, new_token
from idg.coordinator.players.players import PLAYER_ID_BYTES, TOKEN_BYTES, hashed
from idg.coordinator.store import PlayerRow, Store, StoreError
from idg.coordinator.web.models import Rename


def run(options: argparse.Namespace) -> int:
    try:
        return asyncio.run(_run(options))
    except StoreError as error:
        raise UsageError(str(error)) from None


async def _run(options: argparse.Namespace) -> int:
    store = await Store.open(settings_of(options).database_url)
    try:
        match options.action:
            case "add":
                await _add(store, options)
            case "list":
                await _list(store, options)
            case "code":
                code = new_code()
                if not await store.change_teacher_code(options.who, hashed(code)):
                    raise _nobody(options.who)
                tell(options, _told(code), player=options.who, code=code)
            case _:
                if not await store.remove_teacher(options.who):
                    raise _nobody(options.who)
                tell(options, f"{options.who} may make no more classes; the classes that are there stay", player=options.who)
    finally:
        await store.close()
    return SUCCESS


async def _add(store: Store, options: argparse.Namespace) -> None:
    try:
        name = Rename(name=options.who).name
    except ValidationError as error:
        raise UsageError(f"this cannot be a name: {error.errors()[0]['msg']}") from None
    code = new_code()
    player = PlayerRow(new_token(PLAYER_ID_BYTES), name, False, time.time())
    # Nobody knows this token: a teacher comes with the code.
    await store.new_player(player, hashed(new_token(TOKEN_BYTES)), player.time)
    await store.put_teacher(player.id, hashed(code), player.time)
    tell(options, f"{name} is a teacher now (player {player.id}). {_told(code)}", player=player.id, name=name, code=code)


async def _list(store: Store, options: argparse.Namespace) -> None:
    rows = await store.all_teachers()
    listed = [f"{player.id}  {player.name}  ({classes} {'class' if classes == 1 else 'classes'})" for player, classes in rows]
    told = [{"player": player.id, "name": player.name, "classes": classes} for player, classes in rows]
    tell(options, "\n".join(listed) or "nobody was made a teacher", teachers=told)


def _told(code: str) -> str:
    return f"The code is {code}: it is told once, and opens /class/{code} on any device."


def _nobody(player: str) -> UsageError:
    return UsageError(f"there is no teacher {player} here; 'idg teachers list' names them")
