#!/usr/bin/env python3
"""Frames through a pipe, against BT.2100 in double precision.

    scripts/peers/oracles/frames.py .build/release/hdrbatch [--frames 300]

1. HLG to PQ: patches of random and of saturated colours as 10-bit limited-range P010 go through ffmpeg, hdrbatch and
   ffmpeg again. The result is compared with ITU-R BT.2100 (tables 4, 5 and 10: HLG inverse OETF, OOTF for 1000 cd/m2,
   PQ inverse EOTF; BT.2020 matrix, table 6) computed here in binary64. Pixels at edges of patches are left out, because
   chroma is interpolated there, and colours whose codes lie outside 0...1. At most 1 code of 10 bits may differ.
2. PQ to PQ and HLG to HLG with nothing to do: every code of the same patches is kept.
3. Memory: 1920x1080 frames of ffmpeg's testsrc2; the peak with 20 frames and with all.

Needs ffmpeg (Debian 12: 5.1) and numpy. Ends with 1 where something differs.
"""
import argparse, os, re, subprocess, sys, tempfile
import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("--frames", type=int, default=300)
options = parser.parse_args()

WIDTH, HEIGHT, PATCH = 640, 352, 16
KR, KB = 0.2627, 0.0593
KG = 1 - KR - KB
A = 0.17883277
B, C = 1 - 4 * A, 0.5 - A * np.log(4 * A)
M1, M2 = 2610 / 16384, 2523 / 4096 * 128
C1, C2, C3 = 3424 / 4096, 2413 / 4096 * 32, 2392 / 4096 * 32


def hlg_to_scene(x):
    return np.where(x <= 0.5, x * x / 3, (np.exp((x - C) / A) + B) / 12)


def nits_to_pq(nits):
    y = (np.maximum(nits, 0) / 10000) ** M1
    return ((C1 + C2 * y) / (1 + C3 * y)) ** M2


def to_ycc(rgb):
    y = rgb @ [KR, KG, KB]
    return np.stack([y, (rgb[..., 2] - y) / (2 * (1 - KB)), (rgb[..., 0] - y) / (2 * (1 - KR))], -1)


def to_rgb(ycc):
    y, cb, cr = ycc[..., 0], ycc[..., 1], ycc[..., 2]
    r, b = y + 2 * (1 - KR) * cr, y + 2 * (1 - KB) * cb
    return np.stack([r, (y - KR * r - KB * b) / KG, b], -1)


def codes(ycc):
    return np.clip(np.floor(ycc * [876, 896, 896] + [64, 512, 512] + 0.5), 0, 1023).astype(int)


def values(code):
    return (code - [64, 512, 512]) / [876, 896, 896]


