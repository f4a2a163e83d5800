import HDRCore
import ImageFiles
import TestFiles
import Testing

/// Overlays and JPEG items of HEIF files.
@Suite struct HEIFOverlayTests {
  typealias B = HEIFBuilder
  typealias File = UncompressedFile

  private func payload(
    _ width: Int, _ height: Int, fill: [Int] = [0, 0, 0, 65_535], _ places: [(Int, Int)], isWide: Bool = false
  ) -> [UInt8] {
    let number = isWide ? B.u32 : B.u16
    let offsets = places.flatMap {
      number($0.0 & (isWide ? 0xFFFF_FFFF : 0xFFFF)) + number($0.1 & (isWide ? 0xFFFF_FFFF : 0xFFFF))
    }
    return [0, isWide ? 1 : 0] + fill.flatMap(B.u16) + number(width) + number(height) + offsets
  }

  /// A file of an overlay, item 1, of uncompressed pictures, items 2 and so on.
  private func overlay(
    _ layers: [File], _ data: [UInt8], size: (Int, Int), _ change: (inout B) -> Void = { _ in }
  ) -> B {
    var file = B()
    file.brands = ["mif1", "mif2"]
    file.items = [.init(id: 1, type: "iovl", data: data, properties: [B.ispe(size.0, size.1)])]
    for (index, layer) in layers.enumerated() {
      var item = layer.builder.items[0]
      item.id = index + 2
      file.items.append(item)
    }
    file.references = [("dimg", 1, layers.indices.map { $0 + 2 })]
    change(&file)
    return file
  }

  private func refusal(_ file: B) -> String {
    do {
      _ = try decodeImage(file.bytes)
      return "read"
    } catch { return "\(error)" }
  }

  // MARK: Overlays

  @Test("pictures lie where their offsets say, the later above, and what is outside is cut", arguments: [false, true])
  func places(isWide: Bool) throws {
    let one = File([4, 5, 6], bits: 8), two = File([4, 5, 6], bits: 8).with { ($0.width, $0.height) = (6, 4) }
    let data = payload(20, 10, fill: [65_535, 0, 0, 65_535], [(3, 1), (-2, 8)], isWide: isWide)
    let source = try decodeImage(overlay([one, two], data, size: (20, 10)).bytes), image = source.image
    #expect(source.warnings.isEmpty && source.format == .heif && image.alpha == nil && image.model == .rgb)
    for y in 0..<10 {
      for x in 0..<20 {
        for c in 0..<3 {
          var expected = c == 0 ? 255 : 0
          if (3..<15).contains(x), (1..<9).contains(y) { expected = one.value(c, x - 3, y - 1) }
          if x < 4, y >= 8 { expected = two.value(c, x + 2, y - 8) }
          #expect(image.channels[c].value(x, y) == expected, "\(x), \(y), \(c)")
        }
      }
    }
  }

  @Test("a canvas that shows through gives alpha")
  func transparentCanvas() throws {
    let layer = File([0], bits: 12)
    let image = try decodeImage(
      overlay([layer], payload(14, 8, fill: [0, 0, 0, 32_768], [(1, 0)]), size: (14, 8)).bytes
    ).image
    let alpha = try #require(image.alpha)
    #expect(image.alphaBitDepth == 12 && alpha.value(0, 0) == 2048 && alpha.value(1, 0) == 4095)
    #expect(alpha.value(13, 7) == 2048 && image.channels[0].value(1, 0) == layer.value(0, 0, 0))
  }

  @Test("chroma stays subsampled where all pictures lie on chroma samples, and is repeated else")
  func chroma() throws {
    let layer = File([1, 2, 3], bits: 8).with { ($0.sampling, $0.interleaving) = (2, 0) }
    let even = try decodeImage(overlay([layer], payload(16, 12, [(2, 4)]), size: (16, 12)).bytes).image
    #expect(even.chroma == .s420)
    #expect(
      even.channels[1].value(1, 2) == layer.value(1, 0, 0) && even.channels[0].value(2, 4) == layer.value(0, 0, 0))
    #expect(even.channels[1].value(0, 0) == 128 && even.channels[0].value(0, 0) == 0)
    let odd = try decodeImage(overlay([layer], payload(16, 12, [(1, 4)]), size: (16, 12)).bytes).image
    #expect(odd.chroma == .s444)
    for x in 0..<12 { #expect(odd.channels[2].value(x + 1, 5) == layer.value(2, x / 2, 0)) }
  }

