import PlainData

/// A request of a client: a line that was read and is within all bounds.
package struct Request: Sendable, Equatable {
  /// The name that the client gave it.
  package enum ID: Sendable, Hashable {
    case text(String)
    case number(Int)

    package var json: JSON {
      switch self {
      case .text(let text): .string(text)
      case .number(let number): .int(number)
      }
    }
  }

  /// A file of the client.
  package enum File: Sendable, Equatable {
    case path(String)
    /// A descriptor of the request by its place among them, and its name in messages.
    case descriptor(Int, name: String)
  }

  /// The place for what is rendered.
  package enum Output: Sendable, Equatable {
    case path(String, replaces: Bool)
    /// Memory for the client; unhashed, the record has no digest of samples.
    case memory(isHashed: Bool)
  }

  package enum Work: Sendable, Equatable {
    case render(input: File?, options: [String], recipe: JSON?, output: Output)
    case info(File, options: [String])
    case compare(a: File, b: File, options: [String])
    case cancel(of: ID)
    case ping
    case stats
  }

  package var id: ID
  package var work: Work
  /// The number of descriptors that came with it.
  package var descriptors: Int

  package init(id: ID, work: Work, descriptors: Int = 0) {
    (self.id, self.work, self.descriptors) = (id, work, descriptors)
  }
}

extension Request {
  /// The bytes of a line with its end.
  package static let maxLine = 1 << 20
  /// The descriptors of a line.
  package static let maxDescriptors = 8
  static let maxID = 64, maxPath = 4095, maxName = 255

  /// Reads a line.
  ///
  /// - Throws: `RequestFault`, with the ID if the line has one.
  package init(line: [UInt8]) throws(RequestFault) {
    let value: JSON
    do throws(JSONError) {
      value = try JSON(parsing: line)
    } catch {
      throw RequestFault("request.json", "the line is no JSON: \(printable(error.description))")
    }
    guard case .object = value else { throw RequestFault("request.json", "a request is an object") }
    let id = try Self.id(value["id"], "id")
    do throws(RequestFault) {
      try self.init(RequestFields(value), id)
    } catch {
      var fault = error
      fault.id = id
      throw fault
    }
  }

  private init(_ fields: RequestFields, _ id: ID) throws(RequestFault) {
    var fields = fields
    self.id = id
    _ = fields.take("id")
    descriptors = 0
    if let count = fields.take("fds") {
      guard let number = count.integer, (0...Self.maxDescriptors).contains(number) else {
        throw RequestFault("request.fds", "fds is the number of descriptors, 0 to \(Self.maxDescriptors)")
      }
      descriptors = number
    }
    let name = fields.take("request")?.string ?? ""
    switch name {
    case "render":
      let input = try fields.file("input", descriptors)
      let recipe = fields.take("recipe")
      if let recipe {
        guard case .object = recipe else {
          throw RequestFault("request.key", "recipe is an object, as recipe files have")
        }
      }
      work = .render(input: input, options: try fields.words(), recipe: recipe, output: try fields.output())
    case "info":
      work = .info(try fields.need("input", descriptors), options: try fields.words())
    case "compare":
      work = .compare(
        a: try fields.need("a", descriptors), b: try fields.need("b", descriptors), options: try fields.words())
    case "cancel": work = .cancel(of: try Self.id(fields.take("of"), "of"))
    case "ping": work = .ping
    case "stats": work = .stats
    default:
      throw RequestFault("request.key", "request is one of render, info, compare, cancel, ping, stats")
    }
    try fields.end(of: name)
  }

  private static func id(_ value: JSON?, _ key: String) throws(RequestFault) -> ID {
    if case .int(let number) = value { return .number(number) }
    guard let text = value?.string, (1...maxID).contains(text.utf8.count) else {
      throw RequestFault("request.id", "\(key) is a whole number or a text of 1 to \(maxID) bytes")
    }
    return .text(text)
  }
}

/// The keys of an object that nothing has taken yet.
private struct RequestFields {
  private var left: [JSON.Field] = []

  init(_ value: JSON) { if case .object(let fields) = value { left = fields } }

  mutating func take(_ key: String) -> JSON? {
    guard let index = left.firstIndex(where: { $0.key == key }) else { return nil }
    return left.remove(at: index).value
  }

  /// Throws for a key that nothing has taken.
  func end(of what: String) throws(RequestFault) {
    guard let field = left.first else { return }
    throw RequestFault("request.key", "\(what) has no key \"\(printable(String(field.key.prefix(64))))\"")
  }

  mutating func words() throws(RequestFault) -> [String] {
    guard let value = take("options") else { return [] }
    guard let list = value.array else { throw RequestFault("request.key", "options is a list of words") }
    return try list.map { word throws(RequestFault) in
      guard let text = word.string, !text.utf8.contains(0) else {
        throw RequestFault("request.key", "options is a list of words")
      }
      return text
    }
  }

  /// Returns a file; `nil` if the key is not there.
  mutating func file(_ key: String, _ descriptors: Int) throws(RequestFault) -> Request.File? {
    guard let value = take(key) else { return nil }
    let fault = RequestFault("request.key", "\(key) is {\"path\":PATH} or {\"fd\":NUMBER,\"name\":NAME}")
    guard case .object = value else { throw fault }
    var fields = RequestFields(value)
    let file: Request.File
    if let path = fields.take("path") {
      file = .path(try Self.path(path, key))
    } else if let number = fields.take("fd") {
      guard let index = number.integer, (0..<descriptors).contains(index) else {
        throw RequestFault(
          "request.fds", "\(key): fd is the place of a descriptor of this line, from 0; fds counts them")
      }
      file = .descriptor(index, name: try Self.name(fields.take("name"), key))
    } else {
      throw fault
    }
    try fields.end(of: key)
    return file
  }

  mutating func need(_ key: String, _ descriptors: Int) throws(RequestFault) -> Request.File {
    guard let file = try file(key, descriptors) else { throw RequestFault("request.key", "\(key) is missing") }
    return file
  }

  mutating func output() throws(RequestFault) -> Request.Output {
    guard let value = take("output") else { return .memory(isHashed: true) }
    let fault = RequestFault(
      "request.key",
      "output is {\"memory\":true,\"digest\":true or false} or {\"path\":PATH,\"existing\":\"refuse\" or \"replace\"}")
    guard case .object = value else { throw fault }
    var fields = RequestFields(value)
    let output: Request.Output
    if let path = fields.take("path") {
      let existing = fields.take("existing") ?? .string("refuse")
      guard let replaces = ["refuse": false, "replace": true][existing.string ?? ""] else { throw fault }
      output = .path(try Self.path(path, "output"), replaces: replaces)
    } else {
      guard fields.take("memory")?.bool == true, let isHashed = (fields.take("digest") ?? .bool(true)).bool else {
        throw fault
      }
      output = .memory(isHashed: isHashed)
    }
    try fields.end(of: "output")
    return output
  }

  private static func path(_ value: JSON, _ key: String) throws(RequestFault) -> String {
    guard let path = value.string, (1...Request.maxPath).contains(path.utf8.count), !path.utf8.contains(0) else {
      throw RequestFault("request.key", "\(key): path is a text of 1 to \(Request.maxPath) bytes")
    }
    return path
  }

  private static func name(_ value: JSON?, _ key: String) throws(RequestFault) -> String {
    guard let value else { return "fd" }
    guard let name = value.string, (1...Request.maxName).contains(name.utf8.count),
      !name.utf8.contains(0), !name.utf8.contains(UInt8(ascii: "/"))
    else { throw RequestFault("request.key", "\(key): name is a file's name without folders") }
    return name
  }
}
