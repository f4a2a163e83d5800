import HDRCore

/// The result of compiling a kernel's text where codecs run.
package enum KernelAnswer: Sendable, Hashable {
  case compiled(CompiledKernel)
  case refused(KernelTextFault)
}

extension KernelAnswer: Cases {
  /// The largest number of words in a module.
  static let maxWords = 1 << 17

  package static var blanks: [KernelAnswer] { [.compiled(.blank), .refused(.blank)] }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    switch self {
    case .compiled(let kernel):
      try coder.number(0)
      self = .compiled(try coder(kernel))
    case .refused(let fault):
      try coder.number(1)
      self = .refused(try coder(fault))
    }
  }
}

extension CompiledKernel: Fields {
  package static var blank: CompiledKernel { CompiledKernel(head: .blank, words: []) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("head", &head)
    try coder("words", &words, count: 0...KernelAnswer.maxWords)
  }
}

extension KernelTextFault: Fields {
  package static var blank: KernelTextFault { KernelTextFault("", line: 0) }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("line", &line, in: 0...1 << 24)
    try coder("message", &message)
  }
}

extension KernelHead: Fields {
  package static var blank: KernelHead { KernelHead(name: "") }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("name", &name)
    try coder("summary", &summary)
    try coder("parameters", &parameters)
    try coder("radius", &radius, in: 0...KernelHead.maxRadius)
    try coder("inputs", &inputs, count: 0...KernelHead.maxInputs)
    try coder("isHDRSafe", &isHDRSafe)
    try coder("headroom", &headroom)
    try coder("makesAlpha", &makesAlpha)
    try coder.demand(
      parameters.reduce(0) { $0 + $1.words } <= KernelHead.maxWords, "a kernel of too many parameters")
  }
}

extension KernelHead.HeadroomRule: Cases {
  package static var blanks: [KernelHead.HeadroomRule] { [.keeps, .unknown, .scales("")] }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    switch self {
    case .keeps: try coder.number(0)
    case .unknown: try coder.number(1)
    case .scales(let text):
      try coder.number(2)
      self = .scales(try coder(text))
    }
  }
}

extension KernelHead.Parameter: Fields {
  package static var blank: KernelHead.Parameter { KernelHead.Parameter("", .blank, "") }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder("name", &name)
    try coder("kind", &kind)
    try coder("summary", &summary)
  }
}

extension KernelHead.Parameter.Kind: Cases {
  package static var blanks: [KernelHead.Parameter.Kind] {
    [.number(0, 0...0), .count(0, 0...0), .flag(false), .vector([], 0...0), .color([])]
  }
  package mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    switch self {
    case .number(let value, let range):
      try coder.number(0)
      self = .number(try coder(value), try coder(range))
    case .count(var value, var range):
      try coder.number(1)
      let most = -(1 << 30)...1 << 30
      try coder("default", &value, in: most)
      try coder("range", &range)
      try coder.demand(most.contains(range.lowerBound) && most.contains(range.upperBound), "range is \(range)")
      self = .count(value, range)
    case .flag(let value):
      try coder.number(2)
      self = .flag(try coder(value))
    case .vector(var list, let range):
      try coder.number(3)
      try coder("numbers of a vector", &list, count: 2...4)
      self = .vector(list, try coder(range))
    case .color(var list):
      try coder.number(4)
      try coder("numbers of a colour", &list, count: 3...3)
      self = .color(list)
    }
  }
}
