/// A type of a module (SPIR-V 1.3, clause 3.32.6).
indirect enum ShaderType {
  case void
  case bool
  case int(isSigned: Bool)
  case float
  case vector(UInt32, count: Int)
  case array(UInt32, count: Int, stride: Int)
  case runtimeArray(UInt32, stride: Int)
  case structure([(type: UInt32, offset: Int)])
  case pointer(StorageClass, UInt32)
  case image
  case function
}

/// The storage class of a variable (clause 3.7).
enum StorageClass: UInt32 {
  case input = 1, uniform = 2, `private` = 6, function = 7, storageBuffer = 12, uniformConstant = 0
}

/// The types of a module.
struct TypeTable {
  private var types: [UInt32: ShaderType] = [:]
  /// The number of registers that a value takes, one for each component; no entry if it takes none.
  private var counts: [UInt32: Int] = [:]
  var strides: [UInt32: Int] = [:]
  var offsets: [UInt32: [Int: Int]] = [:]

  func type(_ id: UInt32) throws(ExecutorError) -> ShaderType {
    guard let type = types[id] else { throw .malformed("type %\(id) is not there") }
    return type
  }

  /// Adds a type whose parts were added before.
  mutating func add(_ id: UInt32, _ type: ShaderType) throws(ExecutorError) {
    guard types[id] == nil else { throw .malformed("type %\(id) is there twice") }
    types[id] = type
    let count: Int?
    switch type {
    case .void: count = 0
    case .bool, .int, .float: count = 1
    case .vector(let element, let size):
      guard counts[element] == 1 else { throw .malformed("a vector of type %\(element)") }
      count = size
    case .array(let element, let size, _):
      count = counts[element].flatMap { size <= 1 << 12 ? $0 * size : nil }
    case .structure(let members):
      var sum: Int? = 0
      for member in members { sum = sum.flatMap { known in counts[member.type].map { known + $0 } } }
      count = sum
    case .runtimeArray, .pointer, .image, .function: count = nil
    }
    // Larger types are in buffers only.
    if let count, (0...1 << 12).contains(count) { counts[id] = count }
  }

  /// Returns the number of registers that a value takes.
  func components(_ id: UInt32) throws(ExecutorError) -> Int {
    guard let count = counts[id] else { throw .limit("a value without a size, or of more than 4096 parts") }
    return count
  }

  /// Finds a part of a composite: its type and the first of its components.
  func element(_ id: UInt32, _ index: Int) throws(ExecutorError) -> (type: UInt32, first: Int) {
    switch try type(id) {
    case .vector(let element, let count) where index < count: return (element, index)
    case .array(let element, let count, _) where index < count:
      return (element, try index * components(element))
    case .structure(let members) where index < members.count:
      var first = 0
      for member in members[..<index] { first += try components(member.type) }
      return (members[index].type, first)
    default: throw .malformed("part \(index) of a value of type %\(id)")
    }
  }
}