  @Test("pictures are turned and cropped before they are laid down")
  func turnedPictures() throws {
    let layer = File([4, 5, 6], bits: 8)
    let file = overlay([layer], payload(8, 12, [(0, 0)]), size: (8, 12)) {
      $0.items[1].properties.append(B.box("irot", [1]))
    }
    let image = try decodeImage(file.bytes).image
    // A quarter turn to the left: the upper right corner comes to the upper left.
    for y in 0..<12 { for x in 0..<8 { #expect(image.channels[0].value(x, y) == layer.value(0, 11 - y, x)) } }
  }

  @Test("alpha of a picture mixes its codes with those below", arguments: [false, true])
  func alpha(isPremultiplied: Bool) throws {
    let color = File([4, 5, 6], bits: 8), mask = File([0], bits: 8)
    let file = overlay([color], payload(12, 8, fill: [65_535, 65_535, 65_535, 65_535], [(0, 0)]), size: (12, 8)) {
      var item = mask.builder.items[0]
      item.id = 9
      item.properties.append(B.fullBox("auxC", Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0".utf8)))
      $0.items.append(item)
      $0.references.append(("auxl", 9, [2]))
      if isPremultiplied { $0.references.append(("prem", 2, [9])) }
    }
    let image = try decodeImage(file.bytes).image
    #expect(image.alpha == nil)
    for y in 0..<8 {
      for x in 0..<12 {
        let share = Double(mask.value(0, x, y)) / 255
        for c in 0..<3 {
          let own = Double(color.value(c, x, y))
          let light: Double = isPremultiplied ? (share > 0 ? own : 0) : share * own
          let mixed: Double = min(light + (1 - share) * 255, 255)
          let found = Double(image.channels[c].value(x, y))
          #expect(abs(found - mixed) <= 0.51, "\(x), \(y)")
        }
      }
    }
  }

  @Test("the canvas has the colour of the file: white is reference white in PQ")
  func canvasColour() throws {
    let layer = File([1, 2, 3], bits: 10)
    func code(_ nclx: [Int], _ fill: [Int]) throws -> [Int] {
      let file = overlay([layer], payload(16, 8, fill: fill + [65_535], [(4, 0)]), size: (16, 8)) {
        let box = B.box("colr", Array("nclx".utf8) + nclx.flatMap(B.u16) + [0x80])
        $0.items[1].properties.append(box)
      }
      return try decodeImage(file.bytes).image.channels.map { $0.value(0, 0) }
    }
    let white = [65_535, 65_535, 65_535]
    // ST 2084: 203 cd/m² is 0.5807.
    #expect(try code([9, 16, 9], white) == [594, 512, 512])
    #expect(try code([1, 13, 6], white) == [1023, 512, 512])
    // BT.601 of pure blue, full range.
    #expect(try code([1, 13, 6], [0, 0, 65_535]) == [117, 1023, 429])
    #expect(try code([9, 16, 9], [0, 0, 0]) == [0, 512, 512])
  }

  @Test("overlays that are broken or too large are refused")
  func brokenOverlays() {
    let layer = File([4, 5, 6], bits: 8), good = payload(12, 8, [(0, 0)])
    #expect(refusal(overlay([layer], good, size: (12, 8))) == "read")
    #expect(refusal(overlay([layer], good, size: (12, 9))).contains("not that of ispe"))
    #expect(refusal(overlay([layer], Array(good.dropLast()), size: (12, 8))).contains("iovl item"))
    #expect(refusal(overlay([layer], [1] + good.dropFirst(), size: (12, 8))).contains("overlay version"))
    #expect(refusal(overlay([], payload(12, 8, []), size: (12, 8))).contains("made of no picture"))
    let other = File([4, 5, 6], bits: 10)
    #expect(
      refusal(overlay([layer, other], payload(12, 8, [(0, 0), (0, 0)]), size: (12, 8))).contains("different samples"))
    let itself = overlay([layer], good, size: (12, 8)) { $0.references = [("dimg", 1, [1])] }
    #expect(refusal(itself).contains("made of itself"))
    let nested = overlay([layer], good, size: (12, 8)) {
      $0.items.append(.init(id: 3, type: "iovl", data: good, properties: [B.ispe(12, 8)]))
      $0.references = [("dimg", 1, [3]), ("dimg", 3, [2])]
    }
    #expect(refusal(nested).contains("overlay within an overlay"))
    let many = overlay([layer], payload(12, 8, Array(repeating: (0, 0), count: 65)), size: (12, 8)) {
      $0.references = [("dimg", 1, Array(repeating: 2, count: 65))]
    }
    #expect(refusal(many).contains("pictures of an overlay"))
    let huge = overlay([layer], payload(65_000, 65_000, [(0, 0)], isWide: true), size: (65_000, 65_000))
    #expect(refusal(huge).contains("limit"))
  }

  // MARK: JPEG

  /// A file of one JPEG of 9x5 pixels.
  private func jpeg(_ bytes: [UInt8], size: (Int, Int) = (9, 5), _ change: (inout B) -> Void = { _ in }) -> B {
    var file = B()
    file.brands = ["mif1", "jpeg"]
    file.items = [.init(id: 1, type: "jpeg", data: bytes, properties: [B.ispe(size.0, size.1)])]
    change(&file)
    return file
  }

  @Test("a JPEG item has the samples of its JPEG, and sRGB of BT.601")
  func jpegItems() throws {
    for bytes in [TinyJPEG.color420, TinyJPEG.color422, TinyJPEG.color444, TinyJPEG.grey, TinyJPEG.rgb] {
      let expected = try decodeImage(bytes)
      for request in [DecodeRequest.metadata, .pixels] {
        let source = try decodeImage(jpeg(bytes).bytes, request: request), image = source.image
        #expect(source.format == .heif && source.decoder == "libjpeg-turbo" && source.warnings.isEmpty)
        #expect(image.model == expected.image.model && image.chroma == expected.image.chroma)
        #expect(image.siting == .center && source.color.encoding == .sRGB && source.color.fullRange)
        #expect(image.model != .ycc || source.color.matrix == 6)
        for (plane, other) in zip(image.channels, expected.image.channels) {
          for y in 0..<plane.height {
            for x in 0..<plane.width {
              let at = other.buffer.base + other.offset + y * other.rowBytes + x * other.stepBytes
              #expect(plane.value(x, y) == Int(at.load(as: UInt8.self)))
            }
          }
        }
      }
    }
  }

  @Test("bytes of jpgC stand before the data, a mime item is a JPEG too, and properties count")
  func jpegProperties() throws {
    let whole = try decodeImage(TinyJPEG.color420).image
    let split = jpeg(Array(TinyJPEG.color420.dropFirst(100))) {
      $0.items[0].properties.append(B.box("jpgC", Array(TinyJPEG.color420.prefix(100))))
    }
    #expect(try decodeImage(split.bytes).image.hash == whole.hash)
    let mime = jpeg(TinyJPEG.color420) {
      $0.items[0].type = "mime"
      $0.items[0].contentType = "image/jpeg"
    }
    #expect(try decodeImage(mime.bytes).image.hash == whole.hash)
    let turned = jpeg(TinyJPEG.color420) {
      $0.items[0].properties.append(B.box("irot", [3]))
      $0.items[0].properties.append(B.box("colr", Array("nclx".utf8) + [12, 13, 6].flatMap(B.u16) + [0x80]))
    }
    let source = try decodeImage(turned.bytes)
    #expect(source.geometry.orientation == .right && source.color.encoding == .cicp(primaries: 12, transfer: 13))
  }

  @Test("JPEGs are tiles of a grid")
  func jpegGrid() throws {
    let tile = TinyJPEG.color444
    let file = jpeg(tile) {
      $0.items.append(
        .init(id: 2, type: "grid", data: B.grid(rows: 1, columns: 2, width: 17, height: 5), properties: [B.ispe(17, 5)])
      )
      $0.primary = 2
      $0.references = [("dimg", 2, [1, 1])]
    }
    let image = try decodeImage(file.bytes).image, one = try decodeImage(tile).image
    for x in 0..<17 { #expect(image.channels[1].value(x, 3) == one.channels[1].value(x % 9, 3)) }
  }

  @Test("JPEG items of another size, cut or of a kind that is not read are errors")
  func brokenJPEGs() {
    #expect(refusal(jpeg(TinyJPEG.grey, size: (9, 6))).contains("ispe says 9x6"))
    #expect(refusal(jpeg(Array(TinyJPEG.grey.dropLast(2)))).contains("too early"))
    #expect(refusal(jpeg(TinyJPEG.cmyk, size: (8, 8))).contains("CMYK"))
    #expect(refusal(jpeg([])) != "read")
  }
}
