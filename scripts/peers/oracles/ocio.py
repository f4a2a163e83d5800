#!/usr/bin/env python3
"""Writes what OpenColorIO makes of a few colours by built-in configs: docs/ocio.md, `ocio.tsv` beside this file.

    scripts/peers/oracles/ocio.py > scripts/peers/oracles/ocio.tsv

Needs numpy and opencolorio 2.6. A row: config, source space, target space or display, view (empty for a space), and R, G, B
of each colour. Rows whose config is `codes` or `light` hold what goes in: codes of a space, or light of a scene.
"""
import numpy
import PyOpenColorIO as ocio

CONFIGS = [
    "cg-config-v2.2.0_aces-v1.3_ocio-v2.4", "studio-config-v2.2.0_aces-v1.3_ocio-v2.4",
    "cg-config-v4.0.0_aces-v2.0_ocio-v2.5", "studio-config-v4.0.0_aces-v2.0_ocio-v2.5",
]
CODES = numpy.array([[0.18, 0.18, 0.18], [0.5, 0.25, 0.75], [0.9, 0.4, 0.1], [0.05, 0.6, 0.3]], numpy.float32)
LIGHT = numpy.array([[0.18, 0.18, 0.18], [0.8, 0.2, 0.05], [4.0, 6.0, 9.0], [0.01, 0.03, 0.02]], numpy.float32)
ACES = "ACES2065-1"


def row(config, source, target, view, colors):
    print("\t".join([config, source, target, view] + [f"{x:.7g}" for x in colors.ravel()]))


def made(processor, colors):
    pixels = colors.copy()
    processor.getOptimizedCPUProcessor(ocio.OPTIMIZATION_NONE).applyRGB(pixels)
    return pixels


def main():
    ocio.SetLoggingLevel(ocio.LOGGING_LEVEL_NONE)
    print(f"# config\tsource\ttarget\tview\tcolours; made by scripts/peers/oracles/ocio.py, OpenColorIO {ocio.__version__}")
    row("codes", "", "", "", CODES)
    row("light", "", "", "", LIGHT)
    known = set()
    for name in CONFIGS:
        config, version = ocio.Config.CreateFromBuiltinConfig(name), name.split("-config-")[1]
        for space in config.getColorSpaces(ocio.SEARCH_REFERENCE_SPACE_SCENE, ocio.COLORSPACE_ALL):
            # A studio's spaces that the smaller config of the same version has are there once.
            key = (version, space.getName())
            if space.isData() or space.getName() == ACES or key in known:
                continue
            known.add(key)
            row(name, space.getName(), ACES, "", made(config.getProcessor(space.getName(), ACES), CODES))
            row(name, ACES, space.getName(), "", made(config.getProcessor(ACES, space.getName()), LIGHT))
        for display in config.getDisplays():
            for view in config.getViews(display):
                if view == "Raw":
                    continue
                processor = config.getProcessor("ACEScg", display, view, ocio.TRANSFORM_DIR_FORWARD)
                row(name, "ACEScg", display, view, made(processor, LIGHT))


main()
