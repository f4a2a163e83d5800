/// The declarations in the first lines of a user's kernel (docs/kernels.md#head).
public struct KernelHead: Sendable, Hashable {
  public struct Parameter: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
      case number(Double, ClosedRange<Double>)
      case count(Int, ClosedRange<Int>)
      case flag(Bool)
      /// A vector of 2 to 4 numbers.
      case vector([Double], ClosedRange<Double>)
      /// A colour, given as R, G, B in encoded extended sRGB. The kernel gets linear BT.2020 and alpha.
      case color([Double])
    }

    public var name: String
    public var kind: Kind
    public var summary: String

    public init(_ name: String, _ kind: Kind, _ summary: String) {
      (self.name, self.kind, self.summary) = (name, kind, summary)
    }

    /// The number of 32-bit words that the kernel gets.
    public var words: Int {
      switch kind {
      case .number, .count, .flag: 1
      case .vector(let list, _): list.count
      case .color: 4
      }
    }
  }

  /// The kernel's effect on the content headroom.
  public enum HeadroomRule: Sendable, Hashable {
    case keeps
    /// The headroom is multiplied by an expression of the parameters.
    case scales(String)
    case unknown
  }

  public var name: String
  public var summary: String
  public var parameters: [Parameter] = []
  /// The number of pixels that the kernel reads around its own.
  public var radius = 0
  /// Further pictures, by the names that the kernel uses.
  public var inputs: [String] = []
  /// True if the kernel declares that light above 1 passes correctly.
  public var isHDRSafe = false
  public var headroom = HeadroomRule.unknown
  /// True if the kernel computes alpha; else the picture's is kept.
  public var makesAlpha = false

  public init(name: String, summary: String = "") { (self.name, self.summary) = (name, summary) }

  public static let mostRadius = 16
  public static let mostInputs = 2
  /// The largest number of words of all parameters.
  public static let mostWords = 48
  /// The largest size of a kernel's text in bytes.
  public static let mostBytes = 1 << 16
}

/// A kernel's compiled text. Its contents are not checked.
public struct CompiledKernel: Sendable, Hashable {
  public var head: KernelHead
  /// The words of a SPIR-V module.
  public var words: [UInt32]

  public init(head: KernelHead, words: [UInt32]) { (self.head, self.words) = (head, words) }
}

/// The reason why a kernel's text is rejected.
public struct KernelTextFault: Error, Sendable, Hashable {
  /// The line of the text, from 1; 0 for the whole.
  public var line: Int
  public var message: String

  public init(_ message: String, line: Int) { (self.message, self.line) = (message, line) }
}
