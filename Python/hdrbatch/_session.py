"""One warm process, and the functions that go through it."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import inspect
import os
import threading
import weakref
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import CancelledError, Future
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, TypeVar

from . import _comparison, _files, _pixels
from ._calls import Answer, Call, Talk
from ._records import Error
from ._server import Server

P = ParamSpec("P")
T = TypeVar("T")


def _blocking(talk: Callable[P, Talk[T]]) -> Callable[Concatenate[Session, P], T]:
    """The method that waits for a talk's result."""

    @functools.wraps(talk)
    def method(session: Session, /, *arguments: P.args, **named: P.kwargs) -> T:
        return session._wait(talk(*arguments, **named))

    return _told(method, talk)


def _awaited(talk: Callable[P, Talk[T]]) -> Callable[Concatenate[Session, P], Coroutine[Any, Any, T]]:
    """The method for asyncio. To cancel its task is to cancel the request."""

    @functools.wraps(talk)
    async def method(session: Session, /, *arguments: P.args, **named: P.kwargs) -> T:
        return await session._await(talk(*arguments, **named))

    return _told(method, talk)


M = TypeVar("M", bound=Callable[..., Any])


def _told(method: M, talk: Callable[..., Any]) -> M:
    """The method with a talk's parameters and the type of its result, for `help`."""
    own = inspect.signature(talk)
    session = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    result = str(own.return_annotation).removeprefix("Talk[").removesuffix("]")
    method.__signature__ = own.replace(  # type: ignore[attr-defined]
        parameters=[session, *own.parameters.values()], return_annotation=result
    )
    return method


class Session:
    """Keeps one process of `hdrbatch serve`, so that a picture does not wait for a program to start.

    The process starts with the first request. Threads may share a session; each method has a twin for asyncio, as
    `read_async`. If the process dies, the requests that it had raise `Error`, and the next one starts another. After a
    fork the child has a process of its own. `close`, the end of a `with` block and the end of Python end it.

    >>> with hdrbatch.Session() as session:
    ...     image = session.read("photo.heic", headroom=4)
    """

    def __init__(self, options: Sequence[str] = ()) -> None:
        """Makes a session.

        Args:
            options: of `hdrbatch serve`, as `["--jobs", "4"]`.
        """
        self._options = list(options)
        self._lock = threading.Lock()
        self._server: Server | None = None
        self._end: weakref.finalize[[], Session] | None = None
        _sessions.add(self)

    read = _blocking(_pixels.read)
    read_async = _awaited(_pixels.read)
    write = _blocking(_pixels.write)
    write_async = _awaited(_pixels.write)
    render = _blocking(_files.render)
    render_async = _awaited(_files.render)
    info = _blocking(_files.info)
    info_async = _awaited(_files.info)
    compare = _blocking(_comparison.compare)
    compare_async = _awaited(_comparison.compare)

    def close(self) -> None:
        """Cancels what is not done and ends the process. A later request starts another."""
        with self._lock:
            end, self._server, self._end = self._end, None, None
        if end:
            end()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _forked(self) -> None:
        """Leaves the process to the parent."""
        if self._server and self._end:
            self._end.detach()
            self._server.forget()
        self._lock = threading.Lock()
        self._server = self._end = None

    def _send(self, call: Call) -> Future[Answer]:
        """Sends a request to the process, which is started if there is none or it has ended."""
        with self._lock:
            future = self._server.send(call) if self._server else None
            if future is None:
                if self._end:
                    self._end.detach()
                self._server = Server(self._options)
                self._end = weakref.finalize(self, self._server.stop)
                future = self._server.send(call)
                if future is None:
                    raise self._server.lost
        return future

    def _wait(self, talk: Talk[T]) -> T:
        """The result of a talk. Ctrl-C and the end of its time cancel the request."""
        with contextlib.closing(talk):
            step: Callable[[], Call] = functools.partial(next, talk)
            while True:
                try:
                    call = step()
                except StopIteration as end:
                    result: T = end.value
                    return result
                future = self._send(call)
                try:
                    step = functools.partial(talk.send, future.result(call.timeout))
                except Error as error:
                    step = functools.partial(talk.throw, error)
                except TimeoutError:
                    raise _late(call) from None
                except CancelledError:
                    raise Error(f"the session was closed before hdrbatch {call.name} was done") from None
                finally:
                    future.cancel()

    async def _await(self, talk: Talk[T]) -> T:
        """The result of a talk, for asyncio."""
        with contextlib.closing(talk):
            step: Callable[[], Call] = functools.partial(next, talk)
            while True:
                try:
                    call = step()
                except StopIteration as end:
                    result: T = end.value
                    return result
                future = asyncio.wrap_future(self._send(call))
                try:
                    step = functools.partial(talk.send, await asyncio.wait_for(future, call.timeout))
                except Error as error:
                    step = functools.partial(talk.throw, error)
                except TimeoutError:
                    raise _late(call) from None


def _late(call: Call) -> TimeoutError:
    return TimeoutError(f"hdrbatch {call.name} was cancelled after {call.timeout:g} s")


_sessions: weakref.WeakSet[Session] = weakref.WeakSet()


def _fork() -> None:
    for session in list(_sessions):
        session._forked()


os.register_at_fork(after_in_child=_fork)


session = Session()
"""The session of the module's functions."""
