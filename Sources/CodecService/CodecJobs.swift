import FileParts
import Glibc
import HDRCore
import ImageFiles
import KernelCompiler

/// The codec operations on open descriptors. A codec process runs them in its sandbox; without one the main process
/// runs them.
package enum CodecJobs {
  /// Reads a whole regular file from its start; the descriptor's position is not used.
  package static func read(_ descriptor: Int32, byteCount: Int) throws(CodecError) -> [UInt8] {
    var number: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
      if let base = buffer.baseAddress { PictureMemory.advise(UnsafeMutableRawPointer(base), byteCount: byteCount) }
      while count < byteCount {
        let part = pread(descriptor, buffer.baseAddress! + count, byteCount - count, off_t(count))
        if part < 0 && errno == EINTR { continue }
        if part < 0 { number = errno }
        // 0: the file became shorter while it was read; the decoder will report that it ends too early.
        if part <= 0 { break }
        count += part
      }
    }
    if number != 0 { throw .read(number) }
    return bytes
  }

  package static func decode(
    _ bytes: [UInt8], request: DecodeRequest, limits: DecodeLimits
  ) throws(CodecError) -> SourceImage {
    do throws(DecodeError) {
      return try decodeImage(bytes, request: request, limits: limits)
    } catch {
      throw .decode(error)
    }
  }

  package static func codedRenditions(_ bytes: [UInt8], limits: DecodeLimits) throws(CodecError) -> CodedRenditions {
    do throws(DecodeError) {
      return try ImageFiles.codedRenditions(bytes, limits: limits)
    } catch {
      throw .decode(error)
    }
  }

  /// Reads the colour space of an output device from the bytes of an ICC profile.
  package static func deviceSpace(_ bytes: [UInt8]) throws(CodecError) -> DeviceSpace {
    do throws(DecodeError) {
      return try FileParts.deviceSpace(ofICC: bytes)
    } catch {
      throw .decode(error)
    }
  }

  /// Compiles a kernel's text, or returns the reason why it is refused.
  package static func kernel(_ bytes: [UInt8]) -> KernelAnswer {
    do throws(KernelTextFault) {
      let kernel = try KernelCompiler.compile(bytes)
      guard kernel.words.count <= KernelAnswer.maxWords else {
        throw KernelTextFault(
          "it becomes a module of \(kernel.words.count) words, and \(KernelAnswer.maxWords) are the most: make it shorter",
          line: 0)
      }
      return .compiled(kernel)
    } catch {
      return .refused(error)
    }
  }

  /// Encodes, writes into empty files, reads them again and verifies them.
  ///
  /// - Parameters:
  ///   - main, sidecar: open for reading and writing. A kind with a sidecar needs both.
  ///   - clock: gets the time of encoding, writing and verifying.
  ///   - readBack: gets the main file's bytes as they were read again.
  package static func write(
    _ request: FileRequest, main: Int32, sidecar: Int32?, _ clock: inout PhaseClock,
    readBack: ([UInt8]) -> Void = { _ in }
  ) throws(CodecError) -> CodedFiles {
    var files: EncodedFiles
    do throws(EncodeError) {
      files = try clock.measure(.encode) { () throws(EncodeError) in
        switch request {
        case .rendition(let request): try encodeImage(request)
        case .adaptive(let request): try encodeAdaptive(request)
        case .recompress(let request): try recompress(request)
        case .copy(let bytes): EncodedFiles(main: bytes)
        }
      }
    } catch {
      throw .encode(error)
    }
    try clock.measure(.write) { () throws(CodecError) in
      for part in files.parts {
        let number = part.withBytes { write($0, main) }
        if number != 0 { throw .write(number, isSidecar: false) }
      }
      if let bytes = files.sidecar, let sidecar { try writeAll(bytes, sidecar, isSidecar: true) }
    }
    // Read back: the bytes that are checked are the bytes of the final file.
    let count = files.byteCount
    files.main = []
    return try clock.measure(.verify) { () throws(CodecError) in
      do throws(CodecError) {
        files.main = try read(main, byteCount: count)
      } catch {
        throw .write(EIO, isSidecar: false)
      }
      do throws(EncodeError) {
        switch request {
        case .rendition(let request): try verifyEncoded(files, request)
        case .adaptive(let request): try verifyAdaptive(files, request)
        case .recompress(let request): try verifyRecompressed(files, request)
        case .copy(let bytes):
          guard files.main == bytes else { throw .verification("the file is not what was copied") }
        }
      } catch {
        throw .encode(error)
      }
      readBack(files.main)
      return CodedFiles(
        mainBytes: count, sidecarBytes: sidecar == nil ? nil : files.sidecar?.count, warnings: files.warnings)
    }
  }

  /// Writes all bytes, in a loop because a single write may be short.
  package static func writeAll(_ bytes: [UInt8], _ descriptor: Int32, isSidecar: Bool) throws(CodecError) {
    let number = bytes.withUnsafeBytes { write($0, descriptor) }
    if number != 0 { throw .write(number, isSidecar: isSidecar) }
  }

  /// Writes all bytes of memory that nothing changes meanwhile.
  ///
  /// - Returns: the system's error number; 0 if all are written.
  package static func write(_ bytes: UnsafeRawBufferPointer, _ descriptor: Int32) -> Int32 {
    var written = 0
    while written < bytes.count {
      let count = Glibc.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : EIO }
      written += count
    }
    return 0
  }
}
