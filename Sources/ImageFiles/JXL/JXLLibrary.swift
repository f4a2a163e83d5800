import FileParts
import CJXL
import HDRCore

/// The library libjxl, if this machine has it. It is opened once; a codec process does so before it locks itself in.
enum JXLLibrary {
  static var functions: hdr_jxl? { hdr_jxl()?.pointee }

  /// The reason why the library is missing, in one line; the name of its thread library if only that is missing.
  static var missing: String { String(cString: hdr_jxl_missing()) }

  static var version: String? {
    functions.map {
      let number = Int($0.JxlDecoderVersion())
      return "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
    }
  }

  /// The library's name and version, for records.
  static var label: String { "libjxl" + (version.map { " " + $0 } ?? "") }

  /// Returns the library's functions, for decoding.
  static func decoding() throws(DecodeError) -> hdr_jxl {
    guard let functions else { throw .unavailable(library: "libjxl", package: "libjxl0.7", why: missing) }
    return functions
  }

  /// Returns the library's functions, for encoding.
  static func encoding() throws(EncodeError) -> hdr_jxl {
    guard let functions else { throw .unsupported(feature: "JPEG XL without libjxl", found: missing) }
    return functions
  }
}

/// The version of the loaded libjxl; `nil` if there is none.
package var jxlLibraryVersion: Int? { JXLLibrary.functions.map { Int($0.JxlDecoderVersion()) } }

/// Returns the reason why JPEG XL can neither be read nor written; `nil`: it can.
package func jxlMissing() -> String? { JXLLibrary.functions == nil ? JXLLibrary.missing : nil }

extension LibraryRow {
  static let jxl = LibraryRow("libjxl", opened: .jxl) {
    if let missing = jxlMissing() { return (nil, "JPEG XL: not there (\(missing))") }
    let hasThreads = JXLLibrary.functions?.runner != nil
    return (
      JXLLibrary.version,
      "reading and writing JPEG XL"
        + (hasThreads ? "" : ", on one thread: its own are not there (\(JXLLibrary.missing))")
    )
  }
}

/// The threads of libjxl, if more than one is wanted. They must outlive the coder that uses them.
final class JXLThreads {
  let run: JxlParallelRunner
  let runner: UnsafeMutableRawPointer
  private let destroy: (UnsafeMutableRawPointer?) -> Void

  init?(_ library: hdr_jxl, _ threads: Int) {
    guard threads > 1, let run = library.runner, let destroy = library.destroy_runner,
      let runner = library.create_runner?(nil, threads)
    else { return nil }
    (self.run, self.runner, self.destroy) = (run, runner, { destroy($0) })
  }

  deinit { destroy(runner) }
}

/// A decoder of libjxl whose memory is limited. Input must outlive it.
final class JXLDecoderHandle {
  let library: hdr_jxl
  let decoder: OpaquePointer
  private let memory: UnsafeMutablePointer<hdr_jxl_memory>
  private let runner: JXLThreads?

  /// Makes a decoder.
  ///
  /// - Parameters:
  ///   - memory: the bytes that it may take.
  ///   - threads: the number of threads that decode pixels.
  init(_ events: JxlDecoderStatus..., memory limit: Int, threads: Int = 1) throws(DecodeError) {
    library = try JXLLibrary.decoding()
    memory = .allocate(capacity: 1)
    memory.initialize(to: hdr_jxl_memory(limit: limit, held: 0, refused: 0))
    var manager = hdr_jxl_manager(memory)
    guard let decoder = library.JxlDecoderCreate(&manager) else {
      memory.deallocate()
      throw .library(name: "libjxl", code: 0, message: "no decoder")
    }
    self.decoder = decoder
    runner = JXLThreads(library, threads)
    if let runner { _ = library.JxlDecoderSetParallelRunner(decoder, runner.run, runner.runner) }
    subscribe(events)
  }

  deinit {
    library.JxlDecoderDestroy(decoder)
    memory.deallocate()
  }

  /// Sets the events to report; called before the first bytes, or after the decoder was rewound.
  func subscribe(_ events: JxlDecoderStatus...) { subscribe(events) }

  private func subscribe(_ events: [JxlDecoderStatus]) {
    _ = library.JxlDecoderSubscribeEvents(decoder, Int32(bitPattern: events.reduce(0) { $0 | $1.rawValue }))
  }

  /// Sets the whole input. It is not closed, so that the library reports missing bytes as a request for more input.
  func input(_ bytes: UnsafeBufferPointer<UInt8>) {
    _ = library.JxlDecoderSetInput(decoder, bytes.baseAddress, bytes.count)
  }

  /// Marks the end of input, as a box that lasts to the end of the file needs it.
  func closeInput() { library.JxlDecoderCloseInput(decoder) }

  func allow(memory limit: Int) { memory.pointee.limit = limit }

  func next() -> JxlDecoderStatus { library.JxlDecoderProcessInput(decoder) }

  /// Returns the error for a status that is no expected event.
  func failure(_ status: JxlDecoderStatus, place: String) -> DecodeError {
    if memory.pointee.refused > 0 {
      return .limit(
        what: "\(place): memory of one block", found: memory.pointee.refused, allowed: memory.pointee.limit,
        raise: .setting("max-pixels"))
    }
    switch status {
    case JXL_DEC_NEED_MORE_INPUT: return .truncated(where: place)
    case JXL_DEC_SUCCESS: return .malformed(where: place, what: "no picture")
    default:
      return .library(name: "libjxl", code: Int(status.rawValue), message: "\(place) is damaged or not supported")
    }
  }
}
