"""Serves the pictures of a folder by HTTP, in the size and the format that each browser takes. README.md says how.

export HDRBATCH_SERVER_KEY=…
python server.py /srv/photos --port 8000
python server.py --sign '/holiday/beach.heic?w=800' --hold 86400
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import hmac
import os
import sys
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlencode

import hdrbatch
import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route


class Kind(NamedTuple):
    """What `to` may be: an output of hdrbatch, what it is of pictures without HDR, and the media type of both."""

    output: str
    of_sdr: str
    media: str


KINDS = {
    "avif": Kind("adaptive-avif", "sdr-avif", "image/avif"),
    "jxl": Kind("adaptive-jxl", "sdr-jxl", "image/jxl"),
    "jpeg": Kind("adaptive-jpeg", "sdr-jpeg", "image/jpeg"),
    "sdr": Kind("sdr-jpeg", "sdr-jpeg", "image/jpeg"),
}


class Limits(NamedTuple):
    """Bounds of what a request may cost."""

    side: int = 4096
    """Pixels of w and h."""
    input_bytes: int = 256 << 20
    """The largest file that is read."""
    renders: int = 4
    """Pictures that are rendered at a time. A request beyond is told to come again."""
    seconds: float = 30.0
    """Time for one picture."""
    cache_bytes: int = 256 << 20
    """Rendered pictures that stay in memory."""
    age: int = 86400
    """Seconds that a browser or a proxy may keep a picture; never beyond the end of its URL."""


class Rendered(NamedTuple):
    """A picture as it is sent."""

    data: bytes
    digest: str


def signature(key: bytes, path: str, query: Mapping[str, str]) -> str:
    """HMAC-SHA256 of a path and what is asked of it, in any order, without `sig` itself."""
    asked = urlencode(sorted((name, value) for name, value in query.items() if name != "sig"))
    return hmac.new(key, f"{path}?{asked}".encode(), hashlib.sha256).hexdigest()


def signed(key: bytes, url: str, expires: int) -> str:
    """The URL with its last second and its signature, as `/beach.heic?w=800&expires=…&sig=…`."""
    path, _, asked = url.partition("?")
    query = {**dict(parse_qsl(asked)), "expires": str(expires)}
    return f"{path}?{urlencode({**query, 'sig': signature(key, unquote(path), query)})}"


def accepted(header: str) -> str:
    """The best kind that `Accept` names. `*/*` and `image/*` do not count: browsers send them that cannot read AVIF."""
    named = set()
    for part in header.lower().split(","):
        media, *parameters = (word.strip() for word in part.split(";"))
        if not any(word.startswith("q=") and not word[2:].strip("0.") for word in parameters):
            named.add(media)
    return next((name for name in ("avif", "jxl") if KINDS[name].media in named), "jpeg")


class Pictures:
    """Renders the pictures of a folder with one process of hdrbatch, and remembers the last ones."""

    def __init__(self, root: Path, key: bytes, limits: Limits) -> None:
        self.root = root.resolve(strict=True)
        self.key = key
        self.limits = limits
        self.session = hdrbatch.Session()
        self.running = 0
        self.cache: OrderedDict[tuple[object, ...], Rendered] = OrderedDict()

    async def answer(self, request: Request) -> Response:
        """Answers GET /{path}?w=&h=&to=&expires=&sig=."""
        query = dict(request.query_params)
        path = request.path_params["path"]
        expires = self.check(f"/{path}", query)
        source = self.file(path)
        name = query.get("to", "auto")
        by_accept = name == "auto"
        kind = KINDS.get(accepted(request.headers.get("accept", "")) if by_accept else name)
        if kind is None:
            raise HTTPException(400, f"to: auto, {', '.join(KINDS)}")
        rendered = await self.rendered(source, kind, self.size(query))
        age = min(self.limits.age, expires - int(time.time()))
        headers = {
            "ETag": f'"{rendered.digest}"',
            "Cache-Control": f"public, max-age={max(0, age)}",
            "X-Content-Type-Options": "nosniff",
        }
        if by_accept:
            headers["Vary"] = "Accept"
        tags = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
        if "*" in tags or headers["ETag"] in tags:
            return Response(status_code=304, headers=headers)
        return Response(rendered.data, media_type=kind.media, headers=headers)

    def check(self, path: str, query: Mapping[str, str]) -> int:
        """The second at which the URL ends. Raises 403 if it has ended, or was not signed with the key."""
        expected = signature(self.key, path, query)
        if not hmac.compare_digest(query.get("sig", "").encode(), expected.encode()):
            raise HTTPException(403, "the signature is missing or wrong")
        expires = query.get("expires", "")
        if not expires.isdecimal() or int(expires) < time.time():
            raise HTTPException(403, "the URL has expired")
        return int(expires)

    def file(self, path: str) -> Path:
        """The file of a path. Raises 404 for what is missing, is no file, or lies elsewhere, also by a link."""
        try:
            file = (self.root / path).resolve(strict=True)
            size = file.stat().st_size
        except (OSError, ValueError):
            raise HTTPException(404) from None
        if not file.is_relative_to(self.root) or not file.is_file():
            raise HTTPException(404)
        if size > self.limits.input_bytes:
            raise HTTPException(413, f"the picture has {size} bytes, more than {self.limits.input_bytes}")
        return file

    def size(self, query: Mapping[str, str]) -> str | None:
        """The value of --resize: WIDTHxHEIGHT to fit into, one of them left out where it is not asked for."""
        sides = [query.get(side, "") for side in ("w", "h")]
        for side in sides:
            if side and not (side.isdecimal() and 1 <= int(side) <= self.limits.side):
                raise HTTPException(400, f"w and h: 1 to {self.limits.side}")
        return "x".join(sides) if any(sides) else None

    async def rendered(self, source: Path, kind: Kind, size: str | None) -> Rendered:
        """A picture from the cache, or rendered. Raises 503 if too many are, 504 if one takes too long."""
        state = source.stat()
        key = (source, state.st_mtime_ns, state.st_size, kind, size)
        if key in self.cache:
            self.cache.move_to_end(key)
            return self.cache[key]
        if self.running >= self.limits.renders:
            raise HTTPException(503, "too many pictures at a time", {"Retry-After": "1"})
        options = ["--metadata", "copyright", *(["--resize", size] if size else [])]
        if kind.of_sdr != kind.output:
            options += ["--if-sdr", kind.of_sdr]
        self.running += 1
        try:
            async with asyncio.timeout(self.limits.seconds):
                found = await self.session.render_async(source, to=kind.output, options=options)
        except TimeoutError:
            raise HTTPException(504, f"the picture took more than {self.limits.seconds:g} s") from None
        except hdrbatch.Error as error:
            # What a file holds is not told to strangers.
            print(f"server: {source}: {error}", file=sys.stderr)
            if error.may_retry:
                raise HTTPException(503, "the picture cannot be rendered now", {"Retry-After": "5"}) from None
            raise HTTPException(422, "the picture cannot be rendered") from None
        finally:
            self.running -= 1
        rendered = Rendered(bytes(found.data), str(found.record["outputDigest"]))
        self.cache[key] = rendered
        while sum(len(one.data) for one in self.cache.values()) > self.limits.cache_bytes:
            self.cache.popitem(last=False)
        return rendered


def application(pictures: Pictures) -> Starlette:
    """The application for an ASGI server."""

    @asynccontextmanager
    async def session(_: Starlette) -> AsyncIterator[None]:
        with pictures.session:
            yield

    async def failed(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        headers = {"Cache-Control": "no-store", **(error.headers or {})}
        return PlainTextResponse(f"{error.detail}\n", error.status_code, headers)

    return Starlette(
        routes=[Route("/{path:path}", pictures.answer, methods=["GET"])],
        exception_handlers={HTTPException: failed},
        lifespan=session,
    )


def main() -> None:
    options = argparse.ArgumentParser(description="Serves the pictures of a folder by HTTP.")
    options.add_argument("root", nargs="?", type=Path, help="the folder")
    options.add_argument("--host", default="127.0.0.1")
    options.add_argument("--port", type=int, default=8000)
    options.add_argument("--sign", metavar="URL", help="print this path and query, signed, and end")
    options.add_argument("--hold", type=int, default=86400, help="seconds that the signed URL holds (%(default)s)")
    for name, value in Limits()._asdict().items():
        options.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value, help="(%(default)s)")
    told = options.parse_args()
    key = os.environ.get("HDRBATCH_SERVER_KEY", "").encode()
    if len(key) < 16:
        options.error("HDRBATCH_SERVER_KEY holds the key of signatures: 16 characters or more")
    if told.sign:
        print(signed(key, told.sign, int(time.time()) + told.hold))
    elif told.root is None:
        options.error("name the folder of the pictures")
    else:
        limits = Limits(**{name: getattr(told, name) for name in Limits._fields})
        uvicorn.run(application(Pictures(told.root, key, limits)), host=told.host, port=told.port)


if __name__ == "__main__":
    main()
