import HDRCore

/// Decodes a scan as kernels do: the twin of jpeg_states.glsl, jpeg_coefficients.glsl and jpeg_idct.glsl, word for word.
package struct JPEGScanDecoder {
  private let decoding: JPEGDecoding
  private let layout: JPEGLayout

  package init(_ decoding: JPEGDecoding) {
    self.decoding = decoding
    layout = decoding.layout
  }

  /// The coefficients of a scan, or why the library must decode it.
  private struct Coefficients {
    /// 32 words a block, as of `JPEGBlock`, in the order of the scan. They mean nothing where there are flags.
    var words: [UInt32]
    var flags: JPEGDecodeFlags = []
  }

  /// Returns the words of all chunks' states after the last round.
  private func states() -> [UInt32] {
    var states = nextStates(nil)
    for _ in 1..<JPEGDecoding.rounds {
      let next = nextStates(states)
      // Rounds that change nothing need not be counted to the last.
      if next == states { break }
      states = next
    }
    return states
  }

  /// Returns the states after one more round.
  private func nextStates(_ before: [UInt32]?) -> [UInt32] {
    var next = before ?? [UInt32](repeating: 0, count: decoding.chunks * JPEGDecoding.stateWords)
    let reader = SymbolReader(decoding)
    for chunk in 0..<decoding.chunks {
      let place = chunk * JPEGDecoding.stateWords, bounds = reader.bounds(ofChunk: chunk)
      var start = ChunkState(bit: bounds.first, place: 0)
      if let before, !bounds.startsInterval {
        start = ChunkState(bit: before[place - 6], place: before[place - 5])
        if before[place] == start.bit, before[place + 1] == start.place { continue }
      } else if before != nil {
        continue
      }
      var state = start, blocks: UInt32 = 0, sums: (UInt32, UInt32, UInt32) = (0, 0, 0)
      while state.bit < bounds.end {
        let symbol = reader.symbol(at: state, layout)
        if symbol.bits == 0 {
          state.bit += 1
          continue
        }
        state.bit += symbol.bits
        if state.index == 0 {
          blocks += 1
          let difference = UInt32(bitPattern: symbol.value)
          switch symbol.component {
          case 0: sums.0 &+= difference
          case 1: sums.1 &+= difference
          default: sums.2 &+= difference
          }
        }
        state.advance(to: symbol.nextIndex, layout)
      }
      for (word, value) in [
        start.bit, start.place, state.bit, state.place, blocks, sums.0, sums.1, sums.2,
      ].enumerated() { next[place + word] = value }
    }
    return next
  }

  /// Returns the coefficients that follow from the states.
  private func coefficients(_ states: [UInt32]) -> Coefficients {
    var result = Coefficients(words: [UInt32](repeating: 0, count: 32 * layout.blockCount))
    let reader = SymbolReader(decoding)
    var block: UInt32 = 0, dc: [UInt32] = [0, 0, 0]
    for chunk in 0..<decoding.chunks {
      let place = chunk * JPEGDecoding.stateWords, bounds = reader.bounds(ofChunk: chunk)
      if bounds.startsInterval {
        block = bounds.interval * UInt32(decoding.blocksOfInterval)
        dc = [0, 0, 0]
      }
      let state = ChunkState(bit: states[place], place: states[place + 1])
      let isSettled =
        bounds.startsInterval || (states[place - 6] == state.bit && states[place - 5] == state.place)
      result.flags.formUnion(isSettled ? blocks(of: bounds, state, reader, block, dc, &result.words) : .unsettled)
      block &+= states[place + 4]
      for component in 0..<3 { dc[component] &+= states[place + 5 + component] }
    }
    return result
  }

  /// Writes the blocks that begin in a chunk, the last one to its end in another chunk.
  private func blocks(
    of bounds: SymbolReader.Bounds, _ start: ChunkState, _ reader: SymbolReader, _ first: UInt32, _ sums: [UInt32],
    _ words: inout [UInt32]
  ) -> JPEGDecodeFlags {
    var state = start, block = first, dc = sums, isOwn = false
    let last = min(
      (bounds.interval + 1) * UInt32(decoding.blocksOfInterval), UInt32(layout.blockCount))
    while true {
      if state.bit >= bounds.end && (state.index == 0 || !isOwn) || state.index == 0 && block >= last { break }
      let symbol = reader.symbol(at: state, layout)
      if symbol.bits == 0 { return .unknownCode }
      if state.bit + symbol.bits > bounds.intervalEnd { return .short }
      state.bit += symbol.bits
      if state.index == 0 {
        isOwn = true
        dc[symbol.component] &+= UInt32(bitPattern: symbol.value)
        let value = Int32(bitPattern: dc[symbol.component])
        guard value == Int32(Int16(truncatingIfNeeded: value)) else { return .largeDC }
        words[32 * Int(block)] = UInt32(UInt16(truncatingIfNeeded: value))
      } else {
        guard symbol.nextIndex <= 64 else { return .beyondBlock }
        if isOwn, symbol.value != 0 {
          let index = Int(symbol.nextIndex) - 1
          words[32 * Int(block) + index / 2] |=
            UInt32(UInt16(truncatingIfNeeded: symbol.value)) << (16 * UInt32(index % 2))
        }
      }
      state.advance(to: symbol.nextIndex, layout)
      if state.index == 0, isOwn {
        block += 1
        if block == last, bounds.intervalEnd - state.bit >= 8 { return .bytesLeft }
      }
    }
    return bounds.end == bounds.intervalEnd && block < last ? .short : []
  }

  /// Returns the picture of coefficients.
  private func picture(_ coefficients: [UInt32]) -> SampleImage {
    let image = decoding.makeImage()
    for (index, component) in layout.components.enumerated() {
      let size = decoding.blocks(component), quantisers = decoding.scan.tables[index].quantisers
      let plane = image.channels[index].buffer.base.assumingMemoryBound(to: UInt64.self)
      for row in 0..<size.rows {
        for column in 0..<size.columns {
          let mcu = row / component.blocksY * layout.mcuColumns + column / component.blocksX
          let place = row % component.blocksY * component.blocksX + column % component.blocksX
          let number = mcu * layout.blocksOfMCU + component.firstInMCU + place
          let block = JPEGBlock(words: coefficients[32 * number..<32 * number + 32])
          for (y, samples) in block.samples(quantisers).enumerated() {
            plane[(8 * row + y) * size.columns + column] = samples
          }
        }
      }
    }
    return image
  }

  /// Decodes the scan.
  package func decode() -> DecodedScan {
    let coefficients = coefficients(states())
    return DecodedScan(flags: coefficients.flags, image: picture(coefficients.words))
  }
}

