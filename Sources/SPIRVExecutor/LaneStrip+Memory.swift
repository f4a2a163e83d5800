extension LaneStrip {
  /// Returns the place that a lane's indices lead to.
  @inline(__always) private func element(_ access: Access, _ lane: Int) throws(ExecutorError) -> Int {
    var place = access.offset
    for index in access.indices {
      let value = Int(word(index.register, lane))
      if let count = index.count, value >= count { throw .outside("element \(value) of an array of \(count)") }
      place += value * index.stride
    }
    return place
  }

  private func isSame(_ access: Access) -> Bool { access.indices.allSatisfy { isUniform($0.register) } }

  func load(_ access: Access) throws(ExecutorError) {
    switch access.target {
    case .variable(let first): try loadElements(first, access)
    case .binding(let number): try loadWords(number, access)
    case .vector, .host: break
    }
  }

  /// Loads elements of a variable by indices that are not constant.
  private func loadElements(_ first: Register, _ access: Access) throws(ExecutorError) {
    if isSame(access) {
      let from = first + Register(try element(access, 0))
      for (index, register) in access.writes.enumerated() { copy(register, from + Register(index)) }
      return
    }
    let on = wholeRow(0, spare: 0)
    for lane in 0..<lanes where on[lane] != 0 {
      let from = first + Register(try element(access, lane))
      for (index, register) in access.writes.enumerated() { row(register)[lane] = word(from + Register(index), lane) }
    }
    for register in access.writes { setUniform(register, false) }
  }

  private func buffer(_ binding: Int) throws(ExecutorError) -> UnsafeMutableRawBufferPointer {
    guard let buffer = resources.buffers[binding] else {
      throw .outside("binding \(binding), which nothing is bound to")
    }
    return buffer
  }

  private func loadWords(_ binding: Int, _ access: Access) throws(ExecutorError) {
    let buffer = try buffer(binding), count = buffer.count / 4, base = buffer.baseAddress
    let results = access.writes
    func check(_ place: Int) throws(ExecutorError) {
      guard place >= 0, place + results.count <= count else {
        throw .outside("word \(place) of binding \(binding), which has \(count)")
      }
    }
    if isSame(access) {
      let from = try element(access, 0)
      try check(from)
      for (index, register) in results.enumerated() {
        set(register, base!.load(fromByteOffset: 4 * (from + index), as: UInt32.self))
      }
      return
    }
    for register in results { setUniform(register, false) }
    let on = wholeRow(0, spare: 0)
    if access.indices.count == 1, results.count == 1 {
      // The most common case: a word by its index.
      let stride = access.indices[0].stride, offset = access.offset
      let numbers = row(access.indices[0].register), target = row(results[0])
      for lane in 0..<lanes where on[lane] != 0 {
        let from = offset + Int(numbers[lane]) * stride
        try check(from)
        target[lane] = base!.load(fromByteOffset: 4 * from, as: UInt32.self)
      }
      return
    }
    for lane in 0..<lanes where on[lane] != 0 {
      let from = try element(access, lane)
      try check(from)
      for (index, register) in results.enumerated() {
        row(register)[lane] = base!.load(fromByteOffset: 4 * (from + index), as: UInt32.self)
      }
    }
  }

  func store(_ access: Access) throws(ExecutorError) {
    let on = wholeRow(0, spare: 0)
    switch access.target {
    case .variable(let first):
      for lane in 0..<lanes where on[lane] != 0 {
        let to = first + Register(try element(access, lane))
        for (index, register) in access.reads.enumerated() {
          spread(to + Register(index))
          row(to + Register(index))[lane] = word(register, lane)
        }
      }
    case .binding(let binding):
      let buffer = try buffer(binding), count = buffer.count / 4
      for lane in 0..<lanes where on[lane] != 0 {
        let to = try element(access, lane)
        guard to >= 0, to + access.reads.count <= count else {
          throw .outside("word \(to) of binding \(binding), which has \(count)")
        }
        for (index, register) in access.reads.enumerated() {
          buffer.baseAddress!.storeBytes(of: word(register, lane), toByteOffset: 4 * (to + index), as: UInt32.self)
        }
      }
    case .vector, .host: break
    }
  }

  // MARK: Images

  private func texel(_ access: Access, _ lane: Int) throws(ExecutorError) -> UnsafeMutablePointer<UInt16> {
    guard case .binding(let binding) = access.target, let image = resources.images[binding] else {
      throw .outside("a binding which no image is bound to")
    }
    let column = Int(Int32(bitPattern: word(access.reads[0], lane)))
    let line = Int(Int32(bitPattern: word(access.reads[1], lane)))
    guard (0..<image.width).contains(column), (0..<image.height).contains(line) else {
      throw .outside("pixel \(column), \(line) of binding \(binding), which has \(image.width)x\(image.height)")
    }
    return (image.base + line * image.rowBytes + 8 * column).assumingMemoryBound(to: UInt16.self)
  }

  func readTexels(_ access: Access) throws(ExecutorError) {
    let on = wholeRow(0, spare: 0)
    for lane in 0..<lanes where on[lane] != 0 {
      let from = try texel(access, lane)
      for (index, register) in access.writes.enumerated() { row(register)[lane] = UInt32(from[index]) }
    }
    for register in access.writes { setUniform(register, false) }
  }

  func writeTexels(_ access: Access) throws(ExecutorError) {
    let on = wholeRow(0, spare: 0)
    for lane in 0..<lanes where on[lane] != 0 {
      let to = try texel(access, lane)
      for (index, register) in access.reads.dropFirst(2).enumerated() {
        to[index] = UInt16(truncatingIfNeeded: word(register, lane))
      }
    }
  }
}
