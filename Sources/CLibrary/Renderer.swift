import BatchEngine
import CHDRBatch
import Glibc
import HDRCore
import HDRRecipe
import HDRRender
import PlainData

/// The version, which lives as long as the process.
private let version = CText(hdrbatchVersion)

@c @implementation
package func hdrbatch_version() -> UnsafePointer<CChar>? { UnsafePointer(version.start) }

@c @implementation
package func hdrbatch_renderer_open(
  _ options: UnsafePointer<UnsafePointer<CChar>?>?, _ error: ErrorPlace?
) -> OpaquePointer? {
  answer(error, else: nil) { () throws(HDRError) in
    var options = try Options(options)
    let program = try options.take("codec-program")
    let values = try options.values(of: RendererOptions.rows)
    return Handles.add(try RendererOptions.renderer(values, program: program))
  }
}

@c @implementation
package func hdrbatch_renderer_info(
  _ renderer: OpaquePointer?, _ error: ErrorPlace?
) -> UnsafeMutablePointer<CChar>? {
  answer(error, else: nil) { () throws(HDRError) in
    let renderer: HDRRenderer = try Handles.get(renderer, "renderer")
    let facts: JSON = [
      "version": .string(hdrbatchVersion), "device": .string(renderer.deviceName),
      "fallback": .maybe(renderer.fallbackReason), "isolation": .string(renderer.isolation),
    ]
    return CText.copy(facts.line)
  }
}

/// The settings that a renderer is opened with.
private enum RendererOptions {
  static let machine = Settings.machine, safety = Settings.safety, decoders = Settings.decoders

  static let rows: [Setting] =
    [machine.backend.setting, machine.device.setting, machine.threads.setting] + safety.rows + decoders.rows

  static func renderer(_ values: SettingValues, program: String?) throws(HDRError) -> HDRRenderer {
    var limits = DecodeLimits(hevcDecoder: values[decoders.hevcDecoder])
    limits.maxPixels = values[safety.maxPixels]
    limits.maxSide = values[safety.maxSide]
    limits.maxFileBytes = values[safety.maxFileBytes]
    limits.unsafeCodecs = values[safety.unsafeCodecs]
    var isolation = IsolationOptions(values.has(safety.isolation) ? values[safety.isolation] : .none)
    isolation.requiresSandbox = values[safety.requireSandbox]
    isolation.limits.seconds = values[safety.maxSeconds]
    isolation.limits.memoryBytes = values[safety.maxWorkerMemory]
    isolation.limits.crashes = values[safety.maxCrashes]
    isolation.program = program.map { FilePath($0) } ?? programBeside
    isolation.programAdvice =
      "it is installed beside libhdrbatch.so; codec-program or HDRBATCH_CODEC names another, isolation=none goes without"
    return try HDRRenderer(
      backend: values[machine.backend], device: values[machine.device], threads: values[machine.threads],
      isolation: isolation, limits: limits)
  }

  /// The codec program beside this library; `nil` if there is none, or the environment names one.
  private static var programBeside: FilePath? {
    guard Environment.value("HDRBATCH_CODEC") == nil, let file = hdr_own_file() else { return nil }
    let program = FilePath(bytes: Array(UnsafeRawBufferPointer(start: file, count: strlen(file)))).parent
      .appending("hdrbatch-codec")
    return program.withCString { access($0, X_OK) } == 0 ? program : nil
  }
}
