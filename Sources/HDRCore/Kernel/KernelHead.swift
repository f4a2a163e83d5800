/// The declarations in the first lines of a user's kernel (docs/kernels.md#head).
package struct KernelHead: Sendable, Hashable {
  package struct Parameter: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
      case number(Double, ClosedRange<Double>)
      case count(Int, ClosedRange<Int>)
      case flag(Bool)
      /// A vector of 2 to 4 numbers.
      case vector([Double], ClosedRange<Double>)
      /// A colour, given as R, G, B in encoded extended sRGB. The kernel gets linear BT.2020 and alpha.
      case color([Double])
    }

    package var name: String
    package var kind: Kind
    package var summary: String

    package init(_ name: String, _ kind: Kind, _ summary: String) {
      (self.name, self.kind, self.summary) = (name, kind, summary)
    }

    /// The number of 32-bit words that the kernel gets.
    package var words: Int {
      switch kind {
      case .number, .count, .flag: 1
      case .vector(let list, _): list.count
      case .color: 4
      }
    }
  }

  /// The kernel's effect on the content headroom.
  package enum HeadroomRule: Sendable, Hashable {
    case keeps
    /// The headroom is multiplied by an expression of the parameters.
    case scales(String)
    case unknown
  }

  package var name: String
  package var summary: String
  package var parameters: [Parameter] = []
  /// The number of pixels that the kernel reads around its own.
  package var radius = 0
  /// Further pictures, by the names that the kernel uses.
  package var inputs: [String] = []
  /// True if the kernel declares that light above 1 passes correctly.
  package var isHDRSafe = false
  package var headroom = HeadroomRule.unknown
  /// True if the kernel computes alpha; else the picture's is kept.
  package var makesAlpha = false

  package init(name: String, summary: String = "") { (self.name, self.summary) = (name, summary) }

  package static let maxRadius = 16
  package static let maxInputs = 2
  /// The largest number of words of all parameters.
  package static let maxWords = 48
  /// The largest size of a kernel's text in bytes.
  package static let maxBytes = 1 << 16
}

/// A kernel's compiled text. Its contents are not checked.
package struct CompiledKernel: Sendable, Hashable {
  package var head: KernelHead
  /// The words of a SPIR-V module.
  package var words: [UInt32]

  package init(head: KernelHead, words: [UInt32]) { (self.head, self.words) = (head, words) }
}

/// The reason why a kernel's text is rejected.
package struct KernelTextFault: Error, Sendable, Hashable {
  /// The line of the text, from 1; 0 for the whole.
  package var line: Int
  package var message: String

  package init(_ message: String, line: Int) { (self.message, self.line) = (message, line) }
}
