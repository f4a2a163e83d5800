// swift-tools-version: 6.2
// Fuzz targets of hdrbatch's parsers, by libFuzzer: docs/fuzzing.md. A package of its own, because every target in it is
// built with -sanitize=fuzzer. Sources holds links to the rooms of the main package; nothing in them is changed.
import PackageDescription

func library(_ name: String) -> Target { .systemLibrary(name: name, path: "Sources/\(name)") }

/// Settings that make C's undefined behaviour a trap, which needs no runtime: the build for coverage has no sanitizer.
let strict: [CSetting] = [.unsafeFlags(["-fsanitize=undefined", "-fsanitize-trap=undefined", "-O2"])]

/// Tests of the main package see `package` names only; fuzz targets go straight to parsers that are internal.
let testable: [SwiftSetting] = [.unsafeFlags(["-enable-testing"])]

let package = Package(
  name: "Fuzz",
  targets: [
    library("CDav1d"), library("CTurboJPEG"), library("CLCMS"), library("CAOM"),
    library("CISAL"), library("CDeflate"), library("CYAML"), library("CNettle"), library("CFuzzer"),
    library("CGlslang"),
    .target(
      name: "CPNGShim", cSettings: strict,
      linkerSettings: [.linkedLibrary("png16"), .linkedLibrary("z"), .linkedLibrary("isal")]),
    .target(name: "CAVCodec", dependencies: ["CRunTime"], exclude: ["library"], cSettings: strict),
    .target(name: "CPlatform", cSettings: strict),
    .target(name: "CRunTime", cSettings: strict, linkerSettings: [.linkedLibrary("dl")]),
    .target(name: "CTIFF", dependencies: ["CRunTime"], cSettings: strict),
    .target(name: "CHEIF", dependencies: ["CRunTime"], cSettings: strict),
    .target(name: "CDe265", dependencies: ["CRunTime"], cSettings: strict),
    .target(name: "CJXL", dependencies: ["CRunTime"], cSettings: strict, linkerSettings: [.linkedLibrary("dl")]),
    .target(name: "CRaw", dependencies: ["CRunTime"], cSettings: strict),
    .target(name: "COpenEXR", dependencies: ["CRunTime"], cSettings: strict),
    .target(name: "PlainData", swiftSettings: testable),
    .target(name: "HDRCore", swiftSettings: testable, linkerSettings: [.linkedLibrary("m")]),
    // scripts/fuzz puts the files that ShaderTool makes of the list of stages beside the link.
    .target(name: "Kernels", dependencies: ["HDRCore"], swiftSettings: testable),
    .target(name: "HDRPlan", dependencies: ["HDRCore", "Kernels", "PlainData", "SPIRV"], swiftSettings: testable),
    .target(name: "GLSLCompiler", dependencies: ["CGlslang"]),
    .target(name: "KernelCompiler", dependencies: ["GLSLCompiler", "HDRCore", "PlainData"], swiftSettings: testable),
    .target(name: "HDRRecipe", dependencies: ["HDRCore", "HDRPlan", "PlainData", "CYAML"], swiftSettings: testable),
    .target(
      name: "FileParts", dependencies: ["HDRCore", "PlainData", "CDeflate", "CISAL", "CLCMS", "CNettle", "Threads"],
      swiftSettings: testable),
    .target(
      name: "ImageFiles",
      dependencies: [
        "FileParts", "HDRCore", "PlainData", "CAOM", "CAVCodec", "CDav1d", "CDe265", "CDeflate", "CHEIF", "CISAL",
        "CJXL",
        "CLCMS", "COpenEXR", "CPNGShim", "CRaw", "CTIFF", "CTurboJPEG",
      ], swiftSettings: testable),
    .target(
      name: "CodecService",
      dependencies: ["FileParts", "ImageFiles", "PlainData", "CPlatform", "CNettle", "KernelCompiler"],
      swiftSettings: testable),
    .target(name: "Threads", dependencies: ["CPlatform"]),
    .target(name: "SPIRV"),
    .target(name: "LaneLoops", dependencies: ["Kernels"]),
    .target(
      name: "LaneLoopsV3", dependencies: ["Kernels"], swiftSettings: [.unsafeFlags(["-Xcc", "-march=x86-64-v3"])]),
    .target(
      name: "SPIRVExecutor", dependencies: ["CPlatform", "HDRCore", "LaneLoops", "LaneLoopsV3", "SPIRV", "Threads"]),
    .target(name: "CPUReference", dependencies: ["HDRCore", "HDRPlan", "Kernels"]),
    .target(
      name: "CPUReferenceV3", dependencies: ["HDRCore", "HDRPlan", "Kernels"],
      swiftSettings: [.unsafeFlags(["-Xcc", "-march=x86-64-v3"]), .define("LANES16")]),
    .target(
      name: "CPURender",
      dependencies: ["HDRCore", "HDRPlan", "CPlatform", "Threads", "CPUReference", "CPUReferenceV3"],
      swiftSettings: testable),
    // Links to what cuts plans for a device and fills its memory, without Vulkan.
    .target(name: "GPURender", dependencies: ["HDRCore", "HDRPlan", "Kernels"], swiftSettings: testable),
    // Links to what reads recipes, manifests, journals and their words, and to what decides on renditions.
    .target(
      name: "HDRRender",
      dependencies: [
        "FileParts", "HDRCore", "HDRPlan", "HDRRecipe", "ImageFiles", "Kernels", "CodecService", "CPlatform",
        "CPURender",
        "GPURender", "PlainData", "Threads",
      ], swiftSettings: testable),
    .target(
      name: "BatchEngine",
      dependencies: [
        "FileParts", "HDRPlan", "HDRRecipe", "HDRRender", "ImageFiles", "CodecService", "CPlatform", "CISAL",
        "PlainData",
      ],
      swiftSettings: testable),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "FileParts", "BatchEngine", "CPURender", "GPURender", "HDRPlan", "HDRRecipe", "HDRRender", "Kernels",
        "PlainData",
        "SPIRVExecutor", "CFuzzer",
      ]),
  ]
)
