from __future__ import annotations

import asyncio
import gc
import io
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import typing
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import hdrbatch
import numpy
from hdrbatch._memory import SMALL, Memory
from hdrbatch._pixels import _shared
from support import EXAMPLES, FolderTestCase

LAMPS = EXAMPLES / "lamps.jpg"
SMALLER = ["--resize", "64"]
# A render that takes seconds, to be cut off.
SLOW = ["--filter", "gaussian-blur=radius:400", "--filter", "gaussian-blur=radius:401"]


def server(session: hdrbatch.Session) -> typing.Any:
    """The process of a session."""
    return session._server


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def mapping_of(array: numpy.ndarray) -> str:
    """The line of /proc/self/maps that has an array's first byte."""
    address = array.ctypes.data
    for line in Path("/proc/self/maps").read_text().splitlines():
        first, last = (int(word, 16) for word in line.split()[0].split("-"))
        if first <= address < last:
            return line
    return ""


class SessionTestCase(FolderTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.session = self.enterContext(hdrbatch.Session(["--jobs", "2"]))

    def pid(self) -> int:
        number: int = server(self.session)._child.pid
        return number


class MemoryTests(SessionTestCase):
    def test_a_picture_lies_where_the_program_put_it(self) -> None:
        image = self.session.read(LAMPS)
        self.assertGreater(image.pixels.nbytes, SMALL)
        memory = Memory.behind(image.pixels)
        assert memory
        self.assertIn("memfd", mapping_of(image.pixels))
        self.assertIn("rw-s", mapping_of(image.pixels))
        self.assertEqual(int(mapping_of(image.pixels).split()[4]), os.fstat(memory.descriptor).st_ino)
        # What is written here is seen through the descriptor.
        image.pixels[0, 0] = (1, 2, 3, 4)
        seen = numpy.frombuffer(os.pread(memory.descriptor, 8, 0), "<f2")
        self.assertEqual(seen.tolist(), [1, 2, 3, 4])

    def test_an_image_is_an_array_at_the_same_address(self) -> None:
        image = self.session.read(LAMPS)
        address = image.pixels.ctypes.data
        self.assertEqual(numpy.from_dlpack(image).ctypes.data, address)
        self.assertEqual(numpy.asarray(image).ctypes.data, address)
        self.assertNotEqual(numpy.array(image).ctypes.data, address)
        self.assertEqual(numpy.asarray(image, "float32").dtype, numpy.float32)

    def test_an_array_of_the_program_goes_back_without_a_copy(self) -> None:
        image = self.session.read(LAMPS)
        sent: list[typing.Any] = []
        send = server(self.session)._write
        server(self.session)._write = lambda line, memory=(): (sent.append((line, memory)), send(line, memory))
        path = self.folder / "a.rgba16f"
        self.session.write(path, image.pixels, metadata=image.metadata)
        ((_, memory),) = [row for row in sent if row[0]["request"] == "render"]
        self.assertIs(memory[0], Memory.behind(image.pixels))
        self.assertTrue(numpy.array_equal(numpy.fromfile(path, "<u2"), image.pixels.view("<u2").ravel()))

    def test_an_array_can_be_made_where_the_program_reads_it(self) -> None:
        pixels = hdrbatch.empty((16, 8, 4), "float32")
        self.assertEqual((pixels.shape, pixels.dtype, pixels.max()), ((16, 8, 4), numpy.float32, 0))
        pixels[...] = 0.5
        memory = Memory.behind(pixels)
        assert memory
        self.assertEqual(numpy.frombuffer(os.pread(memory.descriptor, 4, 0), "<f4")[0], 0.5)
        self.session.write(self.folder / "a.exr", pixels)
        self.assertEqual(self.session.read(self.folder / "a.exr").pixels[3, 3, 0], 0.5)
        for part in (pixels[1:], pixels[:, ::-1], pixels.copy()):
            self.assertIsNone(Memory.behind(part))

    def test_small_arrays_hold_no_descriptor(self) -> None:
        def count() -> int:
            gc.collect()
            return len(os.listdir("/proc/self/fd"))

        self.session.read(LAMPS, options=SMALLER)
        before = count()
        images = [self.session.read(LAMPS, options=SMALLER) for _ in range(8)]
        self.assertEqual(count(), before)
        self.assertTrue(images[0].pixels.flags.owndata)
        large = self.session.read(LAMPS)
        self.assertGreater(count(), before)
        del large
        self.assertEqual(count(), before)


class PictureTests(SessionTestCase):
    def test_bytes_and_files_are_pictures(self) -> None:
        data = LAMPS.read_bytes()
        expected = self.session.read(LAMPS, options=SMALLER)
        with LAMPS.open("rb") as file:
            for picture in (data, bytearray(data), memoryview(data), io.BytesIO(data), file):
                found = self.session.read(picture, options=SMALLER)
                self.assertTrue(numpy.array_equal(found.pixels, expected.pixels))
                self.assertEqual(found.metadata["source"]["width"], expected.metadata["source"]["width"])
        self.assertEqual(self.session.info(data)["format"], "jpeg")
        self.assertEqual(self.session.compare(data, LAMPS, metrics=["words"])["verdict"], "equal")
        with self.assertRaisesRegex(ValueError, "no bytes"):
            self.session.info(b"")
        with self.assertRaisesRegex(TypeError, "gives str"):
            self.session.info(typing.cast(typing.Any, io.StringIO("text")))
        with self.assertRaisesRegex(hdrbatch.Error, r"\[decode\.") as caught:
            self.session.read(b"no picture")
        self.assertEqual((caught.exception.status, caught.exception.may_retry), (65, False))
        self.assertTrue((caught.exception.code or "").startswith("decode."))
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((str(again), again.code), (str(caught.exception), caught.exception.code))

    def test_a_file_is_rendered_to_a_path_to_bytes_and_to_a_file_object(self) -> None:
        words = [*SMALLER, "--quality", "80"]
        found = self.session.render(LAMPS, to="adaptive-jpeg", options=words)
        self.assertEqual(bytes(found.data[:2]), b"\xff\xd8")
        self.assertEqual(found.record["status"], "ok")
        path, file = self.folder / "a.jpg", io.BytesIO()
        for target in (path, file):
            other = self.session.render(LAMPS, target, to="adaptive-jpeg", options=words)
            self.assertEqual((len(other.data), other.record["outputDigest"]), (0, found.record["outputDigest"]))
        self.assertEqual(path.read_bytes(), found.data)
        self.assertEqual(file.getvalue(), found.data)
        run = hdrbatch.run(["render", str(LAMPS), "--out", str(self.folder / "run"), "--to", "adaptive-jpeg", *words])
        self.assertEqual(run.records[0]["outputDigest"], found.record["outputDigest"])
        with self.assertRaisesRegex(FileExistsError, "replace=True"):
            self.session.render(LAMPS, path, to="adaptive-jpeg")
        with self.assertRaisesRegex(FileNotFoundError, "no such folder"):
            self.session.render(LAMPS, self.folder / "no/a.jpg", to="adaptive-jpeg")
        with self.assertRaisesRegex(hdrbatch.Error, "did you mean"):
            self.session.render(LAMPS, to="adaptive-jpegg")

    def test_an_array_is_written_to_a_file_object(self) -> None:
        file = io.BytesIO()
        record = self.session.write(file, numpy.full((4, 6, 3), 0.5, "f4"), to="sdr-png")
        self.assertEqual((file.getvalue()[:4], record["width"]), (b"\x89PNG", 6))
        self.assertEqual(self.session.info(file.getvalue())["width"], 6)
        with self.assertRaisesRegex(ValueError, "which kind"):
            self.session.write(file, numpy.full((4, 6, 3), 0.5, "f4"))

    def test_notebooks_show_a_png(self) -> None:
        for headroom, transfer in ((1, "srgb"), (None, "pq")):
            png = self.session.read(LAMPS, headroom=headroom, options=["--resize", "80"])._repr_png_()
            found = hdrbatch.info(png)
            self.assertEqual((found["format"], found["width"]), ("png", 80))
            self.assertEqual(found["hdrKind"] == "sdr", transfer == "srgb", found)


class IntegerTests(SessionTestCase):
    def codes(self, dtype: str, channels: int) -> numpy.ndarray:
        largest = int(numpy.iinfo(dtype).max)
        values = numpy.linspace(0, largest, 64 * 16).round().astype(dtype).reshape(16, 64)
        planes = [values, values[::-1], values[:, ::-1], numpy.full_like(values, largest)]
        return numpy.stack(planes[:channels], axis=2)

    def test_codes_of_each_transfer_come_back_exactly(self) -> None:
        for transfer, kind in (("srgb", "sdr-tiff"), ("pq", "pq-png"), ("hlg", "hlg-png")):
            for dtype in ("uint8", "uint16"):
                for channels in (3, 4):
                    codes = self.codes(dtype, channels)
                    file = io.BytesIO()
                    self.session.write(file, codes, to=kind, transfer=transfer)
                    back = self.session.read(file.getvalue(), dtype=dtype, transfer=transfer)
                    self.assertEqual(back.pixels.dtype, dtype)
                    self.assertEqual(back.metadata["transfer"], transfer)
                    apart = abs(back.pixels[..., :channels].astype(int) - codes.astype(int)).max()
                    self.assertEqual(apart, 0, (transfer, dtype, channels))

    def test_a_code_of_8_bits_is_the_nearest(self) -> None:
        codes = numpy.arange(65536, dtype=numpy.uint16).reshape(256, 256, 1).repeat(3, axis=2)
        file = io.BytesIO()
        self.session.write(file, codes, to="sdr-tiff", transfer="srgb")
        small = self.session.read(file.getvalue(), dtype="uint8", transfer="srgb").pixels[..., 0]
        self.assertTrue(numpy.array_equal(small.ravel(), numpy.rint(numpy.arange(65536) / 257)))

    def test_codes_of_8_bits_are_not_copied(self) -> None:
        image = self.session.read(LAMPS, dtype="uint8", transfer="srgb")
        memory = Memory.behind(image.pixels)
        self.assertIsNotNone(memory)
        self.assertGreaterEqual(image.pixels.nbytes, 1 << 20)
        self.assertEqual(_shared(image.pixels), (memory, "rgba"))
        self.assertIsNone(image.record["outputDigest"])

    def test_srgb_codes_mean_what_the_standard_says(self) -> None:
        codes = self.codes("uint8", 3)
        file = io.BytesIO()
        self.session.write(file, codes, to="sdr-png", transfer="srgb")
        light = self.session.read(file.getvalue(), primaries="srgb", dtype="float32").pixels[..., :3]
        value = codes / 255
        expected = numpy.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
        self.assertLess(abs(light - expected).max(), 1e-3)

    def test_metadata_of_codes_is_passed_on(self) -> None:
        image = self.session.read(LAMPS, dtype="uint16", transfer="pq", options=SMALLER)
        file = io.BytesIO()
        record = self.session.write(file, image.pixels, to="pq-png", metadata=image.metadata)
        self.assertEqual(record["hdrOut"], "pq")
        back = self.session.read(file.getvalue(), dtype="uint16", transfer="pq")
        self.assertTrue(numpy.array_equal(back.pixels, image.pixels))

    def test_samples_that_there_are_not_are_refused(self) -> None:
        for options, error, words in [
            ({"dtype": "float64"}, TypeError, "float64; float16, float32, uint16 or uint8"),
            ({"dtype": "uint16"}, ValueError, "needs one of srgb, pq, hlg"),
            ({"dtype": "uint8", "transfer": "linear"}, ValueError, "needs one of"),
            ({"transfer": "pq"}, ValueError, "floats are linear"),
        ]:
            with self.subTest(options=options), self.assertRaisesRegex(error, words):
                self.session.read(LAMPS, **options)  # type: ignore[arg-type]


class ProcessTests(SessionTestCase):
    def test_one_process_serves_all_and_ends_with_the_session(self) -> None:
        self.session.info(LAMPS)
        pid = self.pid()
        self.session.read(LAMPS, options=SMALLER)
        self.session.render(LAMPS, to="sdr-jpeg", options=SMALLER)
        self.assertEqual(self.pid(), pid)
        self.session.close()
        self.assertFalse(is_alive(pid))
        self.session.info(LAMPS)
        self.assertNotEqual(self.pid(), pid)

    def test_threads_share_a_session(self) -> None:
        expected = self.session.read(LAMPS, options=SMALLER).pixels
        with ThreadPoolExecutor(80) as pool:
            # More than the program's queue takes at a time.
            found = list(pool.map(lambda _: self.session.read(LAMPS, options=SMALLER).pixels, range(100)))
        self.assertTrue(all(numpy.array_equal(one, expected) for one in found))

    def test_a_process_that_is_killed_is_an_error_and_the_next_call_starts_another(self) -> None:
        self.session.info(LAMPS)
        pid = self.pid()
        error = self.error_of_slow_read(lambda: os.kill(pid, signal.SIGKILL))
        self.assertRegex(str(error), "was ended by signal 9 before it answered; the next call starts it again")
        self.assertEqual(error.status, -9)
        self.assertEqual(self.session.info(LAMPS)["format"], "jpeg")
        self.assertNotEqual(self.pid(), pid)

    def error_of_slow_read(self, meanwhile: typing.Callable[[], None]) -> hdrbatch.Error:
        """The error of a read in another thread, while something happens."""
        caught: list[BaseException] = []

        def slow() -> None:
            try:
                self.session.read(LAMPS, options=SLOW)
            except BaseException as error:
                caught.append(error)

        thread = threading.Thread(target=slow)
        thread.start()
        while not server(self.session)._waiting:
            time.sleep(0.01)
        meanwhile()
        thread.join(20)
        self.assertIsInstance(caught[0], hdrbatch.Error)
        return typing.cast(hdrbatch.Error, caught[0])

    def test_a_session_that_is_closed_cancels_its_requests(self) -> None:
        self.session.info(LAMPS)
        error = self.error_of_slow_read(self.session.close)
        self.assertEqual(str(error), "the session was closed before hdrbatch render was done")

    def test_a_program_that_cannot_serve_is_an_error_with_its_words(self) -> None:
        self.stand_in("echo 'hdrbatch: error: broken' >&2; exit 70")
        with self.assertRaisesRegex(hdrbatch.Error, "status 70 before it answered.*\n  hdrbatch: error: broken"):
            self.session.info(LAMPS)

    def test_the_end_of_its_time_cancels_a_request(self) -> None:
        self.session.info(LAMPS)
        with self.assertRaisesRegex(TimeoutError, "render was cancelled after 0.05 s"):
            self.session.render(LAMPS, to="sdr-jpeg", options=SLOW, timeout=0.05)
        self.assertEqual(self.session.info(LAMPS)["format"], "jpeg")

    def test_a_session_that_nobody_has_ends_its_process(self) -> None:
        session = hdrbatch.Session()
        session.info(LAMPS)
        pid = server(session)._child.pid
        del session
        gc.collect()
        self.assertFalse(is_alive(pid))

    def test_the_end_of_python_ends_the_process(self) -> None:
        script = f"""
import hdrbatch
from hdrbatch import _session
hdrbatch.info({str(LAMPS)!r})
print(_session.session._server._child.pid)
"""
        done = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")
        self.assertFalse(is_alive(int(done.stdout)))

    def test_a_child_after_a_fork_has_a_process_of_its_own(self) -> None:
        self.session.info(LAMPS)
        pid = self.pid()
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                self.session.info(LAMPS)
                os.write(write, str(self.pid()).encode())
                self.session.close()
            finally:
                os._exit(0)
        os.close(write)
        with os.fdopen(read) as file:
            other = int(file.read())
        os.waitpid(child, 0)
        self.assertNotEqual(other, pid)
        self.assertFalse(is_alive(other))
        self.assertEqual(self.session.info(LAMPS)["format"], "jpeg")
        self.assertEqual(self.pid(), pid)

    def test_ctrl_c_cancels_a_request_and_leaves_the_process(self) -> None:
        script = f"""
import hdrbatch, os, signal, threading
from hdrbatch import _session
hdrbatch.info({str(LAMPS)!r})
pid = _session.session._server._child.pid
threading.Timer(0.3, lambda: os.killpg(0, signal.SIGINT)).start()
try: hdrbatch.read({str(LAMPS)!r}, options={SLOW!r})
except KeyboardInterrupt:
    print("raised", hdrbatch.info({str(LAMPS)!r})["format"], _session.session._server._child.pid == pid)
"""
        done = subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            text=True,
            process_group=0,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        self.assertEqual((done.stdout.split(), done.stderr), (["raised", "jpeg", "True"], ""))


class AsyncTests(SessionTestCase):
    def test_each_method_has_a_twin_for_asyncio(self) -> None:
        async def all_of_them() -> None:
            image = await self.session.read_async(LAMPS, options=SMALLER)
            path = self.folder / "a.exr"
            await self.session.write_async(path, image.pixels, metadata=image.metadata)
            infos = await asyncio.gather(*(self.session.info_async(path) for _ in range(10)))
            self.assertEqual({one["width"] for one in infos}, {64})
            found = await self.session.render_async(path, to="sdr-png")
            pair = await self.session.compare_async(path, path, metrics=["words"])
            self.assertEqual((bytes(found.data[:4]), pair["verdict"]), (b"\x89PNG", "equal"))
            with self.assertRaises(hdrbatch.Error):
                await self.session.info_async(b"no picture")
            with self.assertRaisesRegex(TimeoutError, "read was cancelled|render was cancelled"):
                await self.session.read_async(LAMPS, options=SLOW, timeout=0.05)

        asyncio.run(all_of_them())

    def test_a_task_that_is_cancelled_cancels_its_request(self) -> None:
        async def cancelled() -> None:
            path = self.folder / "never.jpg"
            await self.session.info_async(LAMPS)
            task = asyncio.create_task(self.session.render_async(LAMPS, path, to="sdr-jpeg", options=SLOW))
            await asyncio.sleep(0.2)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            # The program answers a cancelled request, too.
            for _ in range(400):
                if not server(self.session)._waiting:
                    break
                await asyncio.sleep(0.05)
            self.assertEqual(server(self.session)._waiting, {})
            self.assertFalse(path.exists())

        asyncio.run(cancelled())


class VersionTests(unittest.TestCase):
    def test_the_version_is_that_of_the_program(self) -> None:
        self.assertIn(hdrbatch.__version__, hdrbatch.run(["--version"]).stdout.decode())
        self.assertFalse(hasattr(hdrbatch, "__bogus__"))


if __name__ == "__main__":
    unittest.main()
