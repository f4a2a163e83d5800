/// A small `unci` file, written sample by sample as ISO/IEC 23001-17 describes it.
package struct UncompressedFile: Sendable, CustomStringConvertible {
  package typealias B = HEIFBuilder

  package struct Component: Sendable {
    /// Table 1: 0 monochrome, 1...3 Y Cb Cr, 4...6 R G B, 7 alpha, 12 padding.
    package var type: Int
    package var bits: Int
    package var align: Int
    package var format: Int

    package init(type: Int, bits: Int, align: Int = 0, format: Int = 0) {
      (self.type, self.bits, self.align, self.format) = (type, bits, align, format)
    }
  }

  package enum Compression: String, Sendable {
    case zlib
    case deflate = "defl"
  }

  package var width = 12
  package var height = 8
  package var components: [Component]
  /// 0 none, 1 4:2:2, 2 4:2:0, 3 4:1:1.
  package var sampling = 0
  /// 0 component, 1 pixel, 2 mixed, 3 row, 4 tile component.
  package var interleaving = 0
  package var isLittleEndian = false
  package var pixelSize = 0
  package var rowAlign = 0
  package var tileAlign = 0
  package var columns = 1
  package var rows = 1
  package var compression: Compression?
  /// Units that the data are compressed in; `nil`: one without `icef`.
  package var units: Int?
  package var blockSize = 0
  package var flags = 0
  /// The profile of a version 1 without a list of components.
  package var profile: String?
  /// Appended to the data, or cut off them where negative.
  package var surplus = 0

  package init(_ types: [Int], bits: Int, align: Int = 0) {
    components = types.map { Component(type: $0, bits: bits, align: align) }
  }

  package func with(_ change: (inout UncompressedFile) -> Void) -> UncompressedFile {
    var copy = self
    change(&copy)
    return copy
  }

  package var description: String {
    let list = components.map { "\($0.type):\($0.bits)" + ($0.align > 0 ? "/\($0.align)" : "") }
    return "\(profile ?? "") \(list.joined(separator: " ")) sampling \(sampling) order \(interleaving)"
      + (isLittleEndian ? " little" : "") + " pixel \(pixelSize) row \(rowAlign) tile \(tileAlign) \(columns)x\(rows)"
      + (compression.map { " \($0.rawValue) \(units ?? 0)" } ?? "")
  }

  // MARK: - Samples

  package func shifts(_ component: Component) -> (h: Int, v: Int) {
    guard component.type == 2 || component.type == 3 else { return (0, 0) }
    return ([0, 1, 1, 2][sampling], sampling == 2 ? 1 : 0)
  }

  /// Returns the value of a sample by its place in the component's plane.
  package func value(_ index: Int, _ x: Int, _ y: Int) -> Int {
    var state = UInt32(truncatingIfNeeded: (index * 131 + y) * 257 + x + 1)
    for _ in 0..<3 { state = state &* 1_664_525 &+ 1_013_904_223 }
    return Int(state >> 8) & ((1 << components[index].bits) - 1)
  }

  private struct Bits {
    package var bytes: [UInt8] = []
    package var used = 0

    package mutating func put(_ value: Int, _ count: Int) {
      for shift in stride(from: count - 1, through: 0, by: -1) {
        if used % 8 == 0 { bytes.append(0) }
        if value >> shift & 1 == 1 { bytes[used / 8] |= 0x80 >> UInt8(used % 8) }
        used += 1
      }
    }

    package mutating func align(to size: Int, from start: Int) {
      used = 8 * bytes.count
      while size > 0, (bytes.count - start) % size != 0 { bytes.append(0xEE) }
      used = 8 * bytes.count
    }
  }

  /// The samples in file order, before any compression.
  package var samples: [UInt8] {
    var out = Bits()
    let tileWidth = width / columns, tileHeight = height / rows
    func size(_ c: Int) -> (w: Int, h: Int) {
      let shift = shifts(components[c])
      return (tileWidth >> shift.h, tileHeight >> shift.v)
    }
    func put(_ c: Int, _ tx: Int, _ ty: Int, _ x: Int, _ y: Int) {
      let component = components[c], own = size(c), v = value(c, tx * own.w + x, ty * own.h + y)
      if component.align == 0 {
        if isLittleEndian {
          for byte in 0..<(component.bits / 8) { out.put(v >> (8 * byte) & 255, 8) }
        } else {
          out.put(v, component.bits)
        }
        return
      }
      out.align(to: 1, from: 0)
      for byte in 0..<component.align {
        out.put(v >> (8 * (isLittleEndian ? byte : component.align - 1 - byte)) & 255, 8)
      }
    }
    func row(_ list: [Int], _ tx: Int, _ ty: Int, _ y: Int) {
      let start = out.bytes.count
      for x in 0..<size(list[0]).w {
        let pixel = out.bytes.count
        for c in list { put(c, tx, ty, x, y) }
        if pixelSize > 0 { out.align(to: pixelSize, from: pixel) }
      }
      out.align(to: rowAlign, from: start)
    }
    let tiles = (0..<rows).flatMap { ty in (0..<columns).map { ($0, ty) } }
    let all = Array(components.indices)
    if interleaving == 4 {
      for c in all {
        for (tx, ty) in tiles {
          let start = out.bytes.count
          for y in 0..<size(c).h { row([c], tx, ty, y) }
          out.align(to: tileAlign, from: start)
        }
      }
      return out.bytes
    }
    for (tx, ty) in tiles {
      let start = out.bytes.count
      switch interleaving {
      case 1: for y in 0..<tileHeight { row(all, tx, ty, y) }
      case 3: for y in 0..<tileHeight { for c in all { row([c], tx, ty, y) } }
      case 2:
        for c in all where ![2, 3].contains(components[c].type) { for y in 0..<size(c).h { row([c], tx, ty, y) } }
        let chroma = all.filter { [2, 3].contains(components[$0].type) }
        if let first = chroma.first { for y in 0..<size(first).h { row(chroma, tx, ty, y) } }
      default: for c in all { for y in 0..<size(c).h { row([c], tx, ty, y) } }
      }
      out.align(to: tileAlign, from: start)
    }
    return out.bytes
  }

  // MARK: - File

  /// Returns a stored block (RFC 1951, 3.2.4), in a wrapping of RFC 1950 where asked for.
  package static func stored(_ bytes: ArraySlice<UInt8>, _ method: Compression) -> [UInt8] {
    let count = bytes.count
    let block = [1, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8 & 255)] + bytes
    guard method == .zlib else { return block }
    var a = 1, b = 0
    for byte in bytes {
      a = (a + Int(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return [0x78, 0x01] + block + B.u32(b << 16 | a)
  }

  package var uncC: [UInt8] {
    if let profile { return B.fullBox("uncC", version: 1, Array(profile.utf8)) }
    let list = components.indices.flatMap { index -> [UInt8] in
      let c = components[index]
      return B.u16(index) + [UInt8(c.bits - 1), UInt8(c.format), UInt8(c.align)]
    }
    let fields = [UInt8(sampling), UInt8(interleaving), UInt8(blockSize), UInt8(flags | (isLittleEndian ? 0x80 : 0))]
    return B.fullBox(
      "uncC",
      B.u32(0) + B.u32(components.count) + list + fields + B.u32(pixelSize) + B.u32(rowAlign) + B.u32(tileAlign)
        + B.u32(columns - 1) + B.u32(rows - 1))
  }

  package var cmpd: [UInt8] { B.box("cmpd", B.u32(components.count) + components.flatMap { B.u16($0.type) }) }

  package var builder: HEIFBuilder {
    var data = samples, boxes = profile == nil ? [cmpd, uncC] : [uncC]
    if let compression {
      boxes.append(B.fullBox("cmpC", Array(compression.rawValue.utf8) + [units == nil ? 0 : 3]))
      let count = units ?? 1, length = (data.count + count - 1) / count
      let parts = stride(from: 0, to: data.count, by: length).map {
        Self.stored(data[$0..<min($0 + length, data.count)], compression)
      }
      data = parts.flatMap { $0 }
      if units != nil {
        // Offsets are implied, sizes have two bytes.
        boxes.append(B.fullBox("icef", [1 << 2] + B.u32(parts.count) + parts.flatMap { B.u16($0.count) }))
      }
    }
    data = surplus < 0 ? data.dropLast(-surplus) : data + [UInt8](repeating: 0xA5, count: surplus)
    var file = HEIFBuilder()
    file.brands = ["mif1", "mif2"]
    file.items = [.init(id: 1, type: "unci", data: data, properties: [B.ispe(width, height)] + boxes)]
    return file
  }

  package var bytes: [UInt8] { builder.bytes }
}
