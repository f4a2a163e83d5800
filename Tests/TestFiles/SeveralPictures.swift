import Foundation
import TestSupport

/// A folder of files that hold one, several, or no pictures.
package enum SeveralPictures {
  /// Grey pages of 3, 4 and 5 columns, the first with a name, and a reduced one of 2.
  package static let pages: [UInt8] = {
    func page(_ width: Int) -> TIFFBuilder {
      var page = TIFFBuilder()
      (page.width, page.height, page.samples) = (width, 2, (0..<2 * width).map { UInt64(40 * width + $0) })
      return page
    }
    var first = page(3), small = page(2)
    first.extra = [(285, 2, Array("front cover\0".utf8).map { UInt64($0) })]
    small.extra = [(254, 4, [1])]
    first.next = [small, page(4), page(5)]
    return first.bytes
  }()

  /// A root, a layer and a depth channel.
  package static let layers = EXRBuilder(parts: [
    EXRBuilder.Part(
      EXRBuilder.constants(["R": 1, "G": 1, "B": 1, "key.R": 0.5, "key.G": 0.5, "key.B": 0.5, "Z": 0.25]),
      data: [0, 0, 3, 1])
  ]).bytes

  /// Grey pictures of 12 and 14 columns, the second the primary one, with a thumbnail.
  package static let items: [UInt8] = {
    var builder = HEIFBuilder()
    builder.brands = ["mif1", "mif2"]
    builder.primary = 2
    for (id, width) in [(1, 12), (2, 14), (3, 4)] {
      var item = UncompressedFile([0], bits: 8).with { $0.width = width }.builder.items[0]
      item.id = id
      builder.items.append(item)
    }
    builder.references = [("thmb", 3, [2])]
    return builder.bytes
  }()

  /// `in` of a folder: files of several pictures, two of one, and a damaged one.
  package static func write(into folder: TemporaryFolder) throws {
    try folder.file("in/bad.tif", "II*\0\u{8}")
    let files: [(String, [UInt8])] = [
      ("layers.exr", layers), ("one.png", [UInt8](try SmallPictures.png(1))), ("pages.tif", pages),
      ("single.exr", EXRBuilder(parts: [.init(EXRBuilder.constants(["Y": 1]), data: [0, 0, 1, 1])]).bytes),
      ("two.heif", items),
    ]
    for (name, bytes) in files { try Data(bytes).write(to: folder.url.appendingPathComponent("in/" + name)) }
  }
}
