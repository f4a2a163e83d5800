import CTurboJPEG
import HDRCore

extension JPEGPicture {
  /// Codes the picture again in progressive scans, without loss: the coefficients stay as they are, and the library takes
  /// the order of scans of `jpeg_simple_progression`, with Huffman tables of their own. A progressive picture stays as
  /// it is.
  ///
  /// - Throws: `.library` for a kept stream that the library reads with a complaint.
  func progressive() throws(EncodeError) -> JPEGPicture {
    let (stream, jpeg) = try readBack()
    if jpeg.frameMarker == 0xC2 || jpeg.frameMarker == 0xCA { return self }
    guard let codec = tjInitTransform() else { throw Self.failure(nil) }
    defer { tjDestroy(codec) }
    var memory: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    var transform = tjtransform()
    transform.op = Int32(TJXOP_NONE.rawValue)
    transform.options = TJXOPT_PROGRESSIVE
    let code = stream.withUnsafeBufferPointer {
      tjTransform(codec, $0.baseAddress, UInt($0.count), 1, &memory, &count, &transform, 0)
    }
    defer { tjFree(memory) }
    guard code == 0, let memory, count > 0 else { throw Self.failure(codec) }
    return try JPEGPicture(keeping: Array(UnsafeBufferPointer(start: memory, count: Int(count))), jfif: jfif)
  }
}