def patches(seed):
    """Codes of a frame's patches, [rows][columns][Y Cb Cr]: random, with primaries, mixtures and greys among them."""
    random = np.random.default_rng(seed)
    rgb = random.random((HEIGHT // PATCH, WIDTH // PATCH, 3))
    rgb[::3, ::2] = rgb[::3, ::2] > 0.5
    rgb[1::3, ::3] = rgb[1::3, ::3, :1]
    rgb[2::5] *= 0.1
    return codes(to_ycc(rgb))


def p010(code):
    big = np.repeat(np.repeat(code, PATCH, 0), PATCH, 1)
    chroma = np.repeat(np.repeat(code[..., 1:], PATCH // 2, 0), PATCH // 2, 1)
    return (big[..., 0] << 6).astype("<u2").tobytes() + (chroma << 6).astype("<u2").tobytes()


def centres(data):
    """Codes in the middle of the patches."""
    words = np.frombuffer(data, "<u2") >> 6
    luma = words[: WIDTH * HEIGHT].reshape(HEIGHT, WIDTH)
    chroma = words[WIDTH * HEIGHT:].reshape(HEIGHT // 2, WIDTH // 2, 2)
    m, h = PATCH // 2, PATCH // 4
    return np.concatenate([luma[m::PATCH, m::PATCH, None], chroma[h::PATCH // 2, h::PATCH // 2]], -1).astype(int)


RAW = ["-f", "rawvideo", "-pix_fmt", "p010le", "-s", f"{WIDTH}x{HEIGHT}"]
QUIET = ["ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin"]


def through(data, transfer, kind):
    """Bytes through ffmpeg's FFV1, hdrbatch and ffmpeg."""
    with tempfile.TemporaryDirectory() as folder:
        film, out = f"{folder}/in.mkv", f"{folder}/out.p010"
        subprocess.run(QUIET + RAW + ["-i", "-", "-c:v", "ffv1", "-pix_fmt", "yuv420p10le", film], input=data, check=True)
        source = subprocess.Popen(QUIET + ["-i", film, "-f", "rawvideo", "-pix_fmt", "p010le", "-"], stdout=subprocess.PIPE)
        words = [options.program, "render", "-", "-o", "-", "--from", f"raw:p010,{WIDTH}x{HEIGHT}", "--cicp",
                 f"9/{transfer}/9", "--range", "limited", "--to", f"{kind}-raw:p010"]
        ours = subprocess.Popen(words, stdin=source.stdout, stdout=subprocess.PIPE)
        subprocess.run(["ffmpeg", "-hide_banner", "-loglevel", "error"] + RAW
                       + ["-i", "-", "-f", "rawvideo", "-pix_fmt", "p010le", out], stdin=ours.stdout, check=True)
        if ours.wait() != 0 or source.wait() != 0:
            sys.exit("a program of the pipe failed")
        return open(out, "rb").read()


failed = False
frames = [patches(seed) for seed in range(12)]
data = b"".join(p010(frame) for frame in frames)
size = len(data) // len(frames)
result = through(data, 18, "pq")
assert len(result) == len(data), f"{len(result)} bytes for {len(data)}"
worst, counted, histogram = 0, 0, np.zeros(4, int)
for index, frame in enumerate(frames):
    signal = to_rgb(values(frame))
    inside = np.all((signal >= 0) & (signal <= 1), -1)
    scene = hlg_to_scene(np.clip(signal, 0, 1))
    light = 1000 * scene * (scene @ [KR, KG, KB])[..., None] ** 0.2
    wanted = to_ycc(nits_to_pq(light)) * [876, 896, 896] + [64, 512, 512]
    found = centres(result[index * size:(index + 1) * size])
    off = np.abs(found - np.clip(np.floor(wanted + 0.5), 0, 1023).astype(int))[inside]
    worst, counted = max(worst, off.max()), counted + off.size
    histogram += np.bincount(np.minimum(off.ravel(), 3), minlength=4)
print(f"HLG to PQ: {counted} codes of {len(frames)} frames, largest difference {worst} codes of 10 bits; "
      f"{histogram[0] / counted:.2%} equal")
failed |= worst > 1
for transfer, kind in [(16, "pq"), (18, "hlg")]:
    kept = np.concatenate([np.frombuffer(p010(f), "<u2") >> 6 for f in frames])
    found = np.frombuffer(through(data, transfer, kind), "<u2") >> 6
    centre = np.concatenate([(centres(p010(f)) != centres(found[i * size // 2:(i + 1) * size // 2].astype("<u2") << 6))[
        np.all((to_rgb(values(f)) >= 0) & (to_rgb(values(f)) <= 1), -1)].ravel() for i, f in enumerate(frames)])
    print(f"{kind} to {kind}: {int(centre.sum())} of {centre.size} codes differ within patches "
          f"({int((kept != found).sum())} of {kept.size} with edges and codes outside 0...1)")
    failed |= bool(centre.any())

peaks = []
for count in [20, options.frames]:
    source = subprocess.Popen(QUIET + ["-f", "lavfi", "-i", "testsrc2=s=1920x1080:r=30", "-frames:v", str(count), "-pix_fmt",
                                       "p010le", "-f", "rawvideo", "-"], stdout=subprocess.PIPE)
    words = [options.program, "render", "-", "-o", "-", "--from", "raw:p010,1920x1080", "--cicp", "9/18/9", "--range",
             "limited", "--to", "pq-raw:p010"]
    ours = subprocess.Popen(words, stdin=source.stdout, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=False)
    read = 0
    while block := ours.stdout.read(1 << 20):
        read += len(block)
    message = ours.stderr.read().decode()
    if ours.wait() != 0 or read != count * 1920 * 1080 * 3:
        sys.exit(f"{count} frames: {read} bytes, {message}")
    peaks.append(int(re.search(r"peak memory (\d+) MiB", message).group(1)))
    print(f"{count} frames of 1920x1080: {message.strip()}")
print(f"peak memory: {peaks[0]} MiB with 20 frames, {peaks[1]} MiB with {options.frames}")
failed |= peaks[1] > 1.1 * peaks[0]
sys.exit(1 if failed else 0)
