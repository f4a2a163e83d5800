/// Choices for reading a file; part of a recipe, because they decide pixels (docs/formats.md#choices).
package struct ReadingOptions: Sendable, Hashable {
  /// The number from 1 in `SourceImage.pictures`, or the name, of the picture to read; `nil`: the main one.
  package var picture: String?
  /// The number of the picture to read, whatever the names are; it overrides `picture`.
  package var number: Int?
  package var exr = EXRReading()
  package var camera = CameraReading()
  package var jxr = JXRReading()
  package var plain = PlainReading()
  /// True if the codes of JPEG 2000 are X'Y'Z' of digital cinema, whatever the file says.
  package var readsCinema = false
  /// The range of the codes of HEIC and AVIF files, which overrides theirs; `nil`: the file's.
  package var fullRange: Bool?
  /// The sizes at which a JPEG is decoded, which follow from the steps of a recipe. Other formats are decoded whole.
  package var scale = DecodeScale.whole
  /// The space of the codes in place of what the file states; `nil`: the file's.
  package var space: NamedSpace?
  /// The meaning of samples without a header, and of fields that a header omits.
  package var raw: RawDescription?
  /// The JSON file beside samples that this project wrote, if there is one.
  package var sidecar: [UInt8]?

  package init(picture: String? = nil, raw: RawDescription? = nil) {
    self.picture = picture
    self.raw = raw
  }

  /// Returns a description to which a stated space gives primaries and transfer, which then need not be stated.
  package func completed(_ description: RawDescription) -> RawDescription {
    guard space != nil else { return description }
    var complete = description
    complete.primaries = description.primaries ?? CICP.Primaries.unspecified
    complete.transfer = description.transfer ?? CICP.Transfer.unspecified
    return complete
  }

  /// True if the caller says of what range the codes are.
  package var statesRange: Bool { fullRange != nil || raw?.fullRange != nil }

  /// True if a picture other than the main one may be meant.
  package var isChosen: Bool { picture != nil || number != nil }

  /// True if a file is read as samples without a header, whatever its bytes are.
  package var isRaw: Bool { raw?.layout != nil || sidecar != nil }
}

/// A picture of a file, as far as its headers describe it.
package struct FilePicture: Sendable, Hashable {
  /// The name in the file: of a layer, a part, a frame.
  package var name: String?
  package var width: Int
  package var height: Int
  /// The difference from the others in a few words: "grid", "reduced", "half, ZIP".
  package var note: String
  /// True for a smaller version of another picture.
  package var isReduced: Bool

  package init(name: String? = nil, width: Int, height: Int, note: String = "", isReduced: Bool = false) {
    self.name = name
    self.width = width
    self.height = height
    self.note = note
    self.isReduced = isReduced
  }
}

extension ReadingOptions {
  /// Returns the index of the chosen picture in a list; `main` if none is chosen.
  ///
  /// - Throws: `DecodeError.unsupported` for a number or name that no picture has, with the existing ones.
  package func index(among pictures: [FilePicture], main: Int) throws(DecodeError) -> Int {
    guard isChosen else { return main }
    if let number, pictures.indices.contains(number - 1) { return number - 1 }
    let picture = number.map(String.init) ?? picture ?? ""
    // A name may be a number, so names come first.
    if number == nil, let index = pictures.firstIndex(where: { $0.name == picture }) { return index }
    if let number = Int(picture), pictures.indices.contains(number - 1) { return number - 1 }
    let names = pictures.prefix(20).compactMap(\.name)
    let there = names.isEmpty ? "" : ": \(names.joined(separator: ", "))"
    let count = pictures.count == 1 ? "one picture" : "\(pictures.count) pictures"
    throw .unsupported(feature: "picture \(picture)", found: count + there)
  }
}

extension [FilePicture] {
  /// The numbers, from 1, of all pictures that are not smaller versions of others.
  package var numbers: [Int] {
    let whole = indices.filter { !self[$0].isReduced }.map { $0 + 1 }
    return whole.isEmpty ? Array<Int>(indices.map { $0 + 1 }) : whole
  }
}
