"""The coordinator as a whole: it puts store, pool, rooms and players together, starts them and ends them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Coroutine, Iterable
from typing import TYPE_CHECKING, Any, cast

from idg.coordinator.bounds.pruning import Pruned, Retention, prune
from idg.coordinator.bounds.quotas import Quotas
from idg.coordinator.bounds.rate_limits import Buckets
from idg.coordinator.bounds.totals import BYTES_A_MEGABYTE, Totals
from idg.coordinator.catalog import Catalog, CatalogEntry
from idg.coordinator.classes.school import School
from idg.coordinator.cluster.coordinators.leases import BEAT_SECONDS, Leases, SharedLimits, new_coordinator_id
from idg.coordinator.cluster.coordinators.neighbours import Neighbours
from idg.coordinator.cluster.coordinators.news import News, NoNews
from idg.coordinator.codes import new_token
from idg.coordinator.connections.places import Places
from idg.coordinator.event_loop import LoopWatch
from idg.coordinator.players.earnings import Earnings
from idg.coordinator.players.players import Players
from idg.coordinator.pool.computing import body_calls
from idg.coordinator.pool.jobs import Pool, PoolSettings
from idg.coordinator.pool.local import LocalPool
from idg.coordinator.pool.sandbox.confine import SandboxSetting
from idg.coordinator.rooms.crowd import Crowd
from idg.coordinator.rooms.judging.judging import ActingPlayer, Judging
from idg.coordinator.rooms.judging.questions import Questions
from idg.coordinator.rooms.judging.rejudging import Rejudging
from idg.coordinator.rooms.live.live_room import LiveRoom
from idg.coordinator.rooms.live.open_rooms import OpenRooms
from idg.coordinator.rooms.live.open_sockets import OpenSockets
from idg.coordinator.rooms.partners import Partners
from idg.coordinator.rooms.rooms import Rooms
from idg.coordinator.settings import SettingError, Settings
from idg.coordinator.store import Store, StoreUnavailable
from idg.coordinator.studies.studies import Studies
from idg.coordinator.studies.table_game import TableGames
from idg.coordinator.texts import Texts
from idg.engine.version import engine_version
from idg.needs import is_installed, require

if TYPE_CHECKING:
    from idg.coordinator.cluster.broker import Broker
    from idg.coordinator.lti.tool import LtiTool

WATCH_SECONDS = 0.5
"""How often open rooms are compared with the store, because another coordinator may have written events."""
WATCH_SECONDS_WITH_NEWS = 5.0
"""The same where coordinators tell each other what they write. This bounds how late lost news makes us."""
SWEEP_SECONDS = 15.0
"""How often we look for proposals without a verdict, which a coordinator leaves that ends without judging them."""
TEND_SECONDS = 1.0
"""How long after the start the tables are measured first, and how long after a measurement that failed they are measured again."""
SCORES_SHARE = 4
"""What is remembered for scores has the memory that rooms may take, divided by this."""
SCORES_SECONDS = 1.0
"""How often we look for scores that learning platforms are to be told."""
PRUNE_SECONDS = 3600.0
"""How often we look for rooms that nobody came back to."""
STORE_PAUSE_SECONDS = 1.0
"""How long we wait before we try again what the database could not do."""
SWEPT_SECONDS = 3600.0
"""How far back we look for them. Older ones are looked for when we start, and when another coordinator is found to be gone."""
LATE_DEADLINES = 3
"""A proposal that still has no verdict after this many deadlines of an analysis is taken over from whoever stored it."""
POOL_PLACES_A_PROPOSAL = 4
"""Places in the pool's queue for each proposal that may wait. One room may use half of them and agents three quarters, and other
questions than proposals wait there, too."""
TEXT_WORKERS = 1
"""How many processes read texts at the same time. The longest text takes a second, and those who ask take turns."""
HINT_DELAY_SECONDS = 1.0
"""How long after a room is opened its first hint is prepared."""
DRAIN_SECONDS = 2.0
"""How long analyses under way may go on when the coordinator ends."""
SIGNALS_A_SECOND = 8.0
"""How many signals of a player are taken in a second on average, from all their sockets; our client sends four."""
SIGNALS_BURST = 40.0
"""How many are taken at once."""
PHRASES_A_SECOND = 0.5
"""How many phrases of a player are taken in a second on average."""
PHRASES_BURST = 4.0
"""How many are taken at once."""
ADDRESS_BURST_MIN = 50
"""How many requests at once an address may make after a pause, however low the rate is set. Loading the page
alone takes several requests."""
ADMIN_TOKEN_BYTES = 24
"""How many random bytes a made-up admin token has."""

log = logging.getLogger("idg.coordinator")


class Coordinator:
    def __init__(
        self,
        settings: Settings,
        store: Store,
        pool: Pool,
        clock: Callable[[], float] = time.time,
        text_pool: Pool | None = None,
        news: News | None = None,
    ) -> None:
        """Without a pool for texts, the engine workers read them, but they check no long bodies of requests. Without news, other
        coordinators are heard of through the store only."""
        self.settings = settings
        self.store = store
        self.pool = pool
        self.text_pool = text_pool or pool
        self.texts = Texts(self.text_pool)
        self.clock = clock
        self.news = news or NoNews()
        self.limits = SharedLimits()
        self.leases = Leases(store, self.limits, self.news.coordinator or new_coordinator_id())
        self.admin_token = settings.admin_token or new_token(ADMIN_TOKEN_BYTES)
        self.totals = Totals(store, settings.data_mb)
        self.quotas = Quotas(settings, self.totals)
        self.limits.add(self.quotas.divide)
        self.catalog = Catalog(store, self.texts)
        self.questions = Questions(pool, store, settings.verdicts_mb * BYTES_A_MEGABYTE, clock)
        self.open_rooms = OpenRooms(store, self.catalog, settings.rooms_mb * BYTES_A_MEGABYTE)
        self.earnings = Earnings(store, self.open_rooms, settings.rooms_mb * BYTES_A_MEGABYTE // SCORES_SHARE)
        self.rejudging = Rejudging(self.open_rooms, store, self.questions, self.earnings, clock)
        self.open_rooms.judge_again = self.rejudging.soon
        self.open_rooms.stored = self.quotas.stored_events
        self.judging = Judging(
            self.open_rooms, store, self.questions, self.earnings, self.rejudging, settings.queue_max, clock, self.leases.id
        )
        self.limits.add(self.judging.divide)
        self.rooms = Rooms(
            self.open_rooms, store, self.questions, self.judging, self.texts, self.quotas, settings.members_max, clock
        )
        self.players = Players(store, self.quotas, clock)
        self.earnings.is_alone = self.questions.is_alone = lambda: self.limits.coordinators == 1
        self.partners = Partners(self.rooms, self.players, settings.partners_max, settings.partner_seconds)
        self.neighbours = Neighbours(self.news, self.open_rooms, self.players, self.earnings, self.partners)
        self.crowd = Crowd(store, self.questions)
        self.studies = Studies(store, self.players, clock)
        self.table_games = TableGames(store, self.catalog, self.rooms, self.questions)
        self.studies.progress_of = self.table_games.progress
        self.school = School(store, self.players, self.quotas, self.catalog, self.open_rooms, self.questions, settings, clock)
        self.lti = new_lti(self)
        """For learning platforms; None where the packages for that are not installed."""
        self.loop_watch = LoopWatch()
        self.address_rates = Buckets(settings.rate_address, time.monotonic, burst_min=ADDRESS_BURST_MIN)
        """What addresses may make the event loop do: requests, and what else takes its time."""
        self.limits.add(self.address_rates.divide)
        self.places = Places(settings, self.address_rates)
        self.signal_rates = Buckets(SIGNALS_A_SECOND, time.monotonic, SIGNALS_BURST)
        self.phrase_rates = Buckets(PHRASES_A_SECOND, time.monotonic, PHRASES_BURST)
        self.sockets = OpenSockets(settings.sockets_max, settings.sockets_player)
        self.started = clock()
        self.broker: Broker | None = None
        """The connection to NATS, for a coordinator of a cluster."""
        self._tasks: list[asyncio.Task[None]] = []
        self._background: set[asyncio.Task[None]] = set()

    @classmethod
    async def open(cls, settings: Settings, clock: Callable[[], float] = time.time) -> Coordinator:
        """Start everything. Proposals that an earlier run left without a verdict are judged in the background."""
        if not settings.database:
            try:
                settings.folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise SettingError(f"the data folder {settings.folder} cannot be made: {error.strerror}") from None
        if settings.nats and not settings.database.startswith("postgresql"):
            raise SettingError(
                "the coordinators of a cluster share a PostgreSQL database: say --database postgresql://… with --nats"
            )
        broker = await new_broker(settings)
        id = new_coordinator_id()
        store, pool, text_pool = None, new_pool(settings, broker, id), new_text_pool(settings)
        try:
            store = await Store.open(settings.database_url)
            await asyncio.gather(pool.start(), text_pool.start())
            coordinator = cls(settings, store, pool, clock, text_pool, await new_news(broker, id))
            coordinator.broker = broker
            await coordinator.catalog.start(clock())
            await store.forget_verdicts(engine_version())
            await coordinator.leases.beat()
        except BaseException:
            await pool.close()
            await text_pool.close()
            if broker is not None:
                await broker.close()
            if store is not None:
                await store.close()
            raise
        watch_seconds = WATCH_SECONDS_WITH_NEWS if coordinator.news.is_shared else WATCH_SECONDS
        coordinator._tasks = [
            asyncio.create_task(coordinator._every(TEND_SECONDS, coordinator.totals.tend)),
            asyncio.create_task(coordinator._every(PRUNE_SECONDS, coordinator._prune)),
            asyncio.create_task(coordinator._resume()),
            asyncio.create_task(coordinator._know_stored_answers()),
            asyncio.create_task(coordinator._every(watch_seconds, coordinator.open_rooms.watch)),
            asyncio.create_task(coordinator._every(0, coordinator._sweep)),
            asyncio.create_task(coordinator._every(BEAT_SECONDS, coordinator.leases.beat)),
            asyncio.create_task(coordinator.neighbours.run()),
        ]
        if coordinator.lti is not None:
            coordinator._tasks.append(asyncio.create_task(coordinator._every(SCORES_SECONDS, coordinator.lti.grades.send)))
        return coordinator

    async def _resume(self) -> None:
        """Judge what an earlier run has left without a verdict."""
        while True:
            try:
                count = await self.judging.resume(self.started, living=self.leases.living, late=self._late)
            except StoreUnavailable:
                await asyncio.sleep(SWEEP_SECONDS)
                continue
            except Exception:
                log.exception("what an earlier run has left without a verdict could not be judged")
                return
            if count:
                log.info("judged what an earlier run had left", extra={"proposals": count})
            return

    async def _know_stored_answers(self) -> None:
        """Until it has succeeded, the store is asked for each answer."""
        with contextlib.suppress(StoreUnavailable):
            await self.questions.stored_keys.load(self.store)

    async def _sweep(self) -> None:
        """Judge proposals of other coordinators that were left without a verdict for too long, or that have gone."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SWEEP_SECONDS):
                await self.leases.inherited.wait()
        # One that is gone may have had a wrong clock, so the times of its proposals say nothing.
        since = 0.0 if self.leases.inherited.is_set() else self.clock() - SWEPT_SECONDS
        self.leases.inherited.clear()
        try:
            await self.judging.resume(self._late, since, self.leases.living)
        except StoreUnavailable:
            if not since:
                self.leases.inherited.set()
            await asyncio.sleep(STORE_PAUSE_SECONDS)
            raise

    @property
    def _late(self) -> float:
        """Proposals from before this time are judged by whoever finds them without a verdict."""
        return self.clock() - LATE_DEADLINES * self.settings.deadline_seconds - SWEEP_SECONDS

    async def _prune(self) -> None:
        """Delete what nobody came back to, where the settings ask for it, and what studies keep no longer."""
        expired = await self.studies.expire()
        if expired:
            self.neighbours.deleted(expired, with_players=True)
        retention = Retention(self.settings.keep_days, self.settings.keep_solved_days)
        if retention.days or retention.solved_days:
            deleted: list[str] = []
            pruned = await prune(
                self.store,
                self.totals,
                retention,
                self.clock(),
                is_open=self.open_rooms.is_used,
                tell=lambda room: deleted.append(room.id),
            )
            if pruned.players:
                self.players.forget_all()
            self.neighbours.deleted(deleted, with_players=pruned.players > 0)
            if pruned != Pruned():
                log.info("deleted what nobody came back to", extra={name: getattr(pruned, name) for name in pruned.__match_args__})

    async def _every(self, seconds: float, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        while True:
            await asyncio.sleep(seconds)
            try:
                await work()
            except StoreUnavailable:
                continue  # The store has logged it.
            except Exception:
                log.exception("a regular task failed; it is tried again")

    async def put_program(self, entry: CatalogEntry, actor: ActingPlayer) -> None:
        """Store a program that a player has submitted, unless it is stored already; ApiError where they made too many."""
        if not self.catalog.is_stored(entry):
            self.quotas.new_program(actor.address, actor.player)
            await self.catalog.put(entry, actor.player, self.clock())
            self.quotas.stored("programs", actor.player, 1, len(entry.source))

    def prepare_hint(self, live: LiveRoom) -> None:
        """Find the room's next hint in the background, if a worker stays free for proposals meanwhile."""
        task = asyncio.create_task(self._prepare_hint(live))
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def _prepare_hint(self, live: LiveRoom) -> None:
        # A player who proposes at once needs the workers more than a hint does, and most people read first.
        await asyncio.sleep(HINT_DELAY_SECONDS)
        pool = self.pool.stats()
        if pool.busy + pool.queued + 1 < pool.workers and not live.state.solved and not live.is_judged_by_another:
            await self.rooms.prepare_hint(live)

    async def refused(self) -> str:
        """Returns when NATS lets us in no more, and says why. Without NATS, it never returns."""
        if self.broker is None:
            await asyncio.Event().wait()
        assert self.broker is not None
        await self.broker.refused.wait()
        return self.broker.refusal

    async def drain(self) -> None:
        """Begin no more analyses and end those under way soon. Callers who wait for one are told to try again."""
        await self.pool.close(DRAIN_SECONDS)
        await self.text_pool.close()

    async def close(self) -> None:
        """End everything. Proposals that are not judged yet stay in the store, and are judged after the next start."""
        self.loop_watch.stop()
        for task in (*self._tasks, *self._background):
            task.cancel()
        await asyncio.gather(*self._tasks, *self._background, return_exceptions=True)
        if self.lti is not None:
            await self.lti.close()
        await self.partners.close()
        await self.drain()
        await self.rejudging.close()
        await self.judging.close()
        await self.neighbours.close()
        await self.open_rooms.close()
        with contextlib.suppress(Exception):
            await self.questions.settled()
        await self.leases.end()
        if self.broker is not None:
            await self.broker.close()
        await self.store.close()

    def readings(self) -> Iterable[tuple[str, str, dict[str, float]]]:
        """Names, explanations and values for the metrics."""
        pool, questions = self.pool.stats(), self.questions
        yield (
            "idg_pool",
            "Engine workers and what waits for them",
            {"workers": pool.workers, "busy": pool.busy, "idle": pool.idle, "starting": pool.starting, "queued": pool.queued},
        )
        texts = self.text_pool.stats()
        yield (
            "idg_text_pool",
            "Text workers and what waits for them",
            {"workers": texts.workers, "busy": texts.busy, "idle": texts.idle, "queued": texts.queued},
        )
        yield (
            "idg_pool_events_total",
            "What happened in the pool",
            {
                "done": pool.done,
                "errors": pool.errors,
                "killed": pool.killed,
                "died": pool.died,
                "recycled": pool.recycled,
                "spawned": pool.spawned,
                "repeated": pool.repeated,
                "cancelled": pool.cancelled,
                "refused": pool.busy_rejections,
            },
        )
        yield "idg_pool_failed_total", "Analyses given up, by reason", dict(pool.failed)
        yield (
            "idg_questions_total",
            "Where answers came from",
            {"memory": questions.hits, "store": questions.stored_hits, "shared": questions.shared, "worker": questions.misses},
        )
        yield "idg_quota_refusals_total", "What was refused because of a quota a day", dict(self.quotas.refused)
        yield "idg_storage_refusals_total", "What was refused because a table is full", {"full": self.totals.refused}
        sizes = self.totals.sizes
        yield "idg_stored_rows", "Rows of each table", {table: size.rows for table, size in sizes.items()}
        yield "idg_stored_bytes", "Bytes that each table counts", {table: self.totals.bytes(table) for table in sizes}
        yield "idg_proposals_total", "Proposals judged, by kind", dict(self.judging.kinds)
        yield "idg_connections_refused_total", "Connections refused or closed, by reason", dict(self.places.refused)
        yield "idg_connections_not_read_total", "Connections not read for a while", {"address": self.places.not_read}
        yield (
            "idg_now",
            "What there is now",
            {
                "connections": len(self.places),
                "waiting_bytes": self.places.waiting,
                "sockets": self.sockets.total,
                "rooms": len(self.open_rooms),
                "partners": len(self.partners),
                "tasks": len(asyncio.all_tasks()),
                "proposals_waiting": self.judging.admitted.held,
            },
        )
        yield from self.pool.readings()
        yield "idg_coordinators", "Coordinators that use the database", {"living": self.limits.coordinators}
        yield "idg_news_total", "News between coordinators", self.news.counts()
        yield from self.loop_watch.readings()


def new_lti(coordinator: Coordinator) -> LtiTool | None:
    if not is_installed("lti"):
        return None
    # Imported here, because the packages are needed for learning platforms only.
    from idg.coordinator.lti.tool import LtiTool

    return LtiTool(coordinator.store, coordinator.players, coordinator.school, coordinator.clock)


async def new_broker(settings: Settings) -> Broker | None:
    """The connection to NATS, for a coordinator of a cluster."""
    if not settings.nats:
        return None
    require("cluster", "a coordinator of a cluster")
    # Imported here, because the packages are needed for clusters only.
    from idg.coordinator.cluster.broker import Broker, BrokerUnreachable, broker_settings

    try:
        return await Broker.open(broker_settings(settings), "idg coordinator")
    except BrokerUnreachable as error:
        raise SettingError(str(error)) from None


async def new_news(broker: Broker | None, id: str) -> News:
    if broker is None:
        return NoNews()
    from idg.coordinator.cluster.coordinators.nats_news import NatsNews

    return await NatsNews.open(broker, id)


def new_pool(settings: Settings, broker: Broker | None, id: str) -> Pool:
    """The pool that the settings ask for. This is the only place that knows which implementation it is."""
    pool_settings = PoolSettings(
        workers=settings.workers,
        spares=settings.spares,
        # The pool's queue is longer than what is admitted, because a proposal that was stored must find a place in it.
        queue_max=settings.queue_max * POOL_PLACES_A_PROPOSAL,
        deadline_seconds=settings.deadline_seconds,
        memory_mb=settings.memory_mb,
        recycle_after=settings.recycle_after,
        sandbox=cast(SandboxSetting, settings.sandbox),
        provers=settings.provers,
    )
    if broker is None:
        return LocalPool(pool_settings)
    from idg.coordinator.cluster.requests.nats_pool import NatsPool

    return NatsPool(broker, pool_settings, id)


def new_text_pool(settings: Settings) -> Pool:
    """The pool of the workers that read what players write. It is apart from the engine's, where a job may take seconds."""
    return LocalPool(
        PoolSettings(
            workers=TEXT_WORKERS,
            spares=settings.spares,
            queue_max=settings.queue_max * POOL_PLACES_A_PROPOSAL,
            deadline_seconds=settings.deadline_seconds,
            memory_mb=settings.memory_mb,
            recycle_after=settings.recycle_after,
            calls_module=body_calls.__name__,
            sandbox=cast(SandboxSetting, settings.sandbox),
            provers=settings.provers,
        )
    )
