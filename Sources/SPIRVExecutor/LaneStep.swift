import LaneLoops

/// A register: a component of a value, for all lanes of a strip.
typealias Register = Int32

/// A step that the lanes of a strip run. Steps are in one list; those that enclose others say where these end.
struct LaneStep: Sendable {
  enum Kind: UInt8, Sendable {
    /// a = operation of b and c.
    case compute
    /// a = b ? c : d
    case select
    /// a = function `number` of the program's library, of b, c and d.
    case call
    /// a = b where lanes are on.
    case blend
    /// Access `number` of the program's memory accesses, extractions, texels or calls of the host.
    case load, store, extract, imageRead, imageWrite, host
    /// Lanes with a true condition a run steps up to `end`, the others those from there up to `last`. b, c: masks.
    case branch
    /// Choice `number` of the program, all of whose parts end at `last`.
    case choose
    /// A body up to `end`, then the way to its next turn up to `last`; lanes leave to mask a, or wait for that way in
    /// b.
    case loop
    /// Lanes that leave go to mask a and continue at `last`; b holds the lanes that entered.
    case scope
    /// Lanes leave for the end of the construct whose mask is a.
    case park
  }

  var kind: Kind
  var operation = LaneOperation.copy
  /// True if only lanes that are on take the result; the others keep their values.
  var isMasked = false
  var number: Int32 = 0
  var a: Register = 0
  var b: Register = 0
  var c: Register = 0
  var d: Register = 0
  var end: Int32 = 0
  var last: Int32 = 0
}

/// The operands of a step that has many.
struct Access: Sendable {
  enum Target: Sendable {
    /// First register of a variable.
    case variable(Register)
    /// A buffer or an image by its binding.
    case binding(Int)
    /// A component of a vector, whose components are the registers after the first one in `reads`.
    case vector
    /// A function that the host provides.
    case host(HostFunction)
  }

  var target: Target
  /// The offset in registers, or in words of a buffer.
  var offset = 0
  /// Further offsets, by values of registers.
  var indices: [Place.Index] = []
  /// The registers that are only read: places, arguments, values to store.
  var reads: [Register] = []
  /// The registers that are written; -1 if nothing reads the result.
  var writes: [Register] = []
}

/// A switch: lanes of each value run its part; parts do not run into each other.
struct Choice: Sendable {
  var selector: Register
  /// Masks of lanes that no part took yet (`rest`), whose part is over (`ended`), and that left for the end (`merge`).
  var rest: Register
  var ended: Register
  var merge: Register
  /// The values of each part and the place where its steps end; the last takes all other values.
  var parts: [(values: [UInt32], end: Int32)] = []
}

/// The place of a value in memory.
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
  /// The offset in registers, or in words of a buffer.
  var offset = 0
  /// Further offsets, by values of registers.
  var indices: [Index] = []
}
