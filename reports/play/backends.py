"""Where a study is played: on threads of this process, in processes of this machine, or by the workers of a Dask
cluster.

All three go through joblib, and none changes a result: what a chunk holds follows from its number alone.
"""

from __future__ import annotations

import logging
import re
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Future, InvalidStateError
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any

import joblib

from reports.play.worker import Plain, chunk_of, play_part, refusal, task_of
from reports.studies.study import Study
from sim.files.errors import InputError, unknown
from sim.files.wording import listed
from sim.kernels.cache import say_nothing
from sim.run import Block, Chunk, Runner, in_parallel

THREADS, PROCESSES, DASK = BACKENDS = ("threads", "processes", "dask")

PROCESS_CHUNK_SECONDS = 0.3  # a task costs more than on threads, a cluster's most
DASK_CHUNK_SECONDS = 1.0
CONNECT_SECONDS = 3.0
WORKERS_SECONDS = 10.0  # to wait for the first worker
SILENT_SECONDS = 6.5  # after which a worker, or the scheduler, that does not answer is given up
WATCH_SECONDS = 1.0  # between looks at them
IDLE_SECONDS = 30  # after which a process ends, if nobody wants it any more
MOST_DEATHS = 3  # of processes, one after another, with nothing played between

SAME = "komi must be the same on all machines, the scheduler's included"

Play = Callable[[Sequence[Block]], Iterator[Chunk]]


def check_backend(backend: str, scheduler: str | None, jobs: int = -1) -> None:
    """Refuse a backend that cannot be used, before anything is played or written.

    Parameters
    ----------
    backend : str
        One of `BACKENDS`.
    scheduler : str or None
        The address of Dask's scheduler, ``tcp://HOST:PORT``; goes with ``dask``.
    jobs : int
        How many threads or processes; Dask's workers say it themselves.

    Raises
    ------
    InputError
        If there is no such backend, the options do not go together, Dask is not installed or nothing answers at the
        address.
    """
    if backend not in BACKENDS:
        raise InputError(f"--backend: {unknown('backend', backend, BACKENDS)}")
    if backend != DASK:
        if scheduler is not None:
            raise InputError(f"--scheduler: found it with --backend {backend}, expected --backend dask")
        return
    if scheduler is None:
        raise InputError(
            "--backend: found dask without --scheduler, expected the address of one, as --scheduler tcp://10.0.0.1:8786"
        )
    if jobs != -1:
        raise InputError(
            f"--jobs: found {jobs} with --backend dask, whose workers say themselves how many chunks they play at once"
        )
    host, port = _host_and_port(scheduler)
    try:
        import distributed  # noqa: F401
    except ModuleNotFoundError:
        raise InputError("--backend dask needs Dask: pip install 'komi[cluster]'") from None
    try:
        socket.create_connection((host, port), CONNECT_SECONDS).close()
    except OSError as error:
        raise InputError(
            f"--scheduler: nothing answers at {scheduler} ({error.strerror or error}); is dask scheduler running?"
        ) from None


def _host_and_port(scheduler: str) -> tuple[str, int]:
    parts = re.fullmatch(r"(?:(?:tcp|tls)://)?(\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):(\d{1,5})", scheduler)
    if parts is None or not 0 < int(parts[2]) < 2**16:
        raise InputError(f"--scheduler: found {scheduler!r}, expected tcp://HOST:PORT, as tcp://10.0.0.1:8786")
    return parts[1].strip("[]"), int(parts[2])


@contextmanager
def playing(
    study: Study, runner: Runner, *, jobs: int = -1, backend: str = THREADS, scheduler: str | None = None
) -> Iterator[Play]:
    """Give what plays blocks of a study.

    Parameters
    ----------
    study : Study
        The study.
    runner : Runner
        What plays it.
    jobs : int
        Threads or processes; -1 for one a core.
    backend, scheduler
        See `check_backend`.

    Yields
    ------
    function
        Of blocks; as `Runner.play`.

    Raises
    ------
    InputError
        As `check_backend`; or if there are no workers, one has other code, or too many of them die.
    """
    check_backend(backend, scheduler, jobs)
    if backend == THREADS:
        yield partial(runner.play, jobs)
        return
    task = task_of(study, rows=runner.keep_rows)
    if backend == PROCESSES:
        yield _Elsewhere(
            runner,
            task,
            PROCESS_CHUNK_SECONDS,
            {"backend": "loky", "n_jobs": jobs, "initializer": _become_quiet, "idle_worker_timeout": IDLE_SECONDS},
        ).play
        return
    assert scheduler is not None
    with _connected(scheduler, task) as client:
        dask = _dask_backend(client)
        options = {"backend": dask, "n_jobs": -1, "pre_dispatch": "4*n_jobs"}
        with _watching(client, scheduler, dask.fail):
            yield partial(_told, scheduler, _Elsewhere(runner, task, DASK_CHUNK_SECONDS, options).play)


