import Foundation
import HDRCore
import ImageFiles
import TestFiles

/// Pictures and tools of the writer tests.
enum Writer {
  /// Numbers that look like noise and are the same on every machine.
  struct Noise {
    private var state: UInt64
    init(_ seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1 }
    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }

  /// Interleaved R G B A, noise on a ramp, so that every byte of a sample matters and filters have work.
  static func rgba(_ width: Int, _ height: Int, _ format: SampleFormat, seed: Int = 1) -> SampleImage {
    let image = SampleImage.interleaved(
      width: width, height: height, channelCount: 4, format: format, bitDepth: 8 * format.bytes)
    var noise = Noise(seed)
    for y in 0..<height {
      for x in 0..<width {
        for c in 0..<4 {
          let ramp = UInt64((x * 700 + y * 300) % 60_000), value = ramp + noise.next() % 4096
          let at = image.channels[0].buffer.base + (y * width + x) * 4 * format.bytes + c * format.bytes
          if format == .uint8 {
            at.storeBytes(of: UInt8(value >> 8), as: UInt8.self)
          } else {
            at.storeBytes(of: UInt16(value), as: UInt16.self)
          }
        }
      }
    }
    return image
  }

  /// Planar Y'CbCr in words: soft waves, as a photograph has them; alpha is noise.
  static func planar(
    _ width: Int, _ height: Int, _ chroma: ChromaSubsampling, bits: Int = 10, hasAlpha: Bool = false
  ) -> SampleImage {
    let image = SampleImage.planar(
      width: width, height: height, model: .ycc, format: .uint16, bitDepth: bits, chroma: chroma, hasAlpha: hasAlpha)
    let scale = Double((1 << bits) - 1) / 1023
    if let alpha = image.alpha {
      var noise = Noise(bits)
      for y in 0..<height {
        for x in 0..<width {
          (alpha.buffer.base + y * alpha.rowBytes + 2 * x).storeBytes(
            of: UInt16(noise.next() % (1 << UInt64(bits))), as: UInt16.self)
        }
      }
    }
    for (index, plane) in image.channels.enumerated() {
      for y in 0..<plane.height {
        for x in 0..<plane.width {
          let wave = sin(Double(x) * 0.11 + Double(index)) + cos(Double(y) * 0.07 - Double(index))
          let value = index == 0 ? 400 + 190 * wave : 512 + 60 * wave
          (plane.buffer.base + y * plane.rowBytes + 2 * x).storeBytes(of: UInt16(value * scale), as: UInt16.self)
        }
      }
    }
    return image
  }

  static let hdr10Light = ContentLightLevel(maxCLL: 1000, maxFALL: 400)
  static let p3Mastering = MasteringDisplay(
    primaries: [
      Chromaticity(0.680, 0.320), Chromaticity(0.265, 0.690), Chromaticity(0.150, 0.060), Chromaticity(0.3127, 0.3290),
    ], maxLuminance: 1000, minLuminance: 0.005)

  /// A request of a kind with its usual code points.
  static func request(_ kind: OutputKind, _ image: SampleImage, hasAlpha: Bool = false) -> EncodeRequest {
    let matrix = kind.layout == .planarYCC ? 9 : 0
    let cicp: CICP =
      switch kind.curve {
      case .pq: CICP(9, 16, matrix, full: true)
      case .hlg: CICP(9, 18, matrix, full: true)
      case .sdr: CICP(kind.primaries ?? 12, kind.transfer ?? 13, matrix, full: true)
      case .linear: CICP(9, 8, matrix, full: true)
      }
    return EncodeRequest(
      kind: kind, image: image, hasAlpha: hasAlpha, cicp: cicp, contentHeadroom: 1000 / 203, displayHeadroom: 4)
  }

  /// Planes R, G, B, A of binary32: light of both signs from 2^-30 to that of halves, with every bit of a number used.
  static func floats(_ width: Int, _ height: Int) -> SampleImage {
    let image = SampleImage.planar(
      width: width, height: height, model: .rgb, format: .float32, bitDepth: 32, hasAlpha: true)
    var noise = Noise(5)
    for plane in image.channels + [image.alpha!] {
      for y in 0..<height {
        for x in 0..<width {
          let word = noise.next()
          let light = Float(
            sign: word & 1 == 0 ? .plus : .minus, exponent: Int((word >> 8) % 45) - 30,
            significand: 1 + Float(word >> 41) * 0x1p-23)
          (plane.buffer.base + plane.offset + y * plane.rowBytes + 4 * x).storeBytes(of: light, as: Float.self)
        }
      }
    }
    return image
  }

  /// A picture of the layout that a kind wants.
  ///
  /// - Parameter bits: of a sample; `nil`: the usual ones.
  static func picture(for kind: OutputKind, _ width: Int, _ height: Int, bits: Int? = nil) -> SampleImage {
    switch kind.layout {
    case .rgba16: rgba(width, height, .uint16)
    case .rgba8: rgba(width, height, .uint8)
    case .planarYCC: planar(width, height, .s420, bits: bits ?? kind.bitDepths[0])
    case .rgba16f: bits == 32 ? floats(width, height) : rgba(width, height, .float16)
    }
  }

  static func contains(_ bytes: [UInt8], _ hex: String) -> Bool { position(of: hexBytes(hex), in: bytes) != nil }

  static func position(of needle: [UInt8], in bytes: [UInt8]) -> Int? {
    guard bytes.count >= needle.count else { return nil }
    return (0...bytes.count - needle.count).first { at in
      bytes[at] == needle[0] && bytes[at..<at + needle.count].elementsEqual(needle)
    }
  }

  /// Path of a program that other people wrote; `nil` where it is not installed.
  static func tool(_ name: String) -> URL? {
    let url = URL(fileURLWithPath: "/usr/bin/" + name)
    return FileManager.default.isExecutableFile(atPath: url.path) ? url : nil
  }

  /// Runs a program on a file with these bytes; `%` in the arguments stands for its path. Standard output.
  static func run(_ tool: URL, _ arguments: [String], on bytes: [UInt8], suffix: String) throws -> String {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("hdrbatch-writer-\(UUID().uuidString).\(suffix)").path
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let process = Process(), pipe = Pipe()
    process.executableURL = tool
    process.arguments = arguments.map { $0.replacingOccurrences(of: "%", with: path) }
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }
}

extension Writer {
  /// Returns the mean and the largest difference of all samples, in codes.
  static func difference(_ written: SampleImage, _ read: SampleImage) -> (mean: Double, worst: Int) {
    var sum = 0, count = 0, worst = 0
    for (a, b) in zip(written.channels, read.channels) {
      for y in 0..<a.height {
        for x in 0..<a.width {
          let other = read.format == .uint8 ? b.byte(x, y) : b.value(x, y), distance = abs(a.value(x, y) - other)
          sum += distance
          count += 1
          worst = max(worst, distance)
        }
      }
    }
    return (Double(sum) / Double(count), worst)
  }
}

extension SamplePlane {
  /// A sample of a plane of bytes.
  func byte(_ x: Int, _ y: Int) -> Int {
    Int(buffer.base.load(fromByteOffset: offset + y * rowBytes + x * stepBytes, as: UInt8.self))
  }
}

/// Samples of a 16-bit plane, row by row.
func words16(_ plane: SamplePlane) -> [Int] { plane.samples(UInt16.self) }
