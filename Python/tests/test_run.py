from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
import typing
import unittest
from unittest import mock

import hdrbatch
from support import EXAMPLES, REPOSITORY, FolderTestCase

TEMPLE = str(EXAMPLES / "temple.heic")


class RunTests(FolderTestCase):
    def render(self, *words: str, **options: typing.Any) -> hdrbatch.Run:
        small = ["--filter", "thumbnail=size:64", "--on-existing", "replace"]
        return hdrbatch.run(["render", *words, "--out", str(self.folder / "out"), *small], **options)

    def test_every_output_has_a_record_and_the_run_a_summary(self) -> None:
        run = self.render(TEMPLE, str(EXAMPLES / "citadel.avif"), "--to", "sdr-jpeg")
        self.assertEqual((run.status, [record["status"] for record in run.records]), (0, ["ok", "ok"]))
        for record in run.records:
            self.assertTrue(os.path.exists(record["output"]))
            self.assertEqual(record["outputHeadroom"], 1)
        assert run.summary and run.header
        self.assertEqual((run.summary["items"], run.summary["ok"], run.summary["exitCode"]), (2, 2, 0))
        self.assertEqual(run.header["program"], "hdrbatch")
        self.assertEqual(run.failed, [])

    def test_an_error_names_the_file_that_failed_and_keeps_the_records_of_others(self) -> None:
        damaged = self.folder / "damaged.jpg"
        damaged.write_bytes(b"\xff\xd8\xff\xe0 no picture")
        words = [TEMPLE, str(damaged), str(EXAMPLES / "citadel.avif"), "--to", "sdr-jpeg"]
        with self.assertRaises(hdrbatch.Error) as caught:
            self.render(*words)
        error = caught.exception
        self.assertEqual(error.status, 65)
        self.assertEqual([record["input"] for record in error.records], [str(damaged)])
        code = error.records[0]["code"]
        assert code and error.run
        self.assertIn("1 of 3 outputs failed", str(error))
        self.assertIn(f"{damaged}: ", str(error))
        self.assertIn(f"[{code}]", str(error))
        self.assertEqual(sorted(record["status"] for record in error.run.records), ["failed", "ok", "ok"])
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(again), again.status), (str(error), 65))

        run = self.render(*words, check=False)
        self.assertEqual((run.status, len(run.records), len(run.failed)), (65, 3, 1))

    def test_a_run_without_inputs_is_an_error_with_the_programs_words(self) -> None:
        with self.assertRaises(hdrbatch.Error) as caught:
            self.render("--to", "sdr-jpeg")
        self.assertEqual((caught.exception.status, caught.exception.records), (64, []))
        self.assertIn("INPUT", str(caught.exception).splitlines()[1])

    def test_an_unknown_option_is_an_error_with_the_programs_advice(self) -> None:
        with self.assertRaisesRegex(hdrbatch.Error, "did you mean"):
            self.render(TEMPLE, "--to", "pq-pngg")

    def test_a_record_that_the_caller_asked_for_is_kept_and_parsed(self) -> None:
        record = self.folder / "mine.jsonl"
        for words in (["--record", str(record)], [f"--record={record}"]):
            run = self.render(TEMPLE, "--to", "sdr-jpeg", *words)
            self.assertEqual(len(run.records), 1)
            self.assertTrue(record.exists())
            record.unlink()
        run = self.render(TEMPLE, "--to", "sdr-jpeg", "--record", "-")
        self.assertEqual(len(run.records), 1)
        self.assertIn(b'"type":"summary"', run.stdout)

    def test_pictures_go_through_pipes(self) -> None:
        jpeg = (EXAMPLES / "lamps.jpg").read_bytes()
        words = ["render", "-", "-o", "-", "--to", "sdr-jpeg", "--filter", "thumbnail=size:64"]
        run = hdrbatch.run(words, input=jpeg)
        self.assertEqual(run.stdout[:2], b"\xff\xd8")
        self.assertEqual((run.records, run.summary), ([], None))

    def test_commands_without_records_give_their_output(self) -> None:
        self.assertIn(b"HEIC 1280x1792", hdrbatch.run(["info", TEMPLE]).stdout)
        self.assertIn(b"--to KIND", hdrbatch.run(["render", "--help"]).stdout)
        self.assertIn(b"out", self.render(TEMPLE, "--to", "sdr-jpeg", "--dry-run").stdout)

    def test_info_is_a_dictionary(self) -> None:
        info = hdrbatch.info(TEMPLE)
        self.assertEqual((info["width"], info["height"], info["gainMap"]["kind"]), (1280, 1792, "iso"))
        with self.assertRaises(FileNotFoundError):
            hdrbatch.info(self.folder / "none.heic")
        with self.assertRaisesRegex(hdrbatch.Error, "sample.py"):
            hdrbatch.info(EXAMPLES / "python/sample.py")

    def test_arguments_are_a_list(self) -> None:
        with self.assertRaisesRegex(TypeError, "list of words"):
            hdrbatch.run("info photo.heic")

    def test_a_missing_program_is_named_with_what_to_do(self) -> None:
        self.enterContext(mock.patch.dict(os.environ, HDRBATCH_PROGRAM="/no/such/program"))
        with self.assertRaisesRegex(hdrbatch.Error, "HDRBATCH_PROGRAM is '/no/such/program'"):
            hdrbatch.run(["info", TEMPLE])

    def test_pixels_alone_need_numpy(self) -> None:
        script = f"""
import sys
sys.modules["numpy"] = None
import hdrbatch
print(hdrbatch.info({TEMPLE!r})["width"], hdrbatch.run(["--version"]).status)
try: hdrbatch.read({TEMPLE!r})
except ImportError as error: print("numpy" in str(error))
"""
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout.split(), ["1280", "0", "True"])

    def test_the_module_is_the_program(self) -> None:
        def module(*words: str) -> tuple[int, bytes, bytes]:
            done = subprocess.run([sys.executable, "-m", "hdrbatch", *words], capture_output=True, check=False)
            return done.returncode, done.stdout, done.stderr

        help = hdrbatch.run(["--help"])
        self.assertEqual(module("--help"), (0, help.stdout, b""))
        self.assertEqual(module("bogus")[0], 64)
        with mock.patch.dict(os.environ, HDRBATCH_PROGRAM="/no/such/program"):
            self.assertEqual(module("--help")[0], 69)


