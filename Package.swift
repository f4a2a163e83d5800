// swift-tools-version: 6.2
// hdrbatch: imports go down, never up. Every target names each module that it imports; a test compares.
import PackageDescription

/// One system library of the platform: a module map and a shim header in Sources/NAME.
func library(_ name: String, apt: String) -> Target {
  .systemLibrary(name: name, path: "Sources/\(name)", providers: [.apt([apt])])
}

/// C shims never contract a*b+c: their bits must not depend on the machine.
let exactC: [CSetting] = [.unsafeFlags(["-O2", "-ffp-contract=off"])]

/// Square roots of numbers below 0 do not set `errno`: loops with roots run on several pixels at a time.
let plainRoots = SwiftSetting.unsafeFlags(["-Xcc", "-fno-math-errno"])

/// Tests that call more than they compute: optimising them takes minutes and saves seconds. Nothing is described to
/// debuggers: SwiftPM adds `-g` behind these words, so the frontend is told. No one imports tests: their modules are made
/// with the objects, in one go.
let quickly: [SwiftSetting] = [.unsafeFlags(["-Onone", "-Xfrontend", "-gnone", "-no-emit-module-separately-wmo"])]

/// Loops over the lanes of users' kernels, on x86-64 in two builds.
#if arch(x86_64)
  let loops: [Target.Dependency] = ["LaneLoops", "LaneLoopsV3"]
#else
  let loops: [Target.Dependency] = ["LaneLoops"]
#endif