def _become_quiet() -> None:
    """Leave Ctrl-C, and what there is to say, to the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    say_nothing()


@dataclass(eq=False)
class _Elsewhere:
    """Plays blocks by tasks for other processes; one that dies is replaced, and what it was at is played again.

    Attributes
    ----------
    runner : Runner
        Cuts blocks into chunks.
    task : dict
        The study for workers.
    seconds : float
        That a chunk is to take.
    options : dict
        For `joblib.Parallel`.
    """

    runner: Runner
    task: Plain
    seconds: float
    options: dict[str, Any]
    _out: dict[Block, None] = field(default_factory=dict)  # chunks without an answer, in order

    def play(self, blocks: Iterable[Block]) -> Iterator[Chunk]:
        fresh = self.runner.chunks(blocks, self.seconds)
        self._out, deaths = {}, 0
        while True:
            tasks = self._tasks(chain(list(self._out), fresh))
            try:
                for answer in in_parallel(tasks, lambda: None, ordered=self.runner.keep_rows, **self.options):
                    chunk = chunk_of(self.runner, answer)
                    deaths = 0
                    del self._out[Block(chunk.matchup, chunk.first_pair, chunk.pairs)]
                    self.runner.learn_speed(self.runner.matchups[chunk.matchup], chunk.pairs, chunk.seconds)
                    yield chunk
                return
            except BrokenExecutor as error:
                deaths += 1
                if deaths == MOST_DEATHS:
                    raise InputError(
                        f"--backend processes: processes died {deaths} times, one after another: {_first_line(error)}"
                    ) from None

    def _tasks(self, chunks: Iterable[Block]) -> Iterator[Any]:
        for chunk in chunks:
            self._out[chunk] = None
            yield joblib.delayed(play_part)({**self.task, **chunk._asdict()})


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


@contextmanager
def _connected(scheduler: str, task: Plain) -> Iterator[Any]:
    """Connect to a scheduler whose workers can play the task; what Dask would log of a lost connection komi says
    itself.
    """
    from distributed import Client

    handlers = logging.getLogger("distributed").handlers
    levels = [handler.level for handler in handlers]
    for handler in handlers:
        handler.setLevel(logging.CRITICAL + 1)
    try:
        try:
            client = _within(
                2 * CONNECT_SECONDS,
                partial(Client, scheduler, timeout=CONNECT_SECONDS, set_as_default=False, name="komi"),
            )
        except (OSError, ValueError, RuntimeError) as error:
            raise InputError(
                f"--scheduler: what answers at {scheduler} is no scheduler of Dask's ({_first_line(error)})"
            ) from None
        try:
            _check_workers(client, scheduler, task)
            yield client
        finally:
            client.close(timeout=1)
    finally:
        for handler, level in zip(handlers, levels, strict=True):
            handler.setLevel(level)


def _within(seconds: float, make: Callable[[], Any]) -> Any:
    """Make something in a thread that is left behind if it takes too long: Dask waits for ever for the greeting of what
    is not Dask.
    """
    made: Future[Any] = Future()

    def work() -> None:
        try:
            made.set_result(make())
        except Exception as error:
            made.set_exception(error)

    threading.Thread(target=work, daemon=True).start()
    return made.result(seconds)


def _check_workers(client: Any, scheduler: str, task: Plain) -> None:
    try:
        client.wait_for_workers(1, timeout=WORKERS_SECONDS)
    except TimeoutError:
        raise InputError(f"--scheduler: {scheduler} has no workers; start some: dask worker {scheduler}") from None
    answers = client.run(refusal, task["code"], task["versions"], on_error="return")
    problems = [
        f"{worker}: {f'{told}; {SAME}' if isinstance(told, Exception) else told}"
        for worker, told in answers.items()
        if told
    ]
    if problems:
        raise InputError(problems)


def _told(scheduler: str, play: Play, blocks: Sequence[Block]) -> Iterator[Chunk]:
    """Play, and say in the user's terms what Dask raises."""
    from distributed import KilledWorker

    try:
        yield from play(blocks)
    except KilledWorker as error:
        raise InputError(
            f"{scheduler}: workers died, one after another, while playing the same chunk ({_first_line(error)})"
        ) from None
    except CancelledError:
        raise InputError(f"{scheduler}: the connection to the scheduler was lost") from None
    except RuntimeError as error:
        if "deserialization" not in str(error):
            raise
        raise InputError(f"{scheduler}: the scheduler or a worker does not know what to play; {SAME}") from None


