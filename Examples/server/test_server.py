"""Tests the server beside this file by HTTP, as scripts/release/server-example starts it."""

from __future__ import annotations

import asyncio
import hashlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import hdrbatch
import httpx
from server import Limits, Pictures, accepted, application, signed

EXAMPLES = Path(__file__).resolve().parents[1]
SERVER = [sys.executable, str(Path(__file__).with_name("server.py"))]
KEY = "a key of at least sixteen characters"
CHROME = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"
SAFARI = "image/webp,image/avif,image/jxl,image/heic,video/*;q=0.8,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5"


class ServerTests(unittest.TestCase):
    folder: Path
    client: httpx.Client

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        root = cls.folder / "photos"
        (root / "below").mkdir(parents=True)
        for name in ("lamps.jpg", "temple.heic"):
            shutil.copy(EXAMPLES / name, root / name)
        shutil.copy(EXAMPLES / "lamps.jpg", root / "below/ä b.jpg")
        hdrbatch.run(
            [
                "render",
                root / "lamps.jpg",
                "--out",
                root / "sdr.jpg",
                "--to",
                "sdr-jpeg",
                "--resize",
                "300",
                "--journal",
                "none",
            ]
        )
        (root / "broken.jpg").write_bytes(b"\xff\xd8\xff\xe0 no picture")
        (root / "large.jpg").write_bytes(bytes(3 << 20))
        (cls.folder / "secret.jpg").write_bytes((EXAMPLES / "lamps.jpg").read_bytes())
        (root / "link.jpg").symlink_to(cls.folder / "secret.jpg")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        words = [
            str(root),
            "--port",
            str(port),
            "--side",
            "2000",
            "--input-bytes",
            str(2 << 20),
            "--renders",
            "2",
            "--age",
            "600",
        ]
        server = subprocess.Popen(
            [*SERVER, *words],
            env={**os.environ, "HDRBATCH_SERVER_KEY": KEY},
            stdout=subprocess.DEVNULL,
            stderr=cls.enterClassContext((cls.folder / "log").open("w")),
        )
        cls.addClassCleanup(server.wait, 20)
        cls.addClassCleanup(server.terminate)
        cls.client = cls.enterClassContext(httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60))
        for _ in range(200):
            try:
                cls.client.get("/")
                return
            except httpx.TransportError:
                time.sleep(0.1)
        raise AssertionError((cls.folder / "log").read_text())

    def get(self, url: str, seconds: int = 60, **headers: str) -> httpx.Response:
        """The answer to a URL that is signed."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.get(signed(KEY.encode(), url, int(time.time()) + seconds), headers=named)

    def test_browsers_get_the_format_that_they_take(self) -> None:
        for accept, media, kind, start in [
            (CHROME, "image/avif", "adaptive", b"ftypavif"),
            (SAFARI, "image/avif", "adaptive", b"ftypavif"),
            ("image/jxl", "image/jxl", "adaptive", b"JXL "),
            ("image/avif;q=0, image/jxl;q=0.1", "image/jxl", "adaptive", b"JXL "),
            ("*/*", "image/jpeg", "adaptive", b"\xff\xd8\xff"),
        ]:
            with self.subTest(accept=accept):
                answer = self.get("/lamps.jpg?w=300", accept=accept)
                self.assertEqual((answer.status_code, answer.headers["content-type"]), (200, media), answer.text[:80])
                self.assertIn(start, answer.content[:16])
                self.assertEqual(answer.headers["vary"], "Accept")
                info = hdrbatch.info(answer.content)
                self.assertEqual((info["width"], bool(info["gainMap"])), (300, kind == "adaptive"))
        sdr = self.get("/lamps.jpg?w=300&to=sdr", accept=CHROME)
        self.assertEqual((sdr.headers["content-type"], "vary" in sdr.headers), ("image/jpeg", False))
        self.assertFalse(hdrbatch.info(sdr.content)["gainMap"])

    def test_pictures_without_hdr_are_files_without_gain_map(self) -> None:
        for accept, media in ((CHROME, "image/avif"), ("*/*", "image/jpeg")):
            answer = self.get("/sdr.jpg?w=200", accept=accept)
            self.assertEqual((answer.status_code, answer.headers["content-type"]), (200, media), answer.text[:80])
            self.assertFalse(hdrbatch.info(answer.content)["gainMap"])

    def test_the_size_fits_into_what_is_asked_for(self) -> None:
        for query, size in (("w=200", (200, 151)), ("h=100", (133, 100)), ("w=200&h=100", (133, 100))):
            info = hdrbatch.info(self.get(f"/lamps.jpg?{query}").content)
            self.assertEqual((info["width"], info["height"]), size, query)
        for query in ("w=0", "w=2001", "w=-1", "w=a", "to=png"):
            self.assertEqual(self.get(f"/lamps.jpg?{query}").status_code, 400, query)

    def test_a_picture_that_did_not_change_is_not_sent_again(self) -> None:
        first = self.get("/temple.heic?w=120&to=jpeg")
        self.assertEqual(first.headers["etag"], f'"{hashlib.sha256(first.content).hexdigest()}"')
        age = int(first.headers["cache-control"].removeprefix("public, max-age="))
        self.assertTrue(50 <= age <= 60)
        for tag, status in (
            (first.headers["etag"], 304),
            (f'"x", W/{first.headers["etag"]}', 304),
            ("*", 304),
            ('"x"', 200),
        ):
            again = self.get("/temple.heic?w=120&to=jpeg", if_none_match=tag)
            self.assertEqual((again.status_code, again.headers["etag"]), (status, first.headers["etag"]))
            self.assertEqual(again.content, first.content if status == 200 else b"")
        head = self.client.head(first.request.url)
        self.assertEqual(
            (head.status_code, head.content, int(head.headers["content-length"])), (200, b"", len(first.content))
        )

    def test_urls_hold_as_they_were_signed_and_no_longer(self) -> None:
        good = signed(KEY.encode(), "/lamps.jpg?w=100&to=sdr", int(time.time()) + 60)
        self.assertEqual(self.client.get(good).status_code, 200)
        for url in (
            "/lamps.jpg",
            good.replace("w=100", "w=101"),
            good.replace("lamps.jpg", "temple.heic"),
            good + "&h=3",
            good[:-1] + ("0" if good[-1] != "0" else "1"),
            signed(b"another key of sixteen characters", "/lamps.jpg?w=100", int(time.time()) + 60),
            signed(KEY.encode(), "/lamps.jpg?w=100", int(time.time()) - 2),
        ):
            answer = self.client.get(url)
            self.assertEqual((answer.status_code, answer.headers["cache-control"]), (403, "no-store"), url)
        parts = good.split("?")
        turned = "&".join(reversed(parts[1].split("&")))
        self.assertEqual(self.client.get(f"{parts[0]}?{turned}").status_code, 200)

    def test_the_command_signs(self) -> None:
        words = [*SERVER, "--sign", "/below/%C3%A4%20b.jpg?w=90&to=sdr"]
        done = subprocess.run(
            words, env={**os.environ, "HDRBATCH_SERVER_KEY": KEY}, capture_output=True, text=True, check=True
        )
        answer = self.client.get(done.stdout.strip())
        self.assertEqual(hdrbatch.info(answer.content)["width"], 90)
        short = subprocess.run(
            words, env={**os.environ, "HDRBATCH_SERVER_KEY": "short"}, capture_output=True, check=False
        )
        self.assertEqual(short.returncode, 2)

    def test_nothing_outside_the_folder_is_served(self) -> None:
        for path in (
            "../secret.jpg",
            "below/../../secret.jpg",
            "%2e%2e/secret.jpg",
            "..%2fsecret.jpg",
            "/etc/hostname",
            "link.jpg",
        ):
            url = signed(KEY.encode(), f"/{path}?w=100", int(time.time()) + 60)
            # Not through the client, which would tidy the path up.
            with socket.create_connection((self.client.base_url.host, self.client.base_url.port or 0)) as raw:
                raw.sendall(f"GET {url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
                answer = b"".join(iter(lambda: raw.recv(65536), b""))
            self.assertIn(b" 404 ", answer.splitlines()[0], path)
        for path in ("/none.jpg", "/below", "/", "/a%00b"):
            self.assertEqual(self.get(path).status_code, 404, path)

    def test_what_cannot_be_rendered_says_nothing_of_the_file(self) -> None:
        broken = self.get("/broken.jpg?w=100")
        self.assertEqual((broken.status_code, broken.text), (422, "the picture cannot be rendered\n"))
        self.assertIn("broken.jpg: ", (self.folder / "log").read_text())
        self.assertEqual(self.get("/large.jpg?w=100").status_code, 413)
        self.assertEqual(self.client.post("/lamps.jpg").status_code, 405)

    def test_too_many_at_a_time_are_told_to_come_again(self) -> None:
        with ThreadPoolExecutor(12) as pool:
            answers = list(pool.map(lambda side: self.get(f"/lamps.jpg?w={side}&to=sdr"), range(1200, 1212)))
        self.assertEqual({answer.status_code for answer in answers}, {200, 503})
        for answer in answers:
            if answer.status_code == 503:
                self.assertEqual((answer.headers["retry-after"], answer.headers["cache-control"]), ("1", "no-store"))
        self.assertEqual(self.get("/lamps.jpg?w=1200&to=sdr").status_code, 200)

    def test_a_picture_that_takes_too_long_is_given_up(self) -> None:
        async def ask() -> httpx.Response:
            pictures = Pictures(self.folder / "photos", KEY.encode(), Limits(seconds=0.001))
            transport = httpx.ASGITransport(application(pictures))
            with pictures.session:
                async with httpx.AsyncClient(transport=transport, base_url="http://photos") as client:
                    return await client.get(signed(KEY.encode(), "/lamps.jpg", int(time.time()) + 60))

        answer = asyncio.run(ask())
        self.assertEqual((answer.status_code, answer.text), (504, "the picture took more than 0.001 s\n"))

    def test_kinds_follow_the_header(self) -> None:
        for header, kind in (
            (CHROME, "avif"),
            (SAFARI, "avif"),
            ("image/jxl", "jxl"),
            ("", "jpeg"),
            ("image/*", "jpeg"),
        ):
            self.assertEqual(accepted(header), kind)


if __name__ == "__main__":
    unittest.main()