var targets: [Target] = [
  // C borders: one folder per library.
  library("CVulkan", apt: "libvulkan-dev"),
  library("CDav1d", apt: "libdav1d-dev"),
  library("CTurboJPEG", apt: "libturbojpeg0-dev"),
  library("CLCMS", apt: "liblcms2-dev"),
  library("CAOM", apt: "libaom-dev"),
  library("CISAL", apt: "libisal-dev"),
  library("CDeflate", apt: "libdeflate-dev"),
  library("CYAML", apt: "libyaml-dev"),
  library("CNettle", apt: "nettle-dev"),
  library("CGlslang", apt: "glslang-dev"),
  .target(
    name: "CPNGShim", cSettings: exactC,
    linkerSettings: [.linkedLibrary("png16"), .linkedLibrary("z"), .linkedLibrary("isal")]),
  .target(name: "CPlatform", cSettings: exactC),
  // Headers alone: moves of lanes, which are compiled into both builds of loops.
  .systemLibrary(name: "CLanes"),
  // The C library's header.
  .target(name: "CHDRBatch", cSettings: exactC),
  // Configs of OpenColorIO that the program carries.
  .target(name: "CBuiltinConfigs", exclude: ["configs"], cSettings: exactC),
  // Libraries that are opened at run time, with the headers of libtiff-dev, libheif-dev, libde265-dev, libraw-dev,
  // libjxr-dev, libwebp-dev, libopenjp2-7-dev.
  .target(name: "CRunTime", cSettings: exactC, linkerSettings: [.linkedLibrary("dl")]),
  .target(name: "CTIFF", dependencies: ["CRunTime"], cSettings: exactC),
  .target(name: "CHEIF", dependencies: ["CRunTime"], cSettings: exactC),
  .target(name: "CDe265", dependencies: ["CRunTime"], cSettings: exactC),
  .target(name: "CRaw", dependencies: ["CRunTime"], cSettings: exactC),
  // Looks for libhdrbatch-avcodec.so at run time; scripts/avcodec builds that of Debian's FFmpeg source and `library`.
  .target(name: "CAVCodec", dependencies: ["CRunTime"], exclude: ["library"]),
  // Opens libOpenEXRCore at run time, and holds loops over samples of OpenEXR.
  .target(name: "COpenEXR", dependencies: ["CRunTime"], cSettings: exactC),
  // Looks for libjxl at run time: libhdrbatch-jxl.so of scripts/jxl, else the system's.
  .target(name: "CJXL", dependencies: ["CRunTime"], cSettings: exactC, linkerSettings: [.linkedLibrary("dl")]),
  // Opens libjxr at run time; its headers name each other without their folder.
  .target(
    name: "CJXR", dependencies: ["CRunTime"], cSettings: exactC + [.unsafeFlags(["-I/usr/include/jxrlib"])]),
  .target(name: "CWebP", dependencies: ["CRunTime"], cSettings: exactC),
  .target(name: "COpenJPEG", dependencies: ["CRunTime"], cSettings: exactC),
  .target(name: "CSandbox", cSettings: exactC, linkerSettings: [.linkedLibrary("seccomp")]),

  // Kernels: GLSL in Sources/Kernels and Sources/Shaders/glsl, compiled at build time by ShaderTool, which also makes the
  // lists of stages.
  // SPIRV reads, lints and composes modules; it is shared by the tool and the program.
  .target(name: "SPIRV"),
  .target(name: "GLSLCompiler", dependencies: ["CGlslang"]),
  .executableTarget(name: "ShaderTool", dependencies: ["GLSLCompiler", "SPIRV"]),
  .plugin(name: "ShaderPlugin", capability: .buildTool(), dependencies: ["ShaderTool"]),
  .target(name: "Shaders", dependencies: ["SPIRV"], exclude: ["glsl"], plugins: ["ShaderPlugin"]),

  // The rooms.
  // Values and text without pictures: JSON, YAML, numbers, hexadecimal digits, names.
  .target(name: "PlainData"),
  // YAML with places: recipes and configs.
  .target(name: "YAML", dependencies: ["PlainData", "CYAML"]),
  // The model: colour, light, pictures, metadata.
  .target(name: "HDRCore", linkerSettings: [.linkedLibrary("m")]),
  // OpenColorIO's configs as values, and what they ask for as lists of operations: no pixels, no files.
  .target(name: "OCIOConfig", dependencies: ["HDRCore", "PlainData", "YAML", "CBuiltinConfigs"]),
  // Stages: parameters, loop over lanes and GLSL of each side by side.
  .target(name: "Kernels", dependencies: ["HDRCore", "CLanes"], plugins: ["ShaderPlugin"]),
  // The plans, as data: operators, filters and passes that change pictures.
  .target(name: "HDRPlan", dependencies: ["HDRCore", "Kernels", "OCIOConfig", "PlainData", "SPIRV"]),
  // Settings and recipes as values: no argv, no files, no processes.
  .target(name: "HDRRecipe", dependencies: ["HDRCore", "HDRPlan", "PlainData", "YAML"]),
  .target(
    name: "CPUReference", dependencies: ["HDRCore", "HDRPlan", "Kernels"], swiftSettings: [plainRoots],
    plugins: ["ShaderPlugin"]),
  .target(
    name: "GPURender",
    dependencies: [
      "HDRCore", "HDRPlan", "Kernels", "PlainData", "Shaders", "SPIRV", "SPIRVExecutor", "Threads", "CVulkan", "CISAL",
    ]),
  // Runs kernels' SPIR-V on the CPU, with the bits that its exact operations define.
  .target(name: "LaneLoops", dependencies: ["Kernels"]),
  .target(
    name: "SPIRVExecutor",
    dependencies: ["CPlatform", "HDRCore", "SPIRV", "Threads"] + loops),
  // Users' kernels read and checked: what plans carry.
  .target(name: "UserKernels", dependencies: ["HDRCore", "HDRPlan", "Kernels", "SPIRV", "SPIRVExecutor", "Shaders"]),
  // Threads that block, and values that they wait for.
  .target(name: "Threads", dependencies: ["CPlatform"]),
  // Formats share these: bytes, IFDs, Exif, XMP, ICC profiles and a file's colour, deflate streams, rows of samples.
  .target(
    name: "FileParts", dependencies: ["HDRCore", "CDeflate", "CISAL", "CLCMS", "CNettle", "Threads", "PlainData"]),
  // Bitstreams of clips: containers as packets, parameter sets, dynamic metadata, measured light. No process, no pixels' colour.
  .target(name: "VideoStreams", dependencies: ["FileParts", "HDRCore", "PlainData", "CDeflate"]),
  // The formats, a folder each, and the lists of readers, writers and libraries.
  .target(
    name: "ImageFiles",
    dependencies: [
      "FileParts", "HDRCore", "PlainData", "CAOM", "CAVCodec", "CDav1d", "CDe265", "CDeflate", "CHEIF", "CISAL", "CJXL",
      "CJXR", "CLCMS", "COpenEXR", "COpenJPEG", "CPNGShim", "CRaw", "CTIFF", "CTurboJPEG", "CWebP",
    ]),
  // Users' kernels: text to a module, where codecs run.
  .target(name: "KernelCompiler", dependencies: ["GLSLCompiler", "HDRCore", "PlainData"]),
  // What codecs do with open descriptors, and how a process asks another for it.
  .target(
    name: "CodecService",
    dependencies: ["FileParts", "HDRCore", "ImageFiles", "PlainData", "CPlatform", "CNettle", "KernelCompiler"]),
]

