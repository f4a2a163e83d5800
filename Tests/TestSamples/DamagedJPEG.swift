import HDRCore

/// Damage to baseline JPEGs that leaves most of them readable: to the stream of codes, to tables, and to the numbers that
/// say where blocks lie.
package struct DamagedJPEG: Sendable {
  /// The kind of what is changed.
  package enum Part: CaseIterable, Sendable { case stream, quantisers, codes, geometry, restarts }

  private let file: [UInt8]
  /// The payloads of segments by marker, and the place of the first code.
  private var payloads: [(marker: UInt8, range: Range<Int>)] = []
  private var stream: Range<Int>

  /// - Parameter file: a JPEG of one scan whose segments have right lengths.
  package init(_ file: [UInt8]) {
    self.file = file
    var at = 2
    while at + 4 <= file.count, file[at] == 0xFF {
      let end = min(file.count, at + 2 + Int(file[at + 2]) << 8 + Int(file[at + 3]))
      payloads.append((file[at + 1], at + 4..<max(at + 4, end)))
      at = end
      if payloads.last?.marker == 0xDA { break }
    }
    stream = at..<max(at, file.count - 2)
  }

  /// Returns the file with one to three changes.
  package func changed(_ random: inout some RandomNumberGenerator) -> [UInt8] {
    var bytes = file
    // From the back, so that places before stay where they are.
    let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      Int.random(in: 0..<3, using: &random) > 0 ? .stream : Part.allCases.randomElement(using: &random) ?? .stream
    }
    for part in parts.sorted(by: { $0 == .stream && $1 != .stream }) { change(part, &bytes, &random) }
    return bytes
  }

  private func change(_ part: Part, _ bytes: inout [UInt8], _ random: inout some RandomNumberGenerator) {
    switch part {
    case .stream: changeStream(&bytes, &random)
    case .quantisers: change(0xDB, &bytes, &random) { UInt8.random(in: 0...255, using: &$0) }
    case .codes:
      // Counts move a code from one length to the next; values take the place of others.
      guard let payload = payload(0xC4, &random), payload.count > 18 else { return }
      if Bool.random(using: &random) {
        let place = payload.lowerBound + Int.random(in: 1..<16, using: &random)
        guard bytes[place] > 0, bytes[place + 1] < 255 else { return }
        bytes[place] -= 1
        bytes[place + 1] += 1
      } else {
        let values = payload.lowerBound + 17..<payload.upperBound
        bytes[Int.random(in: values, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
    case .geometry:
      guard let frame = payload(0xC0, &random) ?? payload(0xC1, &random), frame.count > 8 else { return }
      let place = [2, 4, 7].randomElement(using: &random) ?? 2
      bytes[frame.lowerBound + place] =
        place == 7
        ? [0x11, 0x21, 0x12, 0x22, 0x41].randomElement(using: &random) ?? 0x11
        : UInt8.random(in: 1...64, using: &random)
    case .restarts: change(0xDD, &bytes, &random) { UInt8.random(in: 0...9, using: &$0) }
    }
  }

  /// Changes the last byte of a number in a payload, or any of a table.
  private func change<R: RandomNumberGenerator>(
    _ marker: UInt8, _ bytes: inout [UInt8], _ random: inout R, _ value: (inout R) -> UInt8
  ) {
    guard let payload = payload(marker, &random), payload.count > 1 else { return }
    bytes[Int.random(in: payload.lowerBound + 1..<payload.upperBound, using: &random)] = value(&random)
  }

  private func payload(_ marker: UInt8, _ random: inout some RandomNumberGenerator) -> Range<Int>? {
    payloads.filter { $0.marker == marker }.randomElement(using: &random)?.range
  }

  private func changeStream(_ bytes: inout [UInt8], _ random: inout some RandomNumberGenerator) {
    let stream = stream.lowerBound..<max(stream.lowerBound, bytes.count - 2)
    guard !stream.isEmpty else { return }
    let place = Int.random(in: stream, using: &random)
    let length = min(stream.upperBound - place, Int.random(in: 1...8, using: &random))
    switch Int.random(in: 0..<8, using: &random) {
    case 0: bytes.removeSubrange(place..<place + length)
    case 1:
      bytes.insert(contentsOf: (0..<length).map { _ in UInt8.random(in: 0...254, using: &random) }, at: place)
    case 2: for at in place..<place + length { bytes[at] = UInt8.random(in: 0...254, using: &random) }
    case 3:
      let from = Int.random(in: stream.lowerBound...stream.upperBound - length, using: &random)
      bytes.replaceSubrange(place..<place + length, with: Array(bytes[from..<from + length]))
    default: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
    }
  }
}

extension JPEGSourceScan {
  /// Returns the scan with a number changed that a codec process might have said: most have a `fault`.
  package func changed(_ random: inout some RandomNumberGenerator) -> JPEGSourceScan {
    var scan = self
    switch Int.random(in: 0..<9, using: &random) {
    case 0: scan.width = Int.random(in: 0...80, using: &random)
    case 1: scan.height = Int.random(in: 0...80, using: &random)
    case 2: scan.chroma = ChromaSubsampling.allCases.randomElement(using: &random) ?? .none
    case 3: scan.restartInterval = Int.random(in: -1...20, using: &random)
    case 4:
      let place = Int.random(in: 0..<scan.starts.count, using: &random)
      scan.starts[place] += Int.random(in: -3...3, using: &random)
    case 5: scan.bytes += Int.random(in: -9...9, using: &random)
    case 6:
      let place = Int.random(in: 0..<scan.words.count, using: &random)
      scan.words[place] ^= UInt32.random(in: 0 ... .max, using: &random)
    case 7:
      let table = Int.random(in: 0..<scan.tables.count, using: &random)
      let place = Int.random(in: 0..<64, using: &random)
      scan.tables[table].quantisers[place] = UInt16.random(in: 0 ... .max, using: &random)
    default:
      let table = Int.random(in: 0..<scan.tables.count, using: &random), isDC = Bool.random(using: &random)
      var codes = isDC ? scan.tables[table].dc : scan.tables[table].ac
      let length = Int.random(in: 0..<16, using: &random)
      let place = Int.random(in: 0..<codes.values.count, using: &random)
      codes.values[place] = UInt8.random(in: 0...(isDC ? 15 : 255), using: &random)
      if codes.counts[length] > 0, length < 15 {
        codes.counts[length] -= 1
        codes.counts[length + 1] += 1
      }
      if isDC { scan.tables[table].dc = codes } else { scan.tables[table].ac = codes }
    }
    return scan
  }
}
