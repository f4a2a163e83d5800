import HDRCore

/// Boxes of ISO base media files, written whole. Layouts of the properties: specs/hdr-metadata.md §3.
package enum HEIFBox {
  /// Size, type, content (ISO/IEC 14496-12, 4.2).
  static func plain(_ type: String, _ content: (inout ByteSink) -> Void) -> [UInt8] {
    var box = ByteSink()
    box.u32(0)
    box.ascii(type)
    content(&box)
    box.patchU32(box.count, at: 0)
    return box.bytes
  }

  /// A box whose content starts with a version and flags.
  static func full(
    _ type: String, version: Int = 0, flags: Int = 0, _ content: (inout ByteSink) -> Void
  ) -> [UInt8] {
    plain(type) { box in
      box.u32(version << 24 | flags)
      content(&box)
    }
  }

  /// Size of the coded picture, before any transform.
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

  /// `nil` when nothing is known: 0 would say "unknown", and no box says the same.
  package static func clli(_ light: ContentLightLevel) -> [UInt8]? {
    let peak = Int(min(max(light.maxCLL, 0), 65_535).rounded(.up))
    guard peak > 0 else { return nil }
    return plain("clli") { box in
      box.u16(peak)
      box.u16(Int(min(max(light.maxFALL, 0), 65_535).rounded()))
    }
  }

  package static func mdcv(_ mastering: MasteringDisplay) -> [UInt8]? {
    mastering.payload(order: .greenBlueRed).map { payload in plain("mdcv") { $0.append(payload) } }
  }

  /// Keeps the top left `width` x `height` of a coded picture: sizes in whole numbers, offsets of centres in halves.
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
}
