import CAVCodec
import FileParts
import HDRCore

/// A decoder of pictures by libavcodec's HEVC decoder (Sources/CAVCodec), set up so that it does not conceal damage.
enum AVCodecPicture {
  /// True for formats and sizes that the decoder of FFmpeg 5.1 supports.
  static func knows(_ format: CodedFormat, width: Int, height: Int) -> Bool {
    // libavcodec allows less than 2 GiB at eight bytes a pixel; the coded picture has padding of its own.
    let margin = HEVCSequenceParameterSet.paddingLimit
    return [8, 10, 12].contains(format.bitDepth) && (8 * (width + margin) + 1024) * (height + margin + 128) < 1 << 31
  }

  /// Decodes a picture.
  ///
  /// - Returns: `nil` for a stream with tools or parameter sets that this decoder does not support.
  /// - Throws: `.library` for every error it reports, and for pictures that are not whole.
  static func decode(_ coded: HEVCCodedPicture, _ library: HEVCLibrary.AVCodec) throws(DecodeError) -> SampleImage? {
    let margin = HEVCSequenceParameterSet.paddingLimit
    guard let decoder = library.open(Int64((coded.width + margin) * (coded.height + margin))) else {
      throw .library(name: "libavcodec", code: 0, message: "no decoder")
    }
    defer { library.close(decoder) }
    let units = try joined(coded)
    var picture = hdr_hevc_picture()
    let code = units.withUnsafeBufferPointer { units in
      units.baseAddress.map { library.decode(decoder, $0, units.count, &picture) } ?? -1
    }
    if code == HDR_HEVC_UNSUPPORTED { return nil }
    guard code == 0 else {
      throw .library(name: "libavcodec", code: Int(code), message: String(cString: library.message(decoder)))
    }
    let chroma = HEVCConfiguration.subsampling(Int(picture.chroma_format & 3))
    let planes = [picture.planes.0, picture.planes.1, picture.planes.2]
    let strides = [picture.strides.0, picture.strides.1, picture.strides.2]
    return try coded.image(chroma: chroma, bitDepth: Int(picture.bit_depth)) { index in
      let h = index == 0 ? 0 : chroma.horizontalShift, v = index == 0 ? 0 : chroma.verticalShift
      return (
        planes[index], strides[index],
        HEVCCodedPicture.Size(
          width: (Int(picture.width) + (1 << h) - 1) >> h, height: (Int(picture.height) + (1 << v) - 1) >> v)
      )
    }
  }

  /// Joins parameter sets, slices and the checksum after them, each with its size in four bytes before it. Prefix SEI
  /// messages are left out: they do not affect samples, and a damaged one would end decoding.
  private static func joined(_ coded: HEVCCodedPicture) throws(DecodeError) -> [UInt8] {
    let units = (coded.parameterSets + coded.units).filter { unit in
      guard let header = HEVCUnitHeader(unit), header.layer == 0 else { return false }
      return header.isSlice || header.isParameterSet || header.type == HEVCUnitHeader.suffixSEI
    }
    var joined: [UInt8] = []
    joined.reserveCapacity(units.reduce(0) { $0 + $1.count + 4 })
    for unit in units {
      guard let count = Int32(exactly: unit.count) else { throw .malformed(where: "NAL unit", what: "2 GiB or more") }
      withUnsafeBytes(of: count.bigEndian) { joined.append(contentsOf: $0) }
      joined.append(contentsOf: unit)
    }
    return joined
  }
}