class StopTests(FolderTestCase):
    def test_after_the_timeout_the_program_is_told_to_stop_and_waited_for(self) -> None:
        self.stand_in(f"trap 'sleep 0.2; touch {self.folder}/tidied; kill $!; exit 75' TERM\nsleep 60 & wait")
        start = time.monotonic()
        with self.assertRaisesRegex(TimeoutError, "stopped after 0.3 s"):
            hdrbatch.run(["render"], timeout=0.3)
        self.assertLess(time.monotonic() - start, 10)
        self.assertTrue((self.folder / "tidied").exists())

    def test_ctrl_c_reaches_the_program_once_and_is_raised_after_its_end(self) -> None:
        log = self.folder / "log"
        self.stand_in(
            f"trap 'echo int >>{log}; sleep 0.3; echo end >>{log}; kill $!; exit 130' INT\n"
            f"echo up >>{log}\nsleep 60 & wait"
        )
        script = f"""
import hdrbatch
try: hdrbatch.run(["render"])
except KeyboardInterrupt: open({str(log)!r}, "a").write("raised\\n")
"""
        # As a terminal does: the signal goes to the whole process group. Where this runs in the background it is ignored.
        child = subprocess.Popen(
            [sys.executable, "-c", script],
            process_group=0,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        while not (log.exists() and "up" in log.read_text()):
            self.assertIsNone(child.poll())
            time.sleep(0.02)
        os.killpg(child.pid, signal.SIGINT)
        child.wait(20)
        self.assertEqual(log.read_text().split(), ["up", "int", "end", "raised"])

    def test_ctrl_c_while_the_program_is_started_reaches_it(self) -> None:
        log = self.folder / "log"
        self.stand_in(f"trap 'echo int >>{log}; kill $!; exit 130' INT\necho up >>{log}\nsleep 60 & wait")
        handler = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, handler)
        popen = subprocess.Popen

        def interrupted(*arguments: typing.Any, **options: typing.Any) -> subprocess.Popen[bytes]:
            child = popen(*arguments, **options)
            while not log.exists():
                time.sleep(0.02)
            os.kill(os.getpid(), signal.SIGINT)
            return child

        with mock.patch("subprocess.Popen", interrupted), self.assertRaises(KeyboardInterrupt):
            hdrbatch.run(["render"])
        self.assertEqual(log.read_text().split(), ["up", "int"])

    def test_a_program_that_does_not_stop_is_ended_with_all_its_processes(self) -> None:
        self.stand_in("trap '' TERM\nsleep 60 & sleep 60")
        self.enterContext(mock.patch("hdrbatch._program._GRACE", 0.3))
        start = time.monotonic()
        with self.assertRaises(TimeoutError):
            hdrbatch.run(["render"], timeout=0.3)
        self.assertLess(time.monotonic() - start, 10)

    def test_an_end_by_a_signal_is_said(self) -> None:
        self.stand_in("kill -9 $$")
        with self.assertRaisesRegex(hdrbatch.Error, "ended by signal 9"):
            hdrbatch.run(["doctor"])

    def test_a_record_that_is_cut_off_keeps_its_whole_lines(self) -> None:
        self.stand_in(
            """echo '{"type":"header"}' >"$3"
            printf '{"type":"item","status":"ok"}\\n{"type":"it' >>"$3"
            exit 74"""
        )
        run = hdrbatch.run(["render"], check=False)
        self.assertEqual((run.status, len(run.records), run.summary), (74, 1, None))


class DocumentationTests(unittest.TestCase):
    def test_records_have_the_keys_of_the_program(self) -> None:
        documented: dict[str, set[str]] = {"header": set(), "item": set(), "summary": set()}
        for row in (REPOSITORY / "docs/data/record-keys.tsv").read_text().splitlines()[1:]:
            line, keys, _ = row.split("\t")
            documented[line].update(keys.split(", "))
        for line, typed in (("header", hdrbatch.Header), ("item", hdrbatch.Record), ("summary", hdrbatch.Summary)):
            self.assertEqual(documented[line] | {"type"}, set(typed.__annotations__), line)

    def test_kinds_are_those_of_the_program(self) -> None:
        options = hdrbatch.run(["options"]).stdout.decode()
        row = next(row for row in options.splitlines() if row.startswith("| `--to KIND` | What to make; several"))
        values = row.split("Values: ")[1].split(". |")[0].split(", ")
        plain = {kind for kind in values if ":" not in kind and not kind.startswith(("extract-", "recompress-"))}
        self.assertEqual(plain, {kind for kinds in hdrbatch.KINDS.values() for kind in kinds})


if __name__ == "__main__":
    unittest.main()
