import FileParts
import HDRCore

extension DolbyRPU {
  static let place = "Dolby Vision RPU"
  /// The most bytes that are read; real ones have less than 1000.
  static let maxBytes = 1 << 14
  /// The first byte in NAL units, and the last of every RPU.
  static let prefix: UInt8 = 0x19, terminator: UInt8 = 0x80

  /// Reads the payload of a NAL unit, without its two header bytes and without emulation prevention bytes.
  ///
  /// - Parameter earlier: the sequence information of the RPU before.
  /// - Throws: `.malformed` if the checksum or a field is wrong, `.unsupported` for syntax that has no documentation.
  package init(parsing bytes: ArraySlice<UInt8>, after earlier: DolbySequence? = nil) throws(DecodeError) {
    guard bytes.first == Self.prefix else { throw .malformed(where: Self.place, what: "it does not begin with 0x19") }
    try self.init(body: bytes.dropFirst(), after: earlier)
  }

  /// Reads the bytes behind the first; AV1 has RPUs without it.
  package init(body bytes: ArraySlice<UInt8>, after earlier: DolbySequence? = nil) throws(DecodeError) {
    let place = Self.place
    guard bytes.count <= Self.maxBytes else {
      throw .limit(what: "the size of a \(place) in bytes", found: bytes.count, allowed: Self.maxBytes)
    }
    let last = bytes.lastIndex { $0 != 0 }
    guard let end = last, end - bytes.startIndex > 4, bytes[end] == Self.terminator else {
      throw .malformed(where: place, what: "it does not end with 0x80")
    }
    let stated = bytes[end - 4..<end].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let found = CRC32.sum(bytes[..<(end - 4)], start: .max)
    guard stated == found else {
      throw .malformed(where: place, what: "its checksum is \(hex(found)), not \(hex(stated))")
    }
    var bits = BitReader(Array(bytes[..<(end - 4)]), place: place)
    guard try bits.bits(6) == 2 else { throw .unsupported(feature: "this kind of \(place)", found: "not type 2") }
    format = try bits.bits(11)
    syntaxProfile = try bits.bits(4)
    syntaxLevel = try bits.bits(4)
    guard format & 0x700 == 0 else {
      throw .unsupported(feature: "this kind of \(place)", found: "format \(format)")
    }
    statesSequence = try bits.bit()
    if statesSequence {
      sequence = try DolbySequence(&bits)
    } else {
      guard let earlier else { throw .malformed(where: place, what: "no RPU before it states the sequence") }
      sequence = earlier
    }
    let hasDisplay = try bits.bit()
    if try bits.bit() {
      mapping = .earlier(id: try bits.ue(atMost: 15, "the number of the earlier mapping"))
    } else {
      mapping = .own(try DolbyMapping(&bits, sequence))
    }
    display = hasDisplay ? try DolbyDisplay(&bits, sequence) : nil
    rest = []
    while bits.remaining > 0 { rest.append(try bits.bit()) }
    padding = bytes.endIndex - end - 1
  }
}

private func hex(_ word: UInt32) -> String { "0x" + String(word, radix: 16, uppercase: true) }

extension DolbySequence {
  fileprivate init(_ bits: inout BitReader) throws(DecodeError) {
    hasChromaFilter = try bits.bit()
    switch try bits.bits(2) {
    case 0: coefficients = .fixed(fractionBits: try bits.ue(atMost: 32, "the number of fraction bits"))
    case 1: coefficients = .float
    case let other: throw .unsupported(feature: "this kind of coefficients in a \(DolbyRPU.place)", found: "\(other)")
    }
    normalized = try bits.bits(2)
    baseIsFullRange = try bits.bit()
    baseDepth = 8 + (try bits.ue(atMost: 8, "the depth above 8"))
    let enhancement = try bits.ue(atMost: 0xFFFF, "the depth of the enhancement layer")
    guard enhancement & 0xFF <= 8 else {
      throw .malformed(where: DolbyRPU.place, what: "the depth of the enhancement layer is \(8 + enhancement & 0xFF)")
    }
    (enhancementDepth, mappingExtension) = (8 + enhancement & 0xFF, enhancement >> 8)
    signalDepth = 8 + (try bits.ue(atMost: 8, "the depth above 8"))
    hasSpatialFilter = try bits.bit()
    compression = try bits.bits(3)
    guard compression <= 1 else {
      throw .unsupported(feature: "this compression in a \(DolbyRPU.place)", found: "\(compression)")
    }
    scalesEnhancement = try bits.bit()
    hasNoResidual = try bits.bit()
  }

  /// Reads a coefficient; the part before the fraction bits is signed or not.
  fileprivate func coefficient(_ bits: inout BitReader, isSigned: Bool = true) throws(DecodeError) -> Int {
    switch coefficients {
    case .fixed(let fractionBits):
      let whole = isSigned ? try bits.se() : try bits.ue()
      guard abs(whole) < DolbyReshape.bound else {
        throw .malformed(where: DolbyRPU.place, what: "a coefficient is \(whole)")
      }
      return whole << fractionBits + (try bits.bits(fractionBits))
    case .float:
      let word = try bits.bits(32)
      guard abs(value(word)) < Double(DolbyReshape.bound) else {
        throw .malformed(where: DolbyRPU.place, what: "a coefficient is no number or too large")
      }
      return word
    }
  }
}

