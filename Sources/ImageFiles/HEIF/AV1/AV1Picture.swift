import FileParts
import CDav1d
import Glibc
import HDRCore

/// A decoder of the picture of an `av01` item by dav1d, on the calling thread, film grain included.
enum AV1Picture {
  /// Decodes the picture.
  ///
  /// - Parameters:
  ///   - data: the temporal unit of the item.
  ///   - layer: the wanted spatial layer; `nil`: the highest of the operating point.
  /// - Returns: planes as coded.
  /// - Throws: `.library` for data that dav1d refuses, `.malformed` when the picture differs in size from `ispe`.
  static func decode(
    _ data: ArraySlice<UInt8>, operatingPoint: Int, layer: Int?, width: Int, height: Int, place: String
  ) throws(DecodeError) -> SampleImage {
    var settings = Dav1dSettings()
    dav1d_default_settings(&settings)
    settings.n_threads = 1
    settings.max_frame_delay = 1
    settings.all_layers = layer == nil ? 0 : 1
    settings.operating_point = Int32(min(operatingPoint, 31))
    // A coded frame larger than the item's size would be refused below anyway; this limit saves its memory. The margin
    // is for the padding to whole blocks.
    settings.frame_size_limit = UInt32(clamping: (width + 128) * (height + 128))
    settings.logger.callback = nil
    var context: OpaquePointer?
    try check(dav1d_open(&context, &settings))
    defer { dav1d_close(&context) }

    var input = Dav1dData()
    guard !data.isEmpty, let bytes = dav1d_data_create(&input, data.count) else {
      throw .malformed(where: place, what: "no bytes")
    }
    defer { dav1d_data_unref(&input) }
    data.withUnsafeBufferPointer { source in
      if let base = source.baseAddress { bytes.update(from: base, count: source.count) }
    }
    var picture = Dav1dPicture()
    defer { dav1d_picture_unref(&picture) }
    try next(&picture, context, &input, place)
    if let layer {
      // Layers come in ascending order, each as a picture.
      while let header = picture.frame_hdr, Int(header.pointee.spatial_id) != layer {
        dav1d_picture_unref(&picture)
        do throws(DecodeError) {
          try next(&picture, context, &input, place)
        } catch .malformed {
          throw .malformed(where: place, what: "no layer \(layer) inside")
        }
      }
    } else if input.sz > 0 {
      // Data after the first shown frame must be accepted without an error, so that a truncated end is found.
      let sent = dav1d_send_data(context, &input)
      if sent != -EAGAIN { try check(sent) }
    }
    return try copy(&picture, width: width, height: height, place: place)
  }

  /// Gets the next picture in the data.
  private static func next(
    _ picture: inout Dav1dPicture, _ context: OpaquePointer?, _ input: inout Dav1dData, _ place: String
  ) throws(DecodeError) {
    var code: Int32
    repeat {
      let left = input.sz
      let sent = left > 0 ? dav1d_send_data(context, &input) : 0
      if sent != -EAGAIN { try check(sent) }
      code = dav1d_get_picture(context, &picture)
      // No picture and no data consumed: the data hold no picture.
      if code == -EAGAIN, input.sz == left { throw .malformed(where: place, what: "no coded picture inside") }
    } while code == -EAGAIN
    try check(code)
  }

  private static func check(_ code: Int32) throws(DecodeError) {
    guard code < 0 else { return }
    throw .library(name: "dav1d", code: Int(code), message: String(cString: strerror(-code)))
  }

  private static func copy(
    _ picture: inout Dav1dPicture, width: Int, height: Int, place: String
  ) throws(DecodeError) -> SampleImage {
    guard Int(picture.p.w) == width, Int(picture.p.h) == height else {
      throw .malformed(where: place, what: "coded size \(picture.p.w)x\(picture.p.h), ispe says \(width)x\(height)")
    }
    guard let header = picture.seq_hdr else { throw .malformed(where: place, what: "no sequence header") }
    var format = CodedFormat(header.pointee)
    format.bitDepth = Int(picture.p.bpc)
    format.chroma = CodedFormat.chroma(picture.p.layout)
    let image = format.makeImage(width: width, height: height)
    let sources = [picture.data.0, picture.data.1, picture.data.2]
    let strides = [picture.stride.0, picture.stride.1, picture.stride.1]
    for (index, plane) in image.channels.enumerated() {
      guard let source = sources[index] else { throw .malformed(where: place, what: "a plane is missing") }
      plane.copyRows(from: source, stride: strides[index], width: plane.width, height: plane.height)
    }
    return image
  }
}

extension LibraryRow {
  static let dav1d = LibraryRow("dav1d") { (dav1d_version().map { String(cString: $0) }, "reading AV1 (AVIF)") }
}
