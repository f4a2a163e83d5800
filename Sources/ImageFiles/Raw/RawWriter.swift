import FileParts
import HDRCore

/// Writes `*-raw:FORMAT`: samples packed in the layout of `RawFormat`, rows top-down without padding, and a sidecar.
package enum RawWriter: SampleWriter {
  package static let format = FileFormat.raw
}

/// Writes `*-y4m:FORMAT`: a stream of one frame.
package enum Y4MWriter: SampleWriter {
  package static let format = FileFormat.y4m

  package static func head(_ request: EncodeRequest) throws(EncodeError) -> [UInt8] {
    Array((try header(request).text + "FRAME\n").utf8)
  }

  package static func sidecar(_ request: EncodeRequest) -> [UInt8]? { nil }

  /// Makes the header of a stream.
  ///
  /// - Parameter rate: the number of frames per second.
  package static func header(
    _ request: EncodeRequest, rate: (numerator: Int, denominator: Int)? = nil
  ) throws(EncodeError) -> Y4M {
    Y4M(try layout(request), fullRange: request.cicp.fullRange, rate: rate)
  }

  package static func verify(
    start: ArraySlice<UInt8>, byteCount: Int, sidecar: [UInt8]?, _ request: EncodeRequest
  ) throws(EncodeError) {
    let wanted = try layout(request)
    do throws(DecodeError) {
      let header = try Y4M.frame(of: start, byteCount: byteCount).header
      guard header.layout == wanted, header.fullRange == request.cicp.fullRange else {
        throw .malformed(where: "Y4M", what: "another picture")
      }
    } catch {
      throw .verification("\(error)")
    }
  }
}
