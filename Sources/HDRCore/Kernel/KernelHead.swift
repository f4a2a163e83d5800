/// What a user's kernel says of itself in its first lines (docs/kernels.md#head).
public struct KernelHead: Sendable, Hashable {
  public struct Parameter: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
      case number(Double, ClosedRange<Double>)
      case count(Int, ClosedRange<Int>)
      case flag(Bool)
      /// 2 to 4 numbers.
      case vector([Double], ClosedRange<Double>)
      /// R, G, B: extended sRGB, encoded. The kernel gets linear BT.2020 and alpha.
      case color([Double])
    }

    public var name: String
    public var kind: Kind
    public var summary: String

    public init(_ name: String, _ kind: Kind, _ summary: String) {
      (self.name, self.kind, self.summary) = (name, kind, summary)
    }

    /// Words of 32 bits that the kernel gets.
    public var words: Int {
      switch kind {
      case .number, .count, .flag: 1
      case .vector(let list, _): list.count
      case .color: 4
      }
    }
  }

  /// What becomes of the content headroom.
  public enum HeadroomRule: Sendable, Hashable {
    case keeps
    /// It is multiplied by an expression of the parameters.
    case scales(String)
    case unknown
  }

  public var name: String
  public var summary: String
  public var parameters: [Parameter] = []
  /// Pixels that the kernel reads around its own.
  public var radius = 0
  /// Second pictures, by the names that the kernel calls them.
  public var inputs: [String] = []
  /// Whether light above 1 passes as the kernel's name promises.
  public var isHDRSafe = false
  public var headroom = HeadroomRule.unknown
  /// The kernel makes alpha; else the picture's stays.
  public var makesAlpha = false

  public init(name: String, summary: String = "") { (self.name, self.summary) = (name, summary) }

  public static let mostRadius = 16
  public static let mostInputs = 2
  /// Words of all parameters.
  public static let mostWords = 48
  /// Bytes of a kernel's text.
  public static let mostBytes = 1 << 16
}

/// A kernel's text compiled: nothing of it is checked.
public struct CompiledKernel: Sendable, Hashable {
  public var head: KernelHead
  /// A SPIR-V module.
  public var words: [UInt32]

  public init(head: KernelHead, words: [UInt32]) { (self.head, self.words) = (head, words) }
}

/// Why a kernel's text is not taken.
public struct KernelTextFault: Error, Sendable, Hashable {
  /// Of the text, from 1; 0 for the whole.
  public var line: Int
  public var message: String

  public init(_ message: String, line: Int) { (self.message, self.line) = (message, line) }
}
