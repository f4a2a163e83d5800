import PlainData

/// A reader of the Common LUT Format (SMPTE ST 2136-1, Academy CLF 3) and of `.ctf`, its superset of Autodesk and
/// OpenColorIO: a ProcessList of nodes (docs/luts.md#clf).
struct CLFReader {
  /// Limits on untrusted files (docs/isolation.md#limits).
  static let maxNodes = 256
  /// The limit counts the operations of all nodes, with those of files that they refer to.
  static let maxOperations = 1024

  private static let smpte = "http://www.smpte-ra.org/ns/2136-1/2024"
  /// Elements that say something about the file and change no number.
  private static let notes: Set = [
    "Id", "Description", "InputDescriptor", "OutputDescriptor", "Info", "Comment",
  ]

  /// The version of CLF that the file states; 3 without a number.
  private let version: Double
  private let refer: LUTChain.Refer?
  private var operations: [LUTOperation] = []
  private var nodes = 0
  private var depth: CLFDepth?

  /// - Parameter isCTF: true if a file without a version is one of the oldest CTF.
  static func read(_ bytes: [UInt8], isCTF: Bool, _ refer: LUTChain.Refer?) throws(LUTError) -> LUTChain {
    let root = try LUTXML(bytes).root
    guard root.name == "ProcessList" else { throw root.error(.format, "it is no ProcessList") }
    var reader = try CLFReader(root, isCTF: isCTF, refer)
    for child in root.children where !notes.contains(child.name) { try reader.add(child) }
    guard reader.nodes > 0 else { throw root.error(.node, "the ProcessList has no node") }
    return LUTChain(reader.operations)
  }

  private init(_ root: LUTElement, isCTF: Bool, _ refer: LUTChain.Refer?) throws(LUTError) {
    self.refer = refer
    let isSMPTE = root.namespace == Self.smpte
    if let text = root.attribute("compCLFversion") {
      let number = text.hasPrefix("ST2136-1") ? 3 : Double(text)
      guard let number, number > 0, number <= 3 else {
        throw root.error(.version, "compCLFversion must be a number up to 3")
      }
      version = number
    } else if isSMPTE {
      version = 3
    } else if let text = root.attribute("version") {
      guard let number = Double(text), number > 0, number <= 2.5 else {
        throw root.error(.version, "version must be a number up to 2.5")
      }
      version = 2
    } else {
      guard isCTF else { throw root.error(.version, "it states no compCLFversion") }
      version = 2
    }
    guard isSMPTE || root.attribute("id")?.isEmpty == false else {
      throw root.error(.id, "the ProcessList has no id, or an empty one")
    }
  }

  private mutating func add(_ element: LUTElement) throws(LUTError) {
    guard let read = CLFNode.readers[element.name] else {
      guard element.attribute("inBitDepth") == nil, element.attribute("outBitDepth") == nil else {
        let code: LUTError.Code = element.name.hasPrefix("Grading") ? .grading : .node
        throw element.error(code, "a node of this kind is not supported; bake the file to a LUT")
      }
      return
    }
    nodes += 1
    guard nodes <= Self.maxNodes else { throw element.error(.arrayCount, "more than \(Self.maxNodes) nodes") }
    let node = CLFNode(
      element: element, version: version, from: try CLFDepth(element, "inBitDepth"),
      to: try CLFDepth(element, "outBitDepth"), refer: refer)
    if let depth, depth != node.from {
      throw element.error(
        .bitDepth,
        "inBitDepth is \(node.from.rawValue), and the node before ends with \(depth.rawValue); make them equal")
    }
    depth = node.to
    operations += try read(node)
    guard operations.count <= Self.maxOperations else { throw element.error(.arrayCount, "too many operations") }
    guard !LUTChain(operations).hasTooManyTables else {
      throw element.error(.size, "more than \(LUTChain.maxTables) 3D LUTs and output transforms")
    }
  }
}

/// A bit depth that nodes state: how their numbers are scaled, and nothing else.
enum CLFDepth: String {
  case int8 = "8i", int10 = "10i", int12 = "12i", int16 = "16i", half = "16f", float = "32f"

  init(_ element: LUTElement, _ attribute: String) throws(LUTError) {
    guard let text = element.attribute(attribute), let depth = CLFDepth(rawValue: text) else {
      throw element.error(.bitDepth, "\(attribute) must be 8i, 10i, 12i, 16i, 16f or 32f")
    }
    self = depth
  }

  /// The number that is full scale.
  var most: Double {
    switch self {
    case .int8: 255
    case .int10: 1023
    case .int12: 4095
    case .int16: 65_535
    case .half, .float: 1
    }
  }
}
