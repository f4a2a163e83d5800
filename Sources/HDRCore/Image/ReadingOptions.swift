/// What is read of a file that leaves a choice: part of a recipe, because it decides pixels (docs/formats.md#choices).
public struct ReadingOptions: Sendable, Hashable {
  /// Which picture of several: its number from 1 in `SourceImage.pictures`, or its name; `nil`: the main one.
  public var picture: String?
  /// The picture of this number, whatever names there are; counts before `picture`.
  public var number: Int?
  public var exr = EXRReading()
  public var camera = CameraReading()
  /// Range of the codes of HEIC and AVIF files, whatever they say of it; `nil`: as they say.
  public var fullRange: Bool?
  /// What samples without a header mean, and what a header leaves unsaid.
  public var raw: RawDescription?
  /// The JSON file beside samples that this project wrote, where there is one.
  public var sidecar: [UInt8]?

  public init(picture: String? = nil, raw: RawDescription? = nil) {
    self.picture = picture
    self.raw = raw
  }

  /// Whether another picture than the main one may be meant.
  public var isChosen: Bool { picture != nil || number != nil }

  /// Whether a file is taken for samples without a header, whatever its bytes are.
  public var isRaw: Bool { raw?.layout != nil || sidecar != nil }
}

/// One of the pictures of a file, as far as its headers tell.
public struct FilePicture: Sendable, Hashable {
  /// As the file calls it: of a layer, a part, a frame.
  public var name: String?
  public var width: Int
  public var height: Int
  /// What tells it from the others, in a few words: "grid", "reduced", "half, ZIP".
  public var note: String
  /// A smaller version of another one.
  public var isReduced: Bool

  public init(name: String? = nil, width: Int, height: Int, note: String = "", isReduced: Bool = false) {
    self.name = name
    self.width = width
    self.height = height
    self.note = note
    self.isReduced = isReduced
  }
}

extension ReadingOptions {
  /// The place in a list of pictures of the one that is asked for; `main` where none is.
  ///
  /// - Throws: `DecodeError.unsupported` for a number or name that no picture has, with those there are.
  public func index(among pictures: [FilePicture], main: Int) throws(DecodeError) -> Int {
    guard isChosen else { return main }
    if let number, pictures.indices.contains(number - 1) { return number - 1 }
    let picture = number.map(String.init) ?? picture ?? ""
    // A name may be a number: names first.
    if number == nil, let index = pictures.firstIndex(where: { $0.name == picture }) { return index }
    if let number = Int(picture), pictures.indices.contains(number - 1) { return number - 1 }
    let names = pictures.prefix(20).compactMap(\.name)
    let there = names.isEmpty ? "" : ": \(names.joined(separator: ", "))"
    let count = pictures.count == 1 ? "one picture" : "\(pictures.count) pictures"
    throw .unsupported(feature: "picture \(picture)", found: count + there)
  }
}

extension [FilePicture] {
  /// Numbers, from 1, of the pictures that all of a file are: no smaller versions of others.
  public var numbers: [Int] {
    let whole = indices.filter { !self[$0].isReduced }.map { $0 + 1 }
    return whole.isEmpty ? Array<Int>(indices.map { $0 + 1 }) : whole
  }
}
