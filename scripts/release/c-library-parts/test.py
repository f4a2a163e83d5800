"""test.py LIBRARY PROGRAM PHOTO: libhdrbatch through ctypes, and what it makes beside what the program makes."""

import array
import ctypes
import json
import os
import struct
import subprocess
import sys
import tempfile
import threading
import unittest
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_size_t, c_void_p

LIBRARY, PROGRAM, PHOTO = (os.path.abspath(path) for path in sys.argv[1:4])


class Layout(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t), ("width", c_size_t), ("height", c_size_t), ("row_bytes", c_size_t), ("data", c_void_p),
        ("primaries", c_int), ("has_alpha", c_int),
    ]  # fmt: skip


TEXT, OPTIONS, ERROR = c_char_p, POINTER(c_char_p), POINTER(c_void_p)
# What each function returns and takes. Texts that are the caller's come as addresses.
FUNCTIONS = {
    "version": (c_char_p, []),
    "renderer_open": (c_void_p, [OPTIONS, ERROR]),
    "renderer_info": (c_void_p, [c_void_p, ERROR]),
    "image_open": (c_void_p, [c_void_p, TEXT, ERROR]),
    "image_open_bytes": (c_void_p, [c_void_p, c_void_p, c_size_t, TEXT, ERROR]),
    "image_open_fd": (c_void_p, [c_void_p, c_int, TEXT, ERROR]),
    "image_info": (c_void_p, [c_void_p, ERROR]),
    "image_filter": (c_void_p, [c_void_p, TEXT, ERROR]),
    "image_apply": (c_void_p, [c_void_p, TEXT, TEXT, ERROR]),
    "render": (c_void_p, [c_void_p, c_void_p, c_double, OPTIONS, ERROR]),
    "pixels_layout": (c_int, [c_void_p, POINTER(Layout), ERROR]),
    "pixels_report": (c_void_p, [c_void_p, ERROR]),
    "write": (c_void_p, [c_void_p, c_void_p, TEXT, TEXT, OPTIONS, ERROR]),
    "encode": (c_void_p, [c_void_p, c_void_p, TEXT, OPTIONS, POINTER(c_size_t), ERROR]),
    "compare": (c_void_p, [c_void_p, c_void_p, c_void_p, TEXT, ERROR]),
    "error_code": (c_char_p, [c_void_p]),
    "error_kind": (c_char_p, [c_void_p]),
    "error_message": (c_char_p, [c_void_p]),
    "release": (None, [c_void_p]),
    "free": (None, [c_void_p]),
}


class Failure(Exception):
    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Library:
    """The functions, with errors raised and texts taken over."""

    def __init__(self) -> None:
        self.library = ctypes.CDLL(LIBRARY)
        for name, (result, arguments) in FUNCTIONS.items():
            function = getattr(self.library, "hdrbatch_" + name)
            function.restype, function.argtypes = result, arguments

    def call(self, name: str, *arguments):
        error = c_void_p()
        result = getattr(self.library, "hdrbatch_" + name)(*arguments, byref(error))
        if result:
            assert not error
            return result
        code, message = (getattr(self.library, "hdrbatch_error_" + part)(error).decode() for part in ("code", "message"))
        self.library.hdrbatch_release(error)
        raise Failure(code, message)

    def json(self, name: str, *arguments) -> dict:
        address = self.call(name, *arguments)
        text = ctypes.string_at(address)
        self.library.hdrbatch_free(address)
        return json.loads(text)

    def encode(self, *arguments) -> bytes:
        count = c_size_t()
        address = self.call("encode", *arguments, byref(count))
        content = ctypes.string_at(address, count.value)
        self.library.hdrbatch_free(address)
        return content


def options(**values: object):
    words = [f"{name.replace('_', '-')}={value}".encode() for name, value in values.items()]
    return (c_char_p * (len(words) + 1))(*words, None)


