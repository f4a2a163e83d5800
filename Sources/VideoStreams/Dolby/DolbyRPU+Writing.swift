import FileParts

extension DolbyRPU {
  /// The payload of a NAL unit, without its header and emulation prevention bytes: what was read, if nothing was changed.
  package var bytes: [UInt8] { [Self.prefix] + body }

  /// The bytes behind the first: the fields, their checksum, the end and zeros.
  package var body: [UInt8] {
    var sink = BitSink()
    sink.bits(2, 6)
    sink.bits(format, 11)
    sink.bits(syntaxProfile, 4)
    sink.bits(syntaxLevel, 4)
    sink.bit(statesSequence)
    if statesSequence { sequence.write(&sink) }
    sink.bit(display != nil)
    switch mapping {
    case .own(let mapping):
      sink.bit(false)
      mapping.write(&sink, sequence)
    case .earlier(let id):
      sink.bit(true)
      sink.ue(id)
    }
    display?.write(&sink)
    for bit in rest { sink.bit(bit) }
    let fields = sink.bytes, sum = CRC32.sum(fields, start: .max)
    var end = ByteSink()
    end.u32(Int(sum))
    end.u8(Int(Self.terminator))
    end.zeros(padding)
    return fields + end.bytes
  }
}

extension DolbySequence {
  fileprivate func write(_ sink: inout BitSink) {
    sink.bit(hasChromaFilter)
    switch coefficients {
    case .fixed(let fractionBits):
      sink.bits(0, 2)
      sink.ue(fractionBits)
    case .float: sink.bits(1, 2)
    }
    sink.bits(normalized, 2)
    sink.bit(baseIsFullRange)
    sink.ue(baseDepth - 8)
    sink.ue(mappingExtension << 8 | (enhancementDepth - 8))
    sink.ue(signalDepth - 8)
    sink.bit(hasSpatialFilter)
    sink.bits(compression, 3)
    sink.bit(scalesEnhancement)
    sink.bit(hasNoResidual)
  }

  fileprivate func write(_ coefficient: Int, _ sink: inout BitSink, isSigned: Bool = true) {
    guard case .fixed(let fractionBits) = coefficients else { return sink.bits(coefficient, 32) }
    let whole = coefficient >> fractionBits
    if isSigned { sink.se(whole) } else { sink.ue(whole) }
    sink.bits(coefficient, fractionBits)
  }
}

extension DolbyMapping {
  fileprivate func write(_ sink: inout BitSink, _ sequence: DolbySequence) {
    sink.ue(id)
    // Colour space and chroma format.
    sink.ue(0)
    sink.ue(0)
    for curve in curves {
      sink.ue(curve.pivots.count - 2)
      for (pivot, before) in zip(curve.pivots, [0] + curve.pivots) { sink.bits(pivot - before, sequence.baseDepth) }
    }
    if let residual {
      sink.bits(residual.method, 3)
      for step in residual.pivots { sink.bits(step, sequence.baseDepth) }
    }
    // One partition across and down.
    sink.ue(0)
    sink.ue(0)
    for piece in curves.flatMap(\.pieces) {
      switch piece {
      case .polynomial(let coefficients):
        sink.ue(0)
        sink.ue(coefficients.count - 2)
        if coefficients.count == 2 { sink.bit(false) }
        for number in coefficients { sequence.write(number, &sink) }
      case .regression(let constant, let orders):
        sink.ue(1)
        sink.bits(orders.count - 1, 2)
        for number in [constant] + orders.joined() { sequence.write(number, &sink) }
      }
    }
    for component in residual?.components ?? [] {
      sink.bits(component.offset, sequence.enhancementDepth)
      for number in [component.maximum, component.slope, component.threshold] {
        sequence.write(number, &sink, isSigned: false)
      }
    }
  }
}

extension DolbyDisplay {
  fileprivate func write(_ sink: inout BitSink) {
    sink.ue(affectedID)
    sink.ue(currentID)
    sink.ue(sceneRefresh)
    if let colors {
      for number in colors.toSignal { sink.bits(number, 16) }
      for number in colors.offsets { sink.bits(number, 32) }
      for number in colors.toLMS { sink.bits(number, 16) }
      for (number, width) in zip(colors.transfer, [16, 16, 16, 32]) { sink.bits(number, width) }
      sink.bits(colors.depth, 5)
      for number in [colors.space, colors.chroma, colors.range] { sink.bits(number, 2) }
      sink.bits(colors.minimum, 12)
      sink.bits(colors.maximum, 12)
      sink.bits(colors.diagonal, 10)
    }
    for list in lists {
      sink.ue(list.count)
      sink.bits(0, sink.bitsToByte)
      for block in list {
        sink.ue(block.payload.count)
        sink.bits(block.level, 8)
        for byte in block.payload { sink.bits(Int(byte), 8) }
      }
    }
  }
}
