import LaneLoops

/// A register: a component of a value, for all lanes of a strip.
typealias Register = Int32

/// One step of what the lanes of a strip do. Steps lie in one list; those that enclose others say where these end.
struct Step: Sendable {
  enum Kind: UInt8, Sendable {
    /// a = operation of b and c.
    case compute
    /// a = b ? c : d
    case select
    /// a = function `number` of the program's library, of b, c and d.
    case call
    /// a = b where lanes are on.
    case blend
    /// Number `number` of the program's memory accesses, extractions, texels or questions to the host.
    case load, store, extract, imageRead, imageWrite, host
    /// Lanes of a true condition a do what is up to `end`, the others what is from there up to `last`; b and c are masks.
    case branch
    /// Number `number` of the program's choices, all of whose parts end at `last`.
    case choose
    /// A body up to `end`, then what leads to its next turn up to `last`; lanes leave to mask a, or wait for that in b.
    case loop
    /// Lanes that leave to mask a go on at `last`; b holds those that came.
    case scope
    /// Lanes leave for the end of the construct whose mask is a.
    case park
  }

  var kind: Kind
  var operation = LaneOperation.copy
  /// What is computed goes to the lanes that are on, the others keep what they have.
  var isMasked = false
  var number: Int32 = 0
  var a: Register = 0
  var b: Register = 0
  var c: Register = 0
  var d: Register = 0
  var end: Int32 = 0
  var last: Int32 = 0
}

/// Operands of a step that has many.
struct Access: Sendable {
  enum Target: Sendable {
    /// First register of a variable.
    case variable(Register)
    /// A buffer or an image by its binding.
    case binding(Int)
    /// A component of a vector, all of which are `registers` behind the first.
    case vector
    /// A function that whoever runs the program has.
    case host(HostFunction)
  }

  var target: Target
  /// Registers, or words of a buffer.
  var offset = 0
  /// Further ones by a register's value.
  var indices: [Place.Index] = []
  /// What is only read: places, arguments, what is stored.
  var reads: [Register] = []
  /// -1: nothing reads that.
  var writes: [Register] = []
}

/// A switch: lanes of each value do its part; parts do not run into each other.
struct Choice: Sendable {
  var selector: Register
  /// Lanes that no part took yet, those whose part is over, and those that left for the end.
  var rest: Register
  var ended: Register
  var merge: Register
  /// Values of each part and where its steps end; the last takes all others.
  var parts: [(values: [UInt32], end: Int32)] = []
}

/// Where something lies in memory.
struct Place: Sendable {
  enum Base: Sendable {
    /// First register of a variable.
    case register(Register)
    /// A buffer by its binding.
    case buffer(Int)
  }

  struct Index: Sendable {
    var register: Register
    var stride: Int
    var count: Int?
  }

  var base: Base
  /// Registers, or words of a buffer.
  var offset = 0
  /// Further ones by a register's value.
  var indices: [Index] = []
}
