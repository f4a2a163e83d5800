import FileParts
import HDRCore

/// Writers of whole boxes of ISO base media files. Layouts of the properties: docs/colour-formulas.md#metadata-layouts.
package enum HEIFBox {
  /// Makes a box: size, type, content (ISO/IEC 14496-12, 4.2).
  static func plain(_ type: String, _ content: (inout ByteSink) -> Void) -> [UInt8] {
    plain(Array(type.utf8), content)
  }

  /// Makes a box with a type of four bytes, which need not be characters.
  static func plain(_ type: [UInt8], _ content: (inout ByteSink) -> Void) -> [UInt8] {
    var box = ByteSink()
    box.u32(0)
    box.append(type)
    content(&box)
    box.patchU32(box.count, at: 0)
    return box.bytes
  }

  /// Makes a box whose content starts with a version and flags.
  static func full(
    _ type: String, version: Int = 0, flags: Int = 0, _ content: (inout ByteSink) -> Void
  ) -> [UInt8] {
    plain(type) { box in
      box.u32(version << 24 | flags)
      content(&box)
    }
  }

  /// Makes an `ispe` box: the size of the coded picture, before any transform.
  package static func ispe(width: Int, height: Int) -> [UInt8] {
    full("ispe") { box in
      box.u32(width)
      box.u32(height)
    }
  }

  package static func pixi(bitDepth: Int, channels: Int = 3) -> [UInt8] {
    full("pixi") { box in
      box.u8(channels)
      for _ in 0..<channels { box.u8(bitDepth) }
    }
  }

  package static func nclx(_ cicp: CICP) -> [UInt8] {
    plain("colr") { box in
      box.ascii("nclx")
      box.u16(cicp.primaries)
      box.u16(cicp.transfer)
      box.u16(cicp.matrix)
      box.u8(cicp.fullRange ? 0x80 : 0)
    }
  }

  /// Makes a `colr` box with an ICC profile in the unrestricted form.
  package static func icc(_ profile: [UInt8]) -> [UInt8] {
    plain("colr") { box in
      box.ascii("prof")
      box.append(profile)
    }
  }

  /// Makes a `clap` box that keeps the top left `width` x `height` of a coded picture: sizes in whole numbers, offsets
  /// of centres in halves.
  package static func clap(width: Int, height: Int, codedWidth: Int, codedHeight: Int) -> [UInt8] {
    plain("clap") { box in
      for (numerator, denominator) in [
        (width, 1), (height, 1), (width - codedWidth, 2), (height - codedHeight, 2),
      ] {
        box.u32(numerator)
        box.u32(denominator)
      }
    }
  }

  package static func hvcC(_ configuration: [UInt8]) -> [UInt8] { plain("hvcC") { $0.append(configuration) } }

  package static func av1C(_ configuration: [UInt8]) -> [UInt8] { plain("av1C") { $0.append(configuration) } }

  // MARK: - Structure

  /// Makes a reference of `iref` version 0 (ISO/IEC 14496-12, 8.11.12).
  package static func reference(_ type: String, from item: Int, to targets: [Int]) -> [UInt8] {
    plain(type) { box in
      box.u16(item)
      box.u16(targets.count)
      for target in targets { box.u16(target) }
    }
  }

  /// Makes an entity group (ISO/IEC 23008-12, 9.4).
  package static func group(_ type: String, id: Int, members: [Int]) -> [UInt8] {
    full(type) { box in
      box.u32(id)
      box.u32(members.count)
      for member in members { box.u32(member) }
    }
  }

  package static func groupsList(_ groups: [[UInt8]]) -> [UInt8] {
    plain("grpl") { box in for group in groups { box.append(group) } }
  }

  /// Makes the payload of a `grid` item (ISO/IEC 23008-12, 6.6.2.3.2): 1...256 rows and columns, then the size of the
  /// whole picture.
  package static func grid(rows: Int, columns: Int, width: Int, height: Int) -> [UInt8] {
    var payload = ByteSink()
    let isWide = max(width, height) > 0xFFFF
    payload.u8(0)
    payload.u8(isWide ? 1 : 0)
    payload.u8(rows - 1)
    payload.u8(columns - 1)
    for side in [width, height] { payload.integer(side, bytes: isWide ? 4 : 2) }
    return payload.bytes
  }
}
