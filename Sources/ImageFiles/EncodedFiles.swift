import HDRCore

/// The files of one output: the main one, and for `rgba16f` a JSON sidecar.
package struct EncodedFiles: Sendable {
  /// The parts of the main file, in order.
  package private(set) var parts: [FilePart]
  /// A JSON sidecar, written to the main file's name plus `.json`.
  package var sidecar: [UInt8]?
  /// Warnings for the record: the data that the format cannot hold.
  package var warnings: [Warning]

  package init(main: [UInt8], sidecar: [UInt8]? = nil, warnings: [Warning] = []) {
    self.init(parts: [.bytes(main)], warnings: warnings)
    self.sidecar = sidecar
  }

  package init(parts: [FilePart], warnings: [Warning] = []) {
    (self.parts, self.warnings) = (parts, warnings)
  }

  /// The main file's bytes; a copy where it has several parts.
  package var main: [UInt8] {
    get {
      if parts.count == 1, case .bytes(let bytes) = parts[0] { return bytes }
      return parts.reduce(into: []) { bytes, part in part.withBytes { bytes += $0 } }
    }
    set { parts = [.bytes(newValue)] }
  }

  /// The bytes of the main file.
  package var byteCount: Int { parts.reduce(0) { $0 + $1.byteCount } }
}

/// A part of a file: bytes, or a range of memory that holds them already and need not be copied.
package enum FilePart: Sendable {
  case bytes([UInt8])
  case memory(PixelBuffer, Range<Int>)

  package var byteCount: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .memory(_, let range): range.count
    }
  }

  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    switch self {
    case .bytes(let bytes): bytes.withUnsafeBytes(body)
    case .memory(let memory, let range):
      withExtendedLifetime(memory) {
        body(UnsafeRawBufferPointer(start: memory.base + range.lowerBound, count: range.count))
      }
    }
  }
}
