// swift-tools-version: 6.2
// Fuzz targets of hdrbatch's parsers, by libFuzzer: docs/fuzzing.md. A package of its own, because every target in it is
// built with -sanitize=fuzzer. Sources holds links to the rooms of the main package; nothing in them is changed.
import PackageDescription

func library(_ name: String) -> Target { .systemLibrary(name: name, path: "Sources/\(name)") }

/// Tests of the main package see `package` names only; fuzz targets go straight to parsers that are internal.
let testable: [SwiftSetting] = [.unsafeFlags(["-enable-testing"])]

let package = Package(
  name: "Fuzz",
  targets: [
    library("CDe265"), library("CDav1d"), library("CTurboJPEG"), library("CLCMS"), library("CHEIF"), library("CAOM"),
    library("CISAL"), library("CDeflate"), library("CYAML"), library("CNettle"), library("CFuzzer"),
    .target(
      name: "CPNGShim", linkerSettings: [.linkedLibrary("png16"), .linkedLibrary("z"), .linkedLibrary("isal")]),
    .target(name: "CAVCodec", exclude: ["library"], linkerSettings: [.linkedLibrary("dl")]),
    .target(name: "CPlatform"),
    .target(name: "HDRCore", swiftSettings: testable, linkerSettings: [.linkedLibrary("m")]),
    .target(name: "HDRPlan", dependencies: ["HDRCore"], swiftSettings: testable),
    .target(name: "HDRRecipe", dependencies: ["HDRCore", "HDRPlan", "CYAML"], swiftSettings: testable),
    .target(
      name: "ImageFiles",
      dependencies: [
        "HDRCore", "CAVCodec", "CDe265", "CDav1d", "CTurboJPEG", "CLCMS", "CHEIF", "CAOM", "CISAL", "CDeflate",
        "CPNGShim", "CNettle",
      ], swiftSettings: testable),
    .target(name: "CodecService", dependencies: ["ImageFiles", "CPlatform", "CNettle"], swiftSettings: testable),
    // Links to what reads recipes, manifests, journals and their words, without the renderers.
    .target(
      name: "HDRRender", dependencies: ["HDRPlan", "HDRRecipe", "ImageFiles", "CodecService", "CPlatform"],
      swiftSettings: testable),
    .target(
      name: "BatchEngine",
      dependencies: ["HDRPlan", "HDRRecipe", "HDRRender", "ImageFiles", "CodecService", "CPlatform", "CISAL"],
      swiftSettings: testable),
    .executableTarget(name: "fuzz", dependencies: ["BatchEngine", "HDRPlan", "HDRRecipe", "HDRRender", "CFuzzer"]),
  ]
)
