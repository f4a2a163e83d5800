import FileParts
import HDRCore

/// A decoder of the picture of an `hvc1` item, on the calling thread, by one of two libraries.
///
/// It checks for both libraries the units to decode, the size, and that there is only one picture.
enum HEVCPicture {
  /// Decodes the picture.
  ///
  /// - Parameter data: NAL units, each after its length.
  /// - Returns: planes as coded, inside the conformance window, and the library that decoded them.
  /// - Throws: `.malformed` and `.truncated` for broken structure, `.library` for every error of the library: a damaged
  ///   or missing slice is an error, not a grey patch.
  static func decode(
    _ data: ArraySlice<UInt8>, _ configuration: HEVCConfiguration, by choice: HEVCDecoder, width: Int, height: Int,
    place: String
  ) throws(DecodeError) -> (image: SampleImage, library: HEVCLibrary) {
    let picture = HEVCCodedPicture(
      parameterSets: configuration.nalUnits, units: try units(of: data, configuration, width, height, place),
      format: try configuration.sequenceParameterSet().format, width: width, height: height, place: place)
    if let library = try library(for: picture, choice) {
      if let image = try AVCodecPicture.decode(picture, library) { return (image, .libavcodec) }
      guard choice == .automatic else {
        throw .unsupported(feature: "HEVC stream with libavcodec", found: "one that only libde265 may read")
      }
    }
    return (try De265Picture.decode(picture), .libde265)
  }

  /// Returns the library that will decode a picture of which only the headers were read.
  static func expectedLibrary(for picture: ItemPicture, by choice: HEVCDecoder) -> HEVCLibrary {
    let isKnown = AVCodecPicture.knows(picture.format, width: picture.width, height: picture.height)
    return choice == .libavcodec || choice == .automatic && HEVCLibrary.avcodec != nil && isKnown
      ? .libavcodec : .libde265
  }

  /// Returns libavcodec if it is chosen and supports the picture; `nil`: libde265.
  private static func library(
    for picture: HEVCCodedPicture, _ choice: HEVCDecoder
  ) throws(DecodeError) -> HEVCLibrary.AVCodec? {
    guard choice != .libde265 else { return nil }
    let isKnown = picture.isIntra && AVCodecPicture.knows(picture.format, width: picture.width, height: picture.height)
    if let library = HEVCLibrary.avcodec, isKnown { return library }
    guard choice == .automatic else {
      throw .unsupported(
        feature: "HEVC decoder libavcodec",
        found: HEVCLibrary.avcodec == nil ? HEVCLibrary.avcodecMissing : "a picture that only libde265 reads")
    }
    return nil
  }

  /// Returns the base layer's units of the item's first picture.
  private static func units(
    of data: ArraySlice<UInt8>, _ configuration: HEVCConfiguration, _ width: Int, _ height: Int, _ place: String
  ) throws(DecodeError) -> [ArraySlice<UInt8>] {
    try check(try configuration.sequenceParameterSet(), width, height, place)
    var units: [ArraySlice<UInt8>] = [], pictures = 0
    for unit in try configuration.split(data, place: place) {
      guard let header = HEVCUnitHeader(unit), header.layer == 0 else { continue }
      if header.type == HEVCUnitHeader.sequenceParameterSet {
        try check(try HEVCSequenceParameterSet(unit), width, height, place)
      }
      if header.isSlice, header.startsPicture { pictures += 1 }
      // An item is one picture; decoding a second one would only cost time.
      if pictures > 1 { break }
      units.append(unit)
    }
    guard pictures > 0 else { throw .malformed(where: place, what: "no coded picture inside") }
    return units
  }

  private static func check(
    _ sps: HEVCSequenceParameterSet, _ width: Int, _ height: Int, _ place: String
  ) throws(DecodeError) {
    guard sps.width == width, sps.height == height else {
      throw .malformed(where: place, what: "coded size \(sps.width)x\(sps.height), ispe says \(width)x\(height)")
    }
  }
}

/// A coded picture as a library gets it.
struct HEVCCodedPicture {
  /// The parameter sets of the item's configuration.
  var parameterSets: [ArraySlice<UInt8>]
  /// The units of the item's data; one of them starts a picture.
  var units: [ArraySlice<UInt8>]
  /// The format by the first sequence parameter set.
  var format: CodedFormat
  var width: Int
  var height: Int
  var place: String

  /// True if all slices belong to an intra random access picture (H.265 table 7-1: types 16 to 23).
  var isIntra: Bool {
    units.allSatisfy { unit in
      guard let header = HEVCUnitHeader(unit), header.isSlice else { return true }
      return (16...23).contains(header.type)
    }
  }

  /// Copies the planes of a library's picture if they match the parameter set.
  func image(
    chroma: ChromaSubsampling, bitDepth: Int, plane: (Int) -> (samples: UnsafeRawPointer?, stride: Int, size: Size)
  ) throws(DecodeError) -> SampleImage {
    let image = format.makeImage(width: width, height: height)
    for (index, target) in image.channels.enumerated() {
      let source = plane(index)
      guard chroma == format.chroma, bitDepth == format.bitDepth, let samples = source.samples,
        source.size == Size(width: target.width, height: target.height)
      else { throw .malformed(where: place, what: "the decoded picture is not what its parameter set says") }
      target.copyRows(from: samples, stride: source.stride, width: target.width, height: target.height)
    }
    return image
  }

  struct Size: Equatable {
    var width: Int
    var height: Int
  }
}
