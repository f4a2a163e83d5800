/// Answers to a kernel's calls of host functions.
extension LaneStrip {
  func ask(_ access: Access) {
    guard case .host(let function) = access.target else { return }
    let arguments = access.reads, results = access.writes
    guard let host else { return }
    // Some results may have no reader.
    func give(_ index: Int, _ word: UInt32) { if results[index] >= 0 { set(results[index], word) } }
    switch function {
    case .headroom: give(0, host.headroom.bitPattern)
    case .contentHeadroom: give(0, host.contentHeadroom.bitPattern)
    case .word:
      let index = Int(word(arguments[0], 0))
      give(0, host.parameters.indices.contains(index) ? host.parameters[index] : 0)
    case .position:
      if results[0] >= 0 {
        let columns = row(results[0])
        for lane in 0..<span { columns[lane] = UInt32(truncatingIfNeeded: host.x + lane) }
        setUniform(results[0], false)
      }
      give(1, UInt32(truncatingIfNeeded: host.y))
    case .size:
      give(0, UInt32(truncatingIfNeeded: host.width))
      give(1, UInt32(truncatingIfNeeded: host.height))
    case .pixel: read(host, arguments, results)
    case .library: break
    }
  }

  /// Reads a source's pixels at most `radius` away from these; beyond the border the border's pixels repeat.
  private func read(_ host: PixelHost, _ arguments: [Register], _ results: [Register]) {
    let number = Int(word(arguments[0], 0))
    guard host.sources.indices.contains(number) else {
      for register in results where register >= 0 { set(register, 0) }
      return
    }
    let source = host.sources[number], reach = host.radius
    func offset(_ register: Register, _ lane: Int) -> Int {
      min(max(Int(Int32(bitPattern: word(register, lane))), -reach), reach)
    }
    func column(_ x: Int) -> Int { min(max(x, 0), source.width - 1) }
    func line(_ y: Int) -> Int { min(max(y, 0), source.height - 1) }
    let isSame = isUniform(arguments[1]) && isUniform(arguments[2])
    for (channel, register) in results.enumerated() where register >= 0 {
      guard source.channels.count == 4 || channel < 3 else {
        set(register, Float(1).bitPattern)
        continue
      }
      let rows = source.channels[source.channels.count == 1 ? 0 : channel], target = row(register)
      setUniform(register, false)
      if isSame {
        let from = rows.base + line(host.y + offset(arguments[2], 0)) * rows.rowBytes
        let first = host.x + offset(arguments[1], 0)
        let inside = max(0, -first)..<max(max(0, -first), min(lanes, source.width - first))
        if rows.stepBytes == 4 && !inside.isEmpty {
          (target + inside.lowerBound).update(
            from: (from + 4 * (first + inside.lowerBound)).assumingMemoryBound(to: UInt32.self), count: inside.count)
        } else {
          for lane in inside {
            target[lane] = (from + rows.stepBytes * (first + lane)).loadUnaligned(as: UInt32.self)
          }
        }
        for outside in [0..<min(inside.lowerBound, lanes), min(inside.upperBound, lanes)..<lanes] {
          for lane in outside {
            target[lane] = (from + rows.stepBytes * column(first + lane)).loadUnaligned(as: UInt32.self)
          }
        }
      } else {
        for lane in 0..<lanes {
          let from = rows.base + line(host.y + offset(arguments[2], lane)) * rows.rowBytes
          target[lane] =
            (from + rows.stepBytes * column(host.x + lane + offset(arguments[1], lane))).loadUnaligned(as: UInt32.self)
        }
      }
    }
  }
}
