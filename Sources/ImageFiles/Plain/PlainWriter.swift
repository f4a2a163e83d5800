import FileParts
import HDRCore

/// A writer of a format that holds samples and next to nothing else: what a request has besides is left out with a
/// warning.
protocol PlainWriter: ImageWriter {
  /// The format's name for users.
  static var title: String { get }
  /// True if files say which primaries and curve their samples have, whatever these are.
  static var statesColor: Bool { get }
}

extension PlainWriter {
  static var statesColor: Bool { true }

  /// Returns the warnings about the parts of a request that the format has no place for.
  static func dropped(_ request: EncodeRequest) -> [Warning] {
    func warning(_ part: String, _ what: String) -> Warning {
      Warning("\(format.rawValue).\(part)-dropped", "\(title) has no place for \(what), which was left out")
    }
    var warnings: [Warning] = []
    if request.exif != nil { warnings.append(warning("exif", "Exif")) }
    if request.xmp != nil { warnings.append(warning("xmp", "XMP")) }
    let light = request.light.fields.map(\.rawValue)
    if !light.isEmpty { warnings.append(warning("light", light.joined(separator: ", "))) }
    if request.kind.curve == .linear, request.white != ReferenceWhite.nits {
      warnings.append(warning("white", "the \(short(request.white)) cd/m² of 1.0"))
    }
    if !statesColor, request.space != nil || request.cicp.primaries != request.kind.primaries {
      let points = "\(request.cicp.primaries)/\(request.cicp.transfer)"
      let readers: Message =
        request.space.map { "those of \($0.name)" } ?? "code points \(points), here by \(setting: "cicp") \(points)"
      warnings.append(
        Warning(
          "\(format.rawValue).colour-dropped", "\(title) cannot say these colours: readers must be told \(readers)"))
    }
    return warnings
  }

  /// Reads the head of a written file, and compares its size and what was left out with the request.
  ///
  /// - Returns: the head, for what the format says of colour.
  static func readBack(
    _ files: EncodedFiles, _ request: EncodeRequest, by decoder: any ImageDecoder.Type
  ) throws(EncodeError) -> SourceImage {
    let found: SourceImage
    do throws(DecodeError) {
      found = try decoder.decode(files.main, request: .metadata, limits: .readingBack)
    } catch {
      throw .verification("\(error)")
    }
    try expect("width", found.geometry.outputWidth, request.image.width)
    try expect("height", found.geometry.outputHeight, request.image.height)
    try expect("orientation", found.geometry.orientation, .up)
    let codes = Set(files.warnings.map(\.code).filter { $0.hasSuffix("-dropped") })
    try expect("what was left out", codes, Set(dropped(request).map(\.code)))
    return found
  }

  static func expect<Value: Equatable>(_ what: String, _ found: Value, _ asked: Value) throws(EncodeError) {
    guard found == asked else { throw .verification("\(what) is \(found), asked for \(asked)") }
  }
}

extension EncodeRequest {
  /// The primaries of linear samples; `nil` for spaces that have none, as CIE XYZ.
  var linearPrimaries: Primaries? { space.map(\.primaries) ?? Primaries(code: cicp.primaries) }
}

/// The rows of linear light for an encoder, as binary32: of planes of binary32 or of interleaved halves.
struct LinearRows {
  private enum Layout {
    case planes(PlaneRows)
    case halves(PixelRows)
  }

  private let layout: Layout
  let width: Int
  let height: Int

  /// Checks the layout of a picture; throws `EncodeError.unsupported` for any other.
  init(_ image: SampleImage, kind: OutputKind) throws(EncodeError) {
    layout =
      image.format == .float32
      ? .planes(try PlaneRows(image, hasAlpha: false, kind: kind))
      : .halves(try PixelRows(image, format: .float16, kind: kind))
    (width, height) = (image.width, image.height)
  }

  /// Copies a row's R, G and B to `out`, one pixel after another.
  func copy(_ y: Int, to out: inout [Float]) {
    switch layout {
    case .planes(let rows):
      for channel in 0..<3 {
        let row = rows.row(channel, y)
        for x in 0..<width { out[3 &* x &+ channel] = row[x] }
      }
    case .halves(let rows):
      let row = rows.row(y).assumingMemoryBound(to: UInt16.self)
      for x in 0..<width {
        for channel in 0..<3 { out[3 &* x &+ channel] = Float(Float16(bitPattern: row[4 &* x &+ channel])) }
      }
    }
  }
}