extension DolbyMapping {
  fileprivate init(_ bits: inout BitReader, _ sequence: DolbySequence) throws(DecodeError) {
    let place = DolbyRPU.place
    id = try bits.ue(atMost: 15, "the number of the mapping")
    guard try bits.ue() == 0, try bits.ue() == 0 else {
      throw .unsupported(feature: "this mapping in a \(place)", found: "another colour space or chroma format")
    }
    var pivots: [[Int]] = []
    for _ in 0..<3 {
      var codes: [Int] = []
      for _ in 0..<(try bits.ue(atMost: 7, "the number of pivots above 2")) + 2 {
        codes.append((codes.last ?? 0) + (try bits.bits(sequence.baseDepth)))
      }
      guard codes[codes.count - 1] < 1 << sequence.baseDepth else {
        throw .malformed(where: place, what: "a pivot is above \(sequence.baseDepth) bits")
      }
      pivots.append(codes)
    }
    var method = 0, steps: [Int] = []
    if !sequence.hasNoResidual {
      method = try bits.bits(3)
      guard method == 0 else { throw .unsupported(feature: "this residual in a \(place)", found: "method \(method)") }
      steps = [try bits.bits(sequence.baseDepth), try bits.bits(sequence.baseDepth)]
    }
    guard try bits.ue() == 0, try bits.ue() == 0 else {
      throw .unsupported(feature: "this mapping in a \(place)", found: "several partitions of the picture")
    }
    curves = []
    for codes in pivots {
      var pieces: [Piece] = []
      for _ in 1..<codes.count { pieces.append(try Piece(&bits, sequence)) }
      curves.append(Curve(pivots: codes, pieces: pieces))
    }
    residual = nil
    if !sequence.hasNoResidual {
      var components: [Residual.Component] = []
      for _ in 0..<3 {
        let offset = try bits.bits(sequence.enhancementDepth)
        func number() throws(DecodeError) -> Int { try sequence.coefficient(&bits, isSigned: false) }
        components.append(
          Residual.Component(offset: offset, maximum: try number(), slope: try number(), threshold: try number()))
      }
      residual = Residual(method: method, pivots: steps, components: components)
    }
  }
}

extension DolbyMapping.Piece {
  fileprivate init(_ bits: inout BitReader, _ sequence: DolbySequence) throws(DecodeError) {
    func coefficients(_ count: Int) throws(DecodeError) -> [Int] {
      var numbers: [Int] = []
      for _ in 0..<count { numbers.append(try sequence.coefficient(&bits)) }
      return numbers
    }
    if try bits.ue(atMost: 1, "the kind of a piece") == 0 {
      let order = 1 + (try bits.ue(atMost: 1, "the order above 1"))
      if order == 1, try bits.bit() {
        throw .unsupported(feature: "linear interpolation in a \(DolbyRPU.place)", found: "its flag")
      }
      self = .polynomial(try coefficients(order + 1))
    } else {
      let order = 1 + (try bits.bits(2))
      guard order <= 3 else { throw .malformed(where: DolbyRPU.place, what: "the order of a regression is 4") }
      let constant = try coefficients(1)[0]
      var orders: [[Int]] = []
      for _ in 0..<order { orders.append(try coefficients(7)) }
      self = .regression(constant: constant, orders: orders)
    }
  }
}

extension DolbyDisplay {
  fileprivate init(_ bits: inout BitReader, _ sequence: DolbySequence) throws(DecodeError) {
    affectedID = try bits.ue(atMost: 15, "the number of display metadata")
    currentID = try bits.ue(atMost: 15, "the number of display metadata")
    sceneRefresh = try bits.ue(atMost: 255, "the flag of a new scene")
    colors = sequence.compression == 1 ? nil : try Colors(&bits)
    lists = [try Block.list(&bits)]
    // Less than two bytes are the bits up to the checksum.
    if bits.remaining >= 16 { lists.append(try Block.list(&bits)) }
  }
}

extension DolbyDisplay.Colors {
  fileprivate init(_ bits: inout BitReader) throws(DecodeError) {
    func numbers(_ count: Int, _ width: Int, isSigned: Bool) throws(DecodeError) -> [Int] {
      var numbers: [Int] = []
      for _ in 0..<count {
        let number = try bits.bits(width)
        numbers.append(isSigned && number >> (width - 1) == 1 ? number - 1 << width : number)
      }
      return numbers
    }
    toSignal = try numbers(9, 16, isSigned: true)
    offsets = try numbers(3, 32, isSigned: false)
    toLMS = try numbers(9, 16, isSigned: true)
    transfer = try numbers(3, 16, isSigned: false) + numbers(1, 32, isSigned: false)
    depth = try bits.bits(5)
    space = try bits.bits(2)
    chroma = try bits.bits(2)
    range = try bits.bits(2)
    minimum = try bits.bits(12)
    maximum = try bits.bits(12)
    diagonal = try bits.bits(10)
  }
}

extension DolbyDisplay.Block {
  fileprivate static func list(_ bits: inout BitReader) throws(DecodeError) -> [Self] {
    let count = try bits.ue(atMost: 255, "the number of extension blocks")
    guard try bits.bits(bits.bitsToByte) == 0 else {
      throw .malformed(where: DolbyRPU.place, what: "bits before the extension blocks are set")
    }
    var blocks: [Self] = []
    for _ in 0..<count {
      let length = try bits.ue(atMost: DolbyRPU.maxBytes, "the length of an extension block"), level = try bits.bits(8)
      guard 8 * length <= bits.remaining else { throw .truncated(where: "extension block of a \(DolbyRPU.place)") }
      var payload: [UInt8] = []
      for _ in 0..<length { payload.append(UInt8(try bits.bits(8))) }
      blocks.append(Self(level: level, payload: payload))
    }
    return blocks
  }
}
