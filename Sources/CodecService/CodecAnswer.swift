import HDRCore
import ImageFiles

/// An encoder's input: one rendition, two with their gain map, a JPEG to recompress, or a JPEG to copy.
package enum FileRequest: Sendable {
  case rendition(EncodeRequest)
  case adaptive(AdaptiveRequest)
  case recompress(RecompressRequest)
  /// A JPEG, copied unchanged.
  case copy([UInt8])

  /// The extension of the main output file, in lower case.
  package var fileExtension: String {
    switch self {
    case .rendition(let request): request.kind.fileExtension
    case .adaptive(let request): request.container.fileExtension
    case .recompress: OutputKind.pqJXL.fileExtension
    case .copy: OutputKind.sdrJPEG.fileExtension
    }
  }

  /// The way a request holds untrusted bytes, which are payloads of inputs and profiles.
  package enum ForeignBytes: Sendable, Hashable {
    case none
    /// They are copied; only code in Swift reads them.
    case copied
    /// Codec libraries read them too.
    case coded
  }

  /// The untrusted bytes that the request holds.
  package var foreignBytes: ForeignBytes {
    func carried(_ any: Bool, _ format: FileFormat) -> ForeignBytes {
      !any ? .none : format.codesProfiles ? .coded : .copied
    }
    switch self {
    case .rendition(let request):
      if request.carried?.kept != nil { return .coded }
      let any = request.icc != nil || request.profileTone != nil || request.auxiliaries.contains { $0.picture.isCoded }
      return carried(any, request.kind.format)
    case .adaptive(let request):
      if request.isProgressiveJPEG, request.base.isCoded || request.map.isCoded { return .coded }
      let any =
        request.base.isCoded || request.map.isCoded || request.baseColor.icc != nil
        || request.alternateColor?.icc != nil || request.auxiliaries.contains { $0.picture.isCoded }
      return carried(any, request.container.format)
    case .copy: return .copied
    case .recompress: return .coded
    }
  }
}

/// The result of one codec operation and the time of its phases.
package struct CodecAnswer<Value: Sendable>: Sendable {
  package var value: Value
  package var seconds: [Phase: PhaseSeconds]
  /// SHA-256 of the whole input file; `nil` for operations without one.
  package var inputDigest: Digest?
  /// True if another process did the work; its CPU time is then not part of this process's.
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
  /// The size of the sidecar; `nil` if the kind has none.
  package var sidecarBytes: Int?
  /// Warnings for the record: the data that the format cannot hold.
  package var warnings: [Warning]

  package init(mainBytes: Int, sidecarBytes: Int? = nil, warnings: [Warning] = []) {
    self.mainBytes = mainBytes
    self.sidecarBytes = sidecarBytes
    self.warnings = warnings
  }
}

/// The reason why a codec operation failed.
package enum CodecError: Error, Sendable, Equatable {
  case decode(DecodeError)
  case encode(EncodeError)
  /// Reading the input or writing an output failed, with the system's error number.
  case read(Int32)
  case write(Int32, isSidecar: Bool)
  /// The codec process was lost; a stable short code and one line say how. `isLast`: the next item would fail in the
  /// same way, or too many processes were lost.
  case lost(code: String, message: Message, isLast: Bool)
}