var references: [Target.Dependency] = ["CPUReference"]

#if arch(x86_64)
  // The same sources once more for x86-64-v3 (AVX2, F16C), chosen at start by CPUID. Sources/CPUReferenceV3 is a
  // symbolic link to Sources/CPUReference, Sources/LaneLoopsV3 one to Sources/LaneLoops.
  let v3 = SwiftSetting.unsafeFlags(["-Xcc", "-march=x86-64-v3"])
  targets += [
    .target(
      name: "CPUReferenceV3", dependencies: ["HDRCore", "HDRPlan", "Kernels"],
      swiftSettings: [v3, plainRoots, .define("LANES16")],
      plugins: ["ShaderPlugin"]),
    .target(name: "LaneLoopsV3", dependencies: ["Kernels"], swiftSettings: [v3]),
  ]
  references.append("CPUReferenceV3")
#endif

targets += [
  // Whole plans on the CPU: the best build for this machine, bands of rows over threads.
  .target(
    name: "CPURender",
    dependencies: ["HDRCore", "HDRPlan", "CPlatform", "Threads"] + references),
  // The front door: files and bytes in, pictures and files out. The engine goes through it too.
  .target(
    name: "HDRRender",
    dependencies: [
      "FileParts", "HDRCore", "HDRPlan", "Kernels", "HDRRecipe", "ImageFiles", "CodecService", "CPlatform", "CPURender",
      "GPURender", "OCIOConfig",
      "PlainData", "Threads", "UserKernels",
    ]),
  // Compares two pictures, and accepts or rejects their differences.
  .target(
    name: "HDRComparison",
    dependencies: [
      "CPURender", "CodecService", "FileParts", "GPURender", "HDRCore", "HDRPlan", "HDRRecipe", "HDRRender",
      "ImageFiles", "Kernels", "PlainData",
    ], swiftSettings: [plainRoots]),
  .target(
    name: "BatchEngine",
    dependencies: [
      "FileParts", "HDRComparison", "HDRCore", "HDRPlan", "HDRRecipe", "HDRRender", "ImageFiles", "CodecService",
      "CPlatform", "CISAL", "GPURender", "PlainData", "Threads",
    ]),
  // A process that stays warm: requests of clients, in lines, to the engine.
  .target(
    name: "Serve",
    dependencies: [
      "BatchEngine", "CPlatform", "CodecService", "GPURender", "HDRComparison", "HDRCore", "HDRRecipe", "HDRRender",
      "ImageFiles", "PlainData", "Threads",
    ]),
  // The door for C: scripts/release/c-library makes libhdrbatch.so of it. Swift's runtime is in the library, and nothing
  // but the functions of the header is seen from outside.
  .target(
    name: "CLibrary",
    dependencies: ["BatchEngine", "CHDRBatch", "HDRComparison", "HDRCore", "HDRRecipe", "HDRRender", "PlainData"],
    exclude: ["hdrbatch.map"],
    linkerSettings: [
      .unsafeFlags([
        "-static-stdlib", "-use-ld=lld", "-Xlinker", "-soname=libhdrbatch.so.0",
        "-Xlinker", "-z", "-Xlinker", "nodelete",
        "-Xlinker", "--version-script=\(Context.packageDirectory)/Sources/CLibrary/hdrbatch.map",
      ])
    ]),
  // Clips: programs that decode and encode them, locked in, and frames through the front door.
  .target(
    name: "Video",
    dependencies: [
      "BatchEngine", "CodecService", "CPlatform", "FileParts", "HDRCore", "HDRPlan", "HDRRecipe", "HDRRender",
      "ImageFiles", "Kernels", "PlainData", "Threads", "VideoStreams",
    ]),
  // A page to look at a batch.
  .target(
    name: "Gallery",
    dependencies: [
      "BatchEngine", "CodecService", "HDRComparison", "HDRCore", "HDRRecipe", "HDRRender", "ImageFiles", "PlainData",
    ],
    resources: [
      "page.js", "head.html", "gallery.html", "gallery.css", "gallery.js", "compare.html", "compare.css", "compare.js",
    ].map { .embedInCode("Page/\($0)") }),
  // What the program says about itself: bench, verify, doctor.
  .target(
    name: "Measure",
    dependencies: [
      "FileParts", "BatchEngine", "CodecService", "CPlatform", "CPURender", "GPURender", "HDRCore", "HDRPlan",
      "HDRComparison", "Kernels", "HDRRecipe", "HDRRender", "ImageFiles", "PlainData", "SPIRVExecutor", "Threads",
    ]),
  .executableTarget(
    name: "hdrbatch",
    dependencies: [
      "BatchEngine", "CPlatform", "CodecService", "GPURender", "Gallery", "HDRComparison", "HDRCore", "HDRPlan",
      "HDRRecipe", "HDRRender", "ImageFiles", "Measure", "PlainData", "Serve", "Threads", "Video",
    ]),
  // Decodes and encodes for hdrbatch, locked in: no Foundation, no Dispatch, no Swift concurrency.
  .target(
    name: "CodecProcess",
    dependencies: ["CodecService", "CPlatform", "CSandbox", "FileParts", "HDRCore", "ImageFiles"]),
  .executableTarget(name: "hdrbatch-codec", dependencies: ["CodecProcess", "CodecService"]),
  .target(name: "TestSupport", path: "Tests/TestSupport"),
  // Values of the model that tests and fuzz targets share.
  .target(name: "TestSamples", dependencies: ["HDRCore"], path: "Tests/TestSamples"),
  // Files that tests write byte by byte.
  .target(
    name: "TestFiles", dependencies: ["HDRCore", "ImageFiles", "Kernels", "TestSupport"], path: "Tests/TestFiles"),
  // Pictures and plans in memory, and what the CPU makes of them.
  .target(
    name: "TestPlans", dependencies: ["CPUReference", "CPURender", "HDRCore", "HDRPlan", "Kernels", "TestSupport"],
    path: "Tests/TestPlans"),
  // Codecs of text and a log of events for tests of the engine.
  .target(
    name: "TestEngine",
    dependencies: ["BatchEngine", "CodecService", "HDRCore", "HDRPlan", "HDRRender", "ImageFiles", "TestSupport"],
    path: "Tests/TestEngine"),
  // The codec process with its misdeeds, which tests name to hdrbatch instead of hdrbatch-codec.
  .target(name: "CForbidden", path: "Tests/CForbidden"),
  .executableTarget(
    name: "HostileCodec",
    dependencies: ["CForbidden", "CodecProcess", "CodecService", "CPlatform", "CSandbox", "HDRCore", "ImageFiles"],
    path: "Tests/HostileCodec"),
  // Vulkan devices that fail and emulated graphics cards, as layers that tests name to the loader. Nothing but their
  // functions is seen from outside, and the library stays when an instance goes: its threads may not have ended.
  .target(
    name: "CDeviceLayers", path: "Tests/CDeviceLayers", cSettings: [.unsafeFlags(["-fvisibility=hidden"])],
    linkerSettings: [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "nodelete"])]),
  // Rounding and subnormals of the testing thread.
  .target(name: "CFloatState", path: "Tests/CFloatState"),
  .testTarget(name: "PlainDataTests", dependencies: ["PlainData"]),
  // Tests lie as the rooms do. Those of a room start no program.
  // Rules about the sources: what imports what, lists against folders and pages, lint.
  .testTarget(
    name: "RepositoryTests", dependencies: ["HDRCore", "HDRPlan", "Kernels", "OCIOConfig", "TestSupport"]),
  .testTarget(name: "HDRCoreTests", dependencies: ["HDRCore", "TestSupport"]),
  .testTarget(name: "OCIOConfigTests", dependencies: ["HDRCore", "OCIOConfig", "TestSupport"]),
  .testTarget(name: "KernelsTests", dependencies: ["HDRCore", "HDRPlan", "Kernels", "TestSupport"]),
  .testTarget(
    name: "HDRPlanTests",
    dependencies: ["CPURender", "HDRCore", "HDRPlan", "Kernels", "PlainData", "TestPlans", "TestSupport"]),
  .testTarget(name: "HDRRecipeTests", dependencies: ["HDRCore", "HDRPlan", "HDRRecipe"]),
  .testTarget(
    name: "CPUReferenceTests",
    dependencies: [
      "HDRCore", "HDRPlan", "Kernels", "OCIOConfig", "TestPlans", "TestSupport", "VideoStreams",
    ] + references),
  .testTarget(
    name: "GPURenderTests",
    dependencies: [
      "GPURender", "HDRCore", "HDRPlan", "ImageFiles", "Kernels", "CFloatState", "CTurboJPEG", "KernelCompiler",
      "Shaders",
      "SPIRV", "SPIRVExecutor", "TestFiles", "TestPlans", "TestSamples", "TestSupport", "UserKernels",
    ] + references),
  .testTarget(
    name: "SPIRVExecutorTests",
    dependencies: [
      "CPlatform", "HDRCore", "KernelCompiler", "Shaders", "SPIRV", "SPIRVExecutor",
    ] + loops),
  .testTarget(
    name: "VideoStreamsTests", dependencies: ["FileParts", "HDRCore", "PlainData", "TestSupport", "VideoStreams"]),
  .testTarget(
    name: "ImageFilesTests",
    dependencies: [
      "FileParts", "HDRCore", "HDRPlan", "Kernels", "ImageFiles", "TestFiles", "TestSupport", "CISAL", "CLCMS",
      "CTurboJPEG",
    ]),
  .testTarget(
    name: "CodecServiceTests",
    dependencies: [
      "CodecService", "HDRCore", "HDRRecipe", "ImageFiles", "TestFiles", "TestSamples", "TestSupport", "Threads",
    ]),
  .testTarget(
    name: "HDRRenderTests",
    dependencies: [
      "CPURender", "CodecService", "GPURender", "HDRCore", "HDRPlan", "HDRRecipe", "HDRRender", "ImageFiles", "Kernels",
      "TestFiles", "TestPlans", "TestSupport", "FileParts",
    ]),
  .testTarget(
    name: "HDRComparisonTests",
    dependencies: [
      "CPURender", "FileParts", "HDRComparison", "HDRCore", "HDRPlan", "HDRRecipe", "HDRRender", "ImageFiles",
      "TestSupport",
    ]),
  .testTarget(
    name: "BatchEngineTests",
    dependencies: [
      "BatchEngine", "CodecService", "CPlatform", "CPURender", "HDRCore", "HDRPlan", "HDRRecipe", "HDRRender",
      "ImageFiles", "Measure", "TestEngine", "TestFiles", "TestPlans", "TestSupport", "FileParts", "PlainData",
    ]),
  // These start programs that are built beside them.
  .testTarget(
    name: "GalleryTests", dependencies: ["ImageFiles", "TestFiles", "TestSupport", "hdrbatch", "hdrbatch-codec"]),
  .testTarget(
    name: "ServeTests",
    dependencies: [
      "CPlatform", "CodecService", "HDRRender", "PlainData", "Serve", "TestSupport", "hdrbatch", "hdrbatch-codec",
    ]),
  .testTarget(
    name: "MeasureTests",
    dependencies: [
      "BatchEngine", "CFloatState", "CPURender", "GPURender", "HDRCore", "HDRPlan", "HDRRender", "Kernels", "Measure",
      "SPIRVExecutor", "ShaderTool", "TestPlans", "TestSupport", "hdrbatch", "hdrbatch-codec", "PlainData",
    ]),
  .testTarget(
    name: "ProgramTests",
    dependencies: [
      "BatchEngine", "CodecService", "CPURender", "GPURender", "HDRCore", "HDRPlan", "HDRRecipe", "HDRRender",
      "HostileCodec", "ImageFiles", "KernelCompiler", "Kernels", "TestEngine", "TestFiles", "TestSupport", "hdrbatch",
      "hdrbatch-codec", "FileParts", "PlainData", "Threads", "Video", "VideoStreams",
    ]),
  .testTarget(
    name: "VideoTests",
    dependencies: [
      "CodecService", "FileParts", "HDRCore", "HDRRecipe", "HDRRender", "PlainData", "TestFiles", "TestSupport",
      "Video",
      "VideoStreams", "hdrbatch", "hdrbatch-codec",
    ]),
]

