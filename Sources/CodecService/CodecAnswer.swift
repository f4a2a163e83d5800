import HDRCore
import ImageFiles

/// What an encoder gets: one rendition, two and their map, a JPEG, or a file that is there.
package enum FileRequest: Sendable {
  case rendition(EncodeRequest)
  case adaptive(AdaptiveRequest)
  case recompress(RecompressRequest)
  /// A JPEG as it is.
  case copy([UInt8])

  /// Of the main file that comes out, in lower case.
  package var fileExtension: String {
    switch self {
    case .rendition(let request): request.kind.fileExtension
    case .adaptive(let request): request.container.fileExtension
    case .recompress: OutputKind.pqJXL.fileExtension
    case .copy: OutputKind.sdrJPEG.fileExtension
    }
  }

  /// How the request holds untrusted bytes: payloads of inputs and profiles.
  package enum ForeignBytes: Sendable, Hashable {
    case none
    /// They are copied; what reads them is written in Swift.
    case copied
    /// Codec libraries read them, too.
    case coded
  }

  /// What it carries of them.
  package var foreignBytes: ForeignBytes {
    func carried(_ any: Bool, _ format: String) -> ForeignBytes { !any ? .none : format == "jxl" ? .coded : .copied }
    switch self {
    case .rendition(let request): return carried(request.icc != nil, request.kind.format)
    case .adaptive(let request):
      let any =
        request.base.isCoded || request.map.isCoded || request.baseColor.icc != nil
        || request.alternateColor?.icc != nil
      return carried(any, request.container.rawValue)
    case .copy: return .copied
    case .recompress: return .coded
    }
  }
}

/// The result of one codec operation and how its time divides.
package struct CodecAnswer<Value: Sendable>: Sendable {
  package var value: Value
  package var seconds: [Phase: PhaseSeconds]
  /// SHA-256 of the whole input file; `nil` for operations without one.
  package var inputDigest: Digest?
  /// Another process did it: its CPU time is none of this one's.
  package var isElsewhere: Bool

  package init(
    _ value: Value, _ seconds: [Phase: PhaseSeconds] = [:], inputDigest: Digest? = nil, isElsewhere: Bool = false
  ) {
    self.value = value
    self.seconds = seconds
    self.inputDigest = inputDigest
    self.isElsewhere = isElsewhere
  }
}

/// Files that were written into open descriptors, read again and verified.
package struct CodedFiles: Sendable, Hashable {
  package var mainBytes: Int
  /// `nil` where the kind has no sidecar.
  package var sidecarBytes: Int?
  /// What the format could not carry, for the record.
  package var warnings: [Warning]

  package init(mainBytes: Int, sidecarBytes: Int? = nil, warnings: [Warning] = []) {
    self.mainBytes = mainBytes
    self.sidecarBytes = sidecarBytes
    self.warnings = warnings
  }
}

/// Why a codec operation failed.
package enum CodecError: Error, Sendable, Equatable {
  case decode(DecodeError)
  case encode(EncodeError)
  /// Reading the input or writing an output failed; error numbers of the system.
  case read(Int32)
  case write(Int32, isSidecar: Bool)
  /// The process that did it is lost: how, in a stable short code and one line. `isLast`: the next item would meet the
  /// same, or too many have.
  case lost(code: String, message: String, isLast: Bool)
}