@contextmanager
def _watching(client: Any, scheduler: str, fail: Callable[[InputError], None]) -> Iterator[None]:
    """Have workers that do not answer replaced by others as long as this lasts, and fail if none is left.

    Dask itself gives such a worker five minutes, and waits for ever for the next one if the last is gone.
    """
    ended = threading.Event()

    def watch() -> None:
        heard = time.monotonic()
        suspects: list[str] = []
        gone: list[str] = []
        while not ended.wait(WATCH_SECONDS):
            try:
                dropped, suspects, ages = client.run_on_scheduler(
                    _drop_silent, SILENT_SECONDS, suspects, callback_timeout=SILENT_SECONDS
                )
            except TimeoutError:
                fail(InputError(f"{scheduler}: the scheduler does not answer"))
                return
            except Exception:  # the connection is lost, which Dask tells
                return
            heard = max([heard, *(time.monotonic() - age for age in ages)])
            gone += dropped
            if dropped and ages:
                print(
                    f"komi: {listed(dropped)} {'does' if len(dropped) == 1 else 'do'} not answer; what was played "
                    "there is played by other workers",
                    file=sys.stderr,
                )
            if not ages and (dropped or time.monotonic() - heard > SILENT_SECONDS):
                silent = f" ({listed(gone)} did not answer)" if gone else ""
                fail(InputError(f"{scheduler}: no worker is left{silent}; start some: dask worker {scheduler}"))
                return

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        ended.set()


async def _drop_silent(
    seconds: float, suspects: Sequence[str], dask_scheduler: Any = None
) -> tuple[list[str], list[str], list[float]]:
    """Give up workers that have not been heard of for so long, so that the scheduler, which runs this, replaces them.

    Parameters
    ----------
    seconds : float
        How long; longer in a cluster so large that they report more seldom.
    suspects : sequence of str
        Those that were silent at the last look, too: the scheduler itself may have been held up.

    Returns
    -------
    dropped, suspects : lists of str
        The addresses of those given up, and of those that will be if they stay silent.
    ages : list of float
        How many seconds ago each of the others was heard of.
    """
    from distributed.metrics import time
    from distributed.scheduler import heartbeat_interval

    now = time()
    ages = {address: now - worker.last_seen for address, worker in dask_scheduler.workers.items()}
    most = max(seconds, 3 * heartbeat_interval(len(ages)))
    silent = [address for address, age in ages.items() if age > most]
    dropped = [address for address in silent if address in suspects]
    for address in dropped:
        await dask_scheduler.remove_worker(address, stimulus_id="komi-silent")
    left = [age for address, age in ages.items() if address not in dropped]
    return dropped, [address for address in silent if address not in dropped], left


def _dask_backend(client: Any) -> Any:
    """Make joblib's backend for Dask, but for two things.

    It is never told when Dask gives a task up (no worker that can play it is left) and would wait for ever, and with
    one thread on one worker it plays in this process. And it can be told to fail.
    """
    from joblib._dask import DaskDistributedBackend

    class Backend(DaskDistributedBackend):  # type: ignore[misc]
        failed: InputError | None = None

        def __init__(self, client: Any) -> None:
            super().__init__(client=client)
            self.waiting: set[Any] = set()

        def submit(self, func: Any, callback: Callable[[Any], object]) -> Any:
            def tell(done: Any) -> None:
                self.waiting.discard(done)
                if done.exception() is not None:
                    callback(done.exception())

            future = super().submit(func, callback)
            self.waiting.add(future)
            future.add_done_callback(tell)
            if self.failed is not None:
                self.fail(self.failed)
            return future

        def fail(self, error: InputError) -> None:
            """End what is under way with an error."""
            self.failed = error
            self.abort_everything()
            for future in list(self.waiting):
                with suppress(InvalidStateError):  # it is done by now
                    future.set_exception(error)

        def effective_n_jobs(self, n_jobs: int) -> int:
            return max(int(super().effective_n_jobs(n_jobs)), 2)

    return Backend(client)
