import HDRCore

/// OpenEXR that is made of OpenEXR keeps this beside the picture: where its pixels lie, and attributes.
package struct EXRCarried: Sendable, Hashable {
  /// The first column and row of the picture, which is the data window.
  package var left = 0
  package var top = 0
  package var displayWindow: EXRPart.Window
  package var pixelAspectRatio = 1.0
  /// Attributes that describe no samples; writers take those that they do not make themselves.
  package var attributes: [EXRPart.Attribute] = []
  /// The channels and parts that go into the file; `nil`: none.
  package var kept: EXRKept?

  /// Makes the windows of a picture that begins at 0, 0.
  package init(width: Int, height: Int) {
    displayWindow = EXRPart.Window(left: 0, top: 0, width: width, height: height)
  }
}

/// The channels and parts of an OpenEXR file that go into another one beside the picture.
package struct EXRKept: Sendable, Hashable {
  /// The whole file.
  package var file: [UInt8]
  /// The number of the picture's part, from 1, and its layer.
  package var part: Int
  package var layer: String
  /// The places of the kept channels in the part's list.
  package var channels: [Int]
  /// The numbers of the other parts that are kept, from 1.
  package var parts: [Int]
  /// The pixels that the picture is made of.
  package var window: EXRPart.Window
  /// The pixel of the window that each pixel of the file is.
  package var mapping = SourceMapping.identity
  /// True if the mapping moves pixels; else other parts are copied as they are.
  package var isMoved = false
  /// Which attributes of other parts are kept.
  package var metadata = MetadataChoice.all
  /// True if libraries with known holes may decode (`DecodeLimits.unsafeCodecs`).
  package var unsafeCodecs = false

  package init(file: [UInt8], part: Int, layer: String, channels: [Int], parts: [Int], window: EXRPart.Window) {
    (self.file, self.part, self.layer) = (file, part, layer)
    (self.channels, self.parts, self.window) = (channels, parts, window)
  }

  /// True if all pixels of a file of this size lie in the window.
  func fits(width: Int, height: Int) -> Bool {
    [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)].allSatisfy { x, y in
      let column = mapping.x0 + x * mapping.columnX + y * mapping.rowX
      let row = mapping.y0 + x * mapping.columnY + y * mapping.rowY
      return 0..<window.width ~= column && 0..<window.height ~= row
    }
  }
}

extension EXRCarried {
  /// Returns the fault of what a file would get: places beyond what OpenEXR's readers take, or attributes that only the
  /// writer may set; `nil`: there is none.
  func fault(width: Int, height: Int) -> String? {
    let most = EXRHeader.maxCoordinate, display = displayWindow
    func fits(_ first: Int, _ count: Int) -> Bool { abs(first) <= most && count > 0 && first + count - 1 <= most }
    guard fits(left, width), fits(top, height), fits(display.left, display.width), fits(display.top, display.height)
    else {
      return "windows beyond \(most)"
    }
    guard kept?.fits(width: width, height: height) ?? true else {
      return "pixels outside the picture that they are from"
    }
    for attribute in attributes {
      let names = [attribute.name, attribute.type]
      guard names.allSatisfy({ 1...255 ~= $0.utf8.count && !$0.utf8.contains(0) }) else {
        return "a name of no attribute"
      }
      guard !EXRHeader.isOwn(attribute.name) else { return "the attribute \(attribute.name) of another file" }
    }
    return nil
  }
}

extension EXRHeader.Window {
  init(_ window: EXRPart.Window) {
    self.init(
      minX: window.left, minY: window.top, maxX: window.left + window.width - 1, maxY: window.top + window.height - 1)
  }
}