/// Tests that compute.
let computing = ["HDRComparisonTests", "HDRPlanTests", "KernelsTests"]
for target in targets where target.type == .test && !computing.contains(target.name) { target.swiftSettings = quickly }

// HDRBATCH_TESTS names the test targets that are built, with commas between: a change of one room needs its own alone.
if let named = Context.environment["HDRBATCH_TESTS"] {
  let wanted = named.split(separator: ",").map(String.init)
  targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}

// HDRBATCH_FUZZ adds the program of scripts/fuzz and builds all for it: with libFuzzer's counters and AddressSanitizer,
// and with traps for what C leaves undefined. Fuzz targets go straight to parsers that are internal. HDRBATCH_FUZZ=quick
// optimises nothing: half the time of building, a half to a ninth of the inputs a second.
if let fuzzing = Context.environment["HDRBATCH_FUZZ"] {
  targets += [
    .systemLibrary(name: "CFuzzer", path: "Fuzz/CFuzzer"),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "BatchEngine", "CAVCodec", "CDeflate", "CFuzzer", "CISAL", "CJXL", "CPNGShim", "CPURender", "CodecService",
        "FileParts", "GPURender", "HDRCore", "HDRPlan", "HDRRecipe", "HDRRender", "ImageFiles", "Kernels", "OCIOConfig",
        "PlainData", "SPIRV", "SPIRVExecutor", "Serve", "TestSamples", "Video", "VideoStreams",
      ],
      path: "Fuzz/Sources"),
  ]
  // Rooms above the parsers: inputs take no time in them, and optimising them with sanitizers takes minutes.
  let plain = ["BatchEngine", "GPURender", "HDRRecipe", "HDRRender", "Video"]
  for target in targets where target.type == .regular || target.type == .executable {
    // Of several -sanitize the Swift compiler takes the last: both in one.
    let flags =
      ["-sanitize=fuzzer,address", "-enable-testing"]
      + (fuzzing == "quick" || plain.contains(target.name) ? ["-Onone", "-no-emit-module-separately-wmo"] : [])
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags)]
    target.cSettings =
      (target.cSettings ?? []) + [.unsafeFlags(["-fsanitize=fuzzer,address,undefined", "-fsanitize-trap=undefined"])]
    // ShaderTool runs during the build, without libFuzzer.
    if target.type == .executable {
      target.linkerSettings = [.unsafeFlags([target.name == "fuzz" ? "-sanitize=fuzzer,address" : "-sanitize=address"])]
    }
  }
}

let package = Package(
  name: "hdrbatch",
  products: [
    .executable(name: "hdrbatch", targets: ["hdrbatch"]),
    .executable(name: "hdrbatch-codec", targets: ["hdrbatch-codec"]),
    // The libraries: docs/swift.md names all that they show.
    .library(name: "HDRRender", targets: ["HDRRender"]),
    .library(name: "HDRComparison", targets: ["HDRComparison"]),
    // The C library: docs/c.md.
    .library(name: "hdrbatch-c", type: .dynamic, targets: ["CLibrary"]),
    // For tests, which load it through Vulkan's loader.
    .library(name: "DeviceLayers", type: .dynamic, targets: ["CDeviceLayers"]),
  ],
  targets: targets
)
