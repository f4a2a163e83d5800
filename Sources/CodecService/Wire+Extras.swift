import HDRCore
import ImageFiles

// Messages about what a file holds beside its picture: places and sizes, never the bytes themselves.

extension MotionVideo.Finder: WireRaw {}
extension FileTrailer.Kind: WireRaw {}

extension FileRange: Fields {
  package static var blank: FileRange { FileRange(start: 0, byteCount: 0) }
  /// Codes the numbers; who reads the bytes compares them with the file's size.
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("start", &start, in: 0...1 << 48)
    try coder("byteCount", &byteCount, in: 0...1 << 48)
  }
}

extension MotionVideo: Fields {
  package static var blank: MotionVideo { MotionVideo(range: .blank, finder: .box) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("range", &range)
    try coder("finder", &finder)
    try coder("isQuickTime", &isQuickTime)
    try coder("moment", &moment, in: 0...1 << 50)
    try coder.demand(range.byteCount <= Self.mostBytes, "a video of \(range.byteCount) bytes")
  }
}

extension ContentCredentials: Fields {
  package static var blank: ContentCredentials { ContentCredentials(place: "", pieces: []) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("place", &place)
    try coder("pieces", &pieces)
    try coder("byteCount", &byteCount, in: 0...1 << 48)
  }
}

extension AuxiliaryPicture: Fields {
  package static var blank: AuxiliaryPicture { AuxiliaryPicture(type: "", width: 0, height: 0) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("type", &type)
    try coder("width", &width, in: .sides)
    try coder("height", &height, in: .sides)
    try coder("item", &item, in: .sides)
    try coder("isPreview", &isPreview)
  }
}

extension FileTrailer: Fields {
  package static var blank: FileTrailer { FileTrailer(.unknown, byteCount: 0) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("kind", &kind)
    try coder("byteCount", &byteCount, in: 0...1 << 48)
    try coder("names", &names)
  }
}

extension FileExtras: Fields {
  package static var blank: FileExtras { FileExtras() }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("motion", &motion)
    try coder("credentials", &credentials)
    try coder("auxiliaries", &auxiliaries)
    try coder("trailers", &trailers)
    try coder("liveIdentifier", &liveIdentifier)
  }
}

extension AuxiliaryItem: Fields {
  package static var blank: AuxiliaryItem { AuxiliaryItem(item: 0, picture: .blank, type: []) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("item", &item, in: .sides)
    try coder("picture", &picture)
    try coder("type", &type)
    try coder("xmp", &xmp)
    try coder("turn", &turn)
  }
}