class Test(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.hdr = Library()
        cls.renderer = cls.hdr.call("renderer_open", options(backend="cpu", isolation="sandbox"))
        cls.photo = cls.hdr.call("image_open", cls.renderer, PHOTO.encode())

    @classmethod
    def tearDownClass(cls) -> None:
        cls.hdr.library.hdrbatch_release(cls.photo)
        cls.hdr.library.hdrbatch_release(cls.renderer)

    def test_the_renderer_says_what_it_is(self) -> None:
        facts = self.hdr.json("renderer_info", self.renderer)
        self.assertEqual(facts["version"], self.hdr.library.hdrbatch_version().decode())
        self.assertEqual(facts["isolation"], "sandbox")

    def test_facts_are_those_of_the_program(self) -> None:
        said = subprocess.run([PROGRAM, "info", "--json", PHOTO], check=True, capture_output=True).stdout
        self.assertEqual(self.hdr.json("image_info", self.photo), json.loads(said))

    def test_files_are_those_of_the_program(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for kind, ending in ("adaptive-jpeg", "jpg"), ("pq-avif", "avif"), ("sdr-png", "png"):
                ours, theirs = f"{folder}/ours.{ending}", f"{folder}/theirs.{ending}"
                small = self.hdr.call("image_filter", self.photo, b"scale=factor:0.25")
                report = self.hdr.json("write", self.renderer, small, ours.encode(), kind.encode(), None)
                encoded = self.hdr.encode(self.renderer, small, kind.encode(), None)
                subprocess.run(
                    [PROGRAM, "render", PHOTO, "-o", theirs, "--to", kind, "--filter", "scale=factor:0.25",
                     "--backend", "cpu", "--progress", "none"], check=True, capture_output=True)  # fmt: skip
                with open(ours, "rb") as a, open(theirs, "rb") as b:
                    content = b.read()
                    self.assertEqual(a.read(), content, kind)
                self.assertEqual(encoded, content, kind)
                self.assertEqual(report["bytesOut"], len(content))
                self.assertEqual(report["output"], ours)
                self.hdr.library.hdrbatch_release(small)

    def test_bytes_and_descriptors_are_the_same_picture(self) -> None:
        with open(PHOTO, "rb") as file:
            content = file.read()
            images = [
                self.hdr.call("image_open_bytes", self.renderer, content, len(content), None),
                self.hdr.call("image_open_fd", self.renderer, file.fileno(), b"photo"),
            ]
        for image in images:
            difference = self.hdr.json("compare", self.renderer, self.photo, image, b"good")
            self.assertEqual(difference["verdict"], "accepted")
            self.hdr.library.hdrbatch_release(image)

    def test_pixels_are_light_for_the_display(self) -> None:
        small = self.hdr.call("image_apply", self.photo, b"steps: [{scale: 0.25}]", None)
        pixels = self.hdr.call("render", self.renderer, small, 4.0, options(primaries="p3"))
        layout = Layout(size=ctypes.sizeof(Layout))
        self.hdr.call("pixels_layout", pixels, byref(layout))
        report = self.hdr.json("pixels_report", pixels)
        self.assertEqual((layout.width, layout.height), (report["width"], report["height"]))
        self.assertEqual(layout.primaries, 12)
        rows = [ctypes.string_at(layout.data + y * layout.row_bytes, 8 * layout.width) for y in range(layout.height)]
        light = [value for row in rows for value in struct.iter_unpack("4e", row)]
        self.assertEqual({alpha for *_, alpha in light}, {1.0})
        brightest = max(max(color) for *color, _ in light)
        self.assertGreater(brightest, 1)
        self.assertLessEqual(brightest, 4)
        self.hdr.library.hdrbatch_release(small)
        self.hdr.library.hdrbatch_release(pixels)

    def test_threads_share_a_renderer_and_an_image(self) -> None:
        results: list = [None] * 6

        def encode(index: int) -> None:
            results[index] = self.hdr.encode(self.renderer, self.photo, b"sdr-jpeg", options(quality=70 + index % 2))

        threads = [threading.Thread(target=encode, args=[index]) for index in range(len(results))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(set(results[0::2])), 1)
        self.assertEqual(len(set(results[1::2])), 1)
        self.assertNotEqual(results[0], results[1])

    def test_a_damaged_file_is_an_error_of_the_call(self) -> None:
        content = array.array("B", os.urandom(4096)).tobytes()
        with self.assertRaises(Failure) as caught:
            self.hdr.call("image_open_bytes", self.renderer, content, len(content), b"upload 7")
        self.assertEqual(caught.exception.code, "decode.unsupported")
        self.assertTrue(str(caught.exception).startswith("upload 7: "))


unittest.main(argv=sys.argv[:1])