/// A place in a stream: the next bit, and what its code is for.
private struct ChunkState {
  var bit: UInt32
  var place: UInt32

  var index: UInt32 { place & 63 }

  /// Moves on to a coefficient, or from 64 on to the next block.
  mutating func advance(to index: UInt32, _ layout: JPEGLayout) {
    let block = place >> 6
    place = index < 64 ? block << 6 | index : block + 1 == UInt32(layout.blocksOfMCU) ? 0 : (block + 1) << 6
  }
}

/// Reads symbols of a scan (ITU-T T.81, F.2.2): the twin of jpeg_symbols.glsl.
private struct SymbolReader {
  /// A code and the bits behind it.
  struct Symbol {
    /// All bits; 0 for a code that the table does not have.
    var bits: UInt32 = 0
    var component = 0
    var value: Int32 = 0
    /// The coefficient that comes next; more than 63 if it is the next block's first.
    var nextIndex: UInt32 = 0
  }

  struct Bounds {
    var first: UInt32
    var end: UInt32
    var interval: UInt32
    var intervalEnd: UInt32
    var startsInterval: Bool
  }

  private let decoding: JPEGDecoding

  init(_ decoding: JPEGDecoding) { self.decoding = decoding }

  func bounds(ofChunk chunk: Int) -> Bounds {
    let words = decoding.words, place = JPEGDecoding.chunksPlace + 2 * chunk
    let first = words[place], interval = words[place + 1]
    let ends = JPEGDecoding.chunksPlace + 2 * decoding.chunks + Int(interval)
    return Bounds(
      first: first, end: min(first + UInt32(JPEGDecoding.chunkBits), words[ends + 1]), interval: interval,
      intervalEnd: words[ends + 1], startsInterval: first == words[ends])
  }

  @inline(__always) func symbol(at state: ChunkState, _ layout: JPEGLayout) -> Symbol {
    let stream = decoding.scan.words, tables = decoding.words
    let word = Int(state.bit >> 5), shift = UInt64(state.bit & 31)
    let window = UInt32(truncatingIfNeeded: ((UInt64(stream[word]) << 32 | UInt64(stream[word + 1])) << shift) >> 32)
    let block = Int(state.place >> 6), luma = layout.lumaOfMCU
    var symbol = Symbol()
    symbol.component = block < luma ? 0 : block - luma + 1
    let place = JPEGDecoding.codesPlace + (2 * symbol.component + (state.index == 0 ? 0 : 1)) * JPEGDecoding.codesWords
    let fast = window >> UInt32(32 - JPEGDecoding.fastBits)
    let entry = tables[place + Int(fast >> 1)] >> (16 * (fast & 1)) & 0xFFFF
    var length = entry >> 8, value = entry & 0xFF
    if length == 0 {
      for long in 0..<7 where window >> 16 < tables[place + JPEGDecoding.limitsPlace + long] {
        length = UInt32(long + JPEGDecoding.fastBits + 1)
        let number = (window >> (32 - length) &+ tables[place + JPEGDecoding.offsetsPlace + long]) & 0xFF
        value = tables[place + JPEGDecoding.valuesPlace + Int(number >> 2)] >> (8 * (number & 3)) & 0xFF
        break
      }
      if length == 0 { return symbol }
    }
    let size = value & 15, run = value >> 4
    symbol.bits = length + size
    if size > 0 {
      let extra = Int32((window << length) >> (32 - size))
      symbol.value = extra < 1 << (size - 1) ? extra - 1 << size + 1 : extra
    }
    symbol.nextIndex =
      state.index == 0 ? 1 : size == 0 && run != 15 ? 64 : state.index + run + 1
    return symbol
  }
}
