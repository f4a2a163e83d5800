import HDRCore

/// The result of compiling a kernel's text where codecs run.
package enum KernelAnswer: Sendable, Hashable {
  case compiled(CompiledKernel)
  case refused(KernelTextFault)
}

extension KernelAnswer: WireValue {
  /// The largest number of words in a module.
  static let mostWords = 1 << 17

  package func write(to wire: inout WireWriter) {
    switch self {
    case .compiled(let kernel):
      wire.byte(0)
      wire.put(kernel.head)
      wire.put(kernel.words.withUnsafeBytes { Array($0) })
    case .refused(let fault):
      wire.byte(1)
      wire.put(fault.line)
      wire.put(fault.message)
    }
  }

  package init(from wire: inout WireReader) throws(WireError) {
    switch try wire.byte() {
    case 0:
      let head = try wire.take(KernelHead.self), bytes = try wire.take([UInt8].self)
      guard bytes.count % 4 == 0, bytes.count <= 4 * Self.mostWords else {
        throw WireError("a module of \(bytes.count) bytes")
      }
      let words = bytes.withUnsafeBytes { bytes in
        (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) }
      }
      self = .compiled(CompiledKernel(head: head, words: words))
    case 1:
      let line = try wire.int(0...1 << 24, "a line")
      self = .refused(KernelTextFault(try wire.take(), line: line))
    case let other: throw WireError("kernel answer \(other)")
    }
  }
}

extension KernelHead: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(name)
    wire.put(summary)
    wire.put(parameters)
    wire.put(radius)
    wire.put(inputs)
    wire.put(isHDRSafe)
    switch headroom {
    case .keeps: wire.byte(0)
    case .unknown: wire.byte(1)
    case .scales(let text):
      wire.byte(2)
      wire.put(text)
    }
    wire.put(makesAlpha)
  }

  package init(from wire: inout WireReader) throws(WireError) {
    self.init(name: try wire.take(), summary: try wire.take())
    parameters = try wire.take()
    radius = try wire.int(0...KernelHead.mostRadius, "a radius")
    inputs = try wire.take()
    isHDRSafe = try wire.take()
    switch try wire.byte() {
    case 0: headroom = .keeps
    case 1: headroom = .unknown
    case 2: headroom = .scales(try wire.take())
    case let other: throw WireError("headroom rule \(other)")
    }
    makesAlpha = try wire.take()
    guard inputs.count <= KernelHead.mostInputs, parameters.reduce(0, { $0 + $1.words }) <= KernelHead.mostWords else {
      throw WireError("a kernel of too many parameters")
    }
  }
}

extension KernelHead.Parameter: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(name)
    wire.put(summary)
    switch kind {
    case .number(let value, let range):
      wire.byte(0)
      for number in [value, range.lowerBound, range.upperBound] { wire.put(number) }
    case .count(let value, let range):
      wire.byte(1)
      for number in [value, range.lowerBound, range.upperBound] { wire.put(number) }
    case .flag(let value):
      wire.byte(2)
      wire.put(value)
    case .vector(let list, let range):
      wire.byte(3)
      wire.put(list)
      wire.put(range.lowerBound)
      wire.put(range.upperBound)
    case .color(let list):
      wire.byte(4)
      wire.put(list)
    }
  }

  package init(from wire: inout WireReader) throws(WireError) {
    let name = try wire.take(String.self), summary = try wire.take(String.self)
    func range<Bound: Comparable>(_ low: Bound, _ high: Bound) throws(WireError) -> ClosedRange<Bound> {
      guard low <= high else { throw WireError("a range that is empty") }
      return low...high
    }
    let kind: Kind
    switch try wire.byte() {
    case 0:
      let value = try wire.take(Double.self)
      kind = .number(value, try range(try wire.take(), try wire.take()))
    case 1:
      let most = -(1 << 30)...1 << 30, value = try wire.int(most, "a default")
      kind = .count(value, try range(try wire.int(most, "a range"), try wire.int(most, "a range")))
    case 2: kind = .flag(try wire.take())
    case 3:
      let list = try wire.take([Double].self)
      guard (2...4).contains(list.count) else { throw WireError("a vector of \(list.count)") }
      kind = .vector(list, try range(try wire.take(), try wire.take()))
    case 4:
      let list = try wire.take([Double].self)
      guard list.count == 3 else { throw WireError("a colour of \(list.count)") }
      kind = .color(list)
    case let other: throw WireError("parameter kind \(other)")
    }
    self.init(name, kind, summary)
  }
}
