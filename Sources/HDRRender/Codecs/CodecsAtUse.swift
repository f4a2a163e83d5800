import FileParts
import CodecService
import HDRCore
import ImageFiles
import Synchronization

extension IsolationOptions {
  /// Returns the codecs of this isolation.
  ///
  /// - Parameter libraries: the libraries that the first files are likely to need.
  /// - Throws: `UnavailableError`.
  package func codecs(
    _ limits: DecodeLimits, libraries: RunTimeLibraries = []
  ) throws(UnavailableError) -> any CodecBorder {
    isolation == .none ? InProcessCodecs() : try IsolatedCodecs(self, limits: limits, libraries: libraries)
  }
}

/// Codecs that start at their first use, because most recipes name no picture.
package final class CodecsAtUse: CodecBorder {
  private let options: IsolationOptions
  private let limits: DecodeLimits
  private let started = Mutex<(any CodecBorder)?>(nil)

  package init(_ options: IsolationOptions, limits: DecodeLimits) {
    self.options = options
    self.limits = limits
  }

  /// Returns the codecs, started for this file if necessary.
  private func codecs(_ file: InputFile?) throws(CodecError) -> any CodecBorder {
    let result = started.withLock { started -> Result<any CodecBorder, UnavailableError> in
      if let started { return .success(started) }
      // The decoder rejects a file of unknown format.
      let libraries = file.flatMap { try? IsolatedCodecs.libraries($0, limits.reading) } ?? []
      do throws(UnavailableError) {
        let codecs = try options.codecs(limits, libraries: libraries)
        started = codecs
        return .success(codecs)
      } catch {
        return .failure(error)
      }
    }
    do throws(UnavailableError) {
      return try result.get()
    } catch {
      throw error.loss
    }
  }

  package func decode(
    _ file: InputFile, request: DecodeRequest, limits: DecodeLimits,
    admit: (DecodeHead) throws(CodecError) -> Void
  ) throws(CodecError) -> CodecAnswer<SourceImage> {
    try codecs(file).decode(file, request: request, limits: limits, admit: admit)
  }

  package func codedRenditions(
    _ file: InputFile, limits: DecodeLimits
  ) throws(CodecError) -> CodecAnswer<CodedRenditions> {
    try codecs(file).codedRenditions(file, limits: limits)
  }

  package func deviceSpace(_ file: InputFile, limits: DecodeLimits) throws(CodecError) -> CodecAnswer<DeviceSpace> {
    try codecs(nil).deviceSpace(file, limits: limits)
  }

  package func kernel(_ file: InputFile, limits: DecodeLimits) throws(CodecError) -> CodecAnswer<KernelAnswer> {
    try codecs(nil).kernel(file, limits: limits)
  }

  package func encode(
    _ request: FileRequest, into files: OutputDescriptors
  ) throws(CodecError) -> CodecAnswer<WrittenFiles> {
    try codecs(nil).encode(request, into: files)
  }

  package var isolation: String { started.withLock { $0?.isolation } ?? options.isolation.rawValue }
  package var reduction: String? { started.withLock { $0?.reduction } }
  package func close() -> (cpuSeconds: Double, peakBytes: Int) {
    started.withLock { started in
      defer { started = nil }
      return started?.close() ?? (0, 0)
    }
  }
}
