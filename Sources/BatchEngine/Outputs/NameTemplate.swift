import CodecService
import HDRRecipe
import HDRRender

/// `--name`: the template of output names. Sub-folders of a folder argument are kept in front of it.
package struct NameTemplate: Sendable, Hashable {
  /// A field that can stand in braces.
  package enum Field: String, Sendable, Hashable, CaseIterable {
    /// The source's name without its last extension.
    case stem
    /// The source's whole name.
    case name
    /// The output's extension.
    case ext
    /// The name of the folder that the source lies in.
    case parent
    /// The word after `--to`.
    case target
    /// The number of a sequence's frame, as the source's name has it.
    case frame
    /// The name, else the number, of one of a file's pictures; 1 for a file of one picture.
    case image
    /// The source's folder below the one that was given.
    case dir
    /// The size of the output.
    case width, height
    /// The day on which the photo was taken.
    case date
    /// Sixteen digits of a digest of the source's bytes and of the output's settings.
    case digest
    /// The camera's model.
    case camera

    /// True for what is known of pictures to render, and not of names alone.
    var isOfPaths: Bool { [.dir, .width, .height, .date, .digest, .camera].contains(self) }
  }

  enum Part: Sendable, Hashable {
    case text(String)
    case field(Field)
  }

  let parts: [Part]
  package let text: String
  /// The template as the command line has it, for messages.
  private let argument: String

  /// - Parameters:
  ///   - option: the name of the option that has the template.
  ///   - isPath: true if it may have slashes, and the fields that go with facts about the source.
  /// - Throws: `UsageError` for unknown fields, unclosed braces, slashes, and templates that name no source.
  package init(_ text: String, option: String = "name", isPath: Bool = false) throws(UsageError) {
    self.text = text
    let argument = "--\(option) '\(text)'"
    self.argument = argument
    var parts: [Part] = []
    var rest = text[...]
    while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
      guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else {
        throw UsageError("\(argument): a brace stands alone")
      }
      let word = String(rest[rest.index(after: open)..<close])
      guard let field = Field(rawValue: word), isPath || !field.isOfPaths else {
        let fields = Field.allCases.filter { isPath || !$0.isOfPaths }
        let known = fields.map { "{\($0.rawValue)}" }.joined(separator: " ")
        throw UsageError("\(argument): no field {\(word)}; there are \(known)")
      }
      parts.append(.field(field))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    self.parts = parts
    guard !text.unicodeScalars.contains(where: { $0 == "/" && !isPath || $0.value < 0x20 }) else {
      throw UsageError("\(argument): a name has no slash; sub-folders of a folder argument are kept by themselves")
    }
    let folders = text.split(separator: "/")
    guard !text.hasPrefix("/"), !text.hasSuffix("/"), !folders.contains("."), !folders.contains("..") else {
      throw UsageError("\(argument): it is a path below \(setting: "out"), without . and ..")
    }
    guard [Field.stem, .name, .frame, .digest].contains(where: { parts.contains(.field($0)) }) else {
      let digest = isPath ? ", {digest}" : ""
      throw UsageError(
        "\(argument): needs {stem}, {name}\(digest) or {frame}, else all outputs would have one name")
    }
  }

  /// The default, and the default for files with several pictures.
  static let standard = NameTemplate(parts: [.field(.stem), .text("."), .field(.ext)])
  static let ofPictures = NameTemplate(
    parts: [.field(.stem), .text("-"), .field(.image), .text("."), .field(.ext)])

  private init(parts: [Part]) {
    self.parts = parts
    text = parts.map { part in
      switch part {
      case .text(let text): text
      case .field(let field): "{\(field.rawValue)}"
      }
    }.joined()
    argument = "--name '\(text)'"
  }

  /// The template with `-{target}` before the extension; unchanged if it does not end in `.{ext}`, or has the field.
  var withTarget: NameTemplate {
    guard !parts.contains(.field(.target)), parts.last == .field(.ext), case .text(let text)? = parts.dropLast().last,
      text.hasSuffix(".")
    else { return self }
    return NameTemplate(
      parts: parts.dropLast(2) + [.text(text.dropLast() + "-"), .field(.target), .text("."), .field(.ext)])
  }

  /// True if names can end in an extension.
  package var hasExtension: Bool {
    switch parts.last {
    case .text(let text)?: text.split(separator: "/").last?.contains(".") == true
    case .field(let field)?: [.ext, .name].contains(field)
    case nil: false
    }
  }

  /// Returns true if a field stands in it.
  package func has(_ field: Field) -> Bool { parts.contains(.field(field)) }

  /// The fields for which the source is read.
  var factFields: Set<Field> {
    Set([.width, .height, .date, .digest, .camera].filter { parts.contains(.field($0)) })
  }

  /// True if it is the whole path below the output folder: it says where sub-folders go.
  private var isWholePath: Bool {
    parts.contains { part in
      switch part {
      case .text(let text): text.contains("/")
      case .field(let field): field == .dir
      }
    }
  }

  /// True if names tell the pictures of a file apart.
  var hasImage: Bool { parts.contains(.field(.image)) }

  /// Creates the name of one output, in which braces mean nothing.
  package init(literal name: [UInt8]) {
    text = String(decoding: name, as: UTF8.self)
    parts = [.text(text)]
    argument = "--name '\(text)'"
  }

  /// The name of another file that belongs to an input; {ext} is the input's own.
  ///
  /// - Throws: `UsageError` for a name longer than the 255 bytes of a file system.
  package func name(for input: InputReference) throws(UsageError) -> [UInt8] {
    if hasImage { throw UsageError("\(argument): {image} is of outputs") }
    let name = input.path.name, stem = Self.stem(name)
    let ext = name.count > stem.count ? String(decoding: name[(stem.count + 1)...], as: UTF8.self) : ""
    return try path(for: InputReference(path: input.path, relative: FilePath(".")), ext: ext, target: "").name
  }

  /// The output's path below the output folder.
  ///
  /// - Throws: `UsageError` for a name longer than the 255 bytes of a file system.
  ///
  /// - Parameters:
  ///   - facts: those of the source, for the fields that need them.
  ///   - settings: the digest of what decides the output.
  package func path(
    for input: InputReference, ext: String, target: String, facts: NameFacts? = nil, settings: Digest? = nil
  ) throws(UsageError) -> FilePath {
    if let field = parts.lazy.compactMap({ if case .field(let field) = $0 { field } else { nil } })
      .first(where: factFields.contains), settings == nil
    {
      throw UsageError("\(argument): {\(field.rawValue)} is of render and plan")
    }
    let name = input.path.name
    var result: [UInt8] = []
    for part in parts {
      switch part {
      case .text(let text): result += Array(text.utf8)
      case .field(.name): result += name
      case .field(.stem): result += Self.stem(name)
      case .field(.ext): result += Array(ext.utf8)
      case .field(.parent): result += input.path.parent.name
      // Other systems take no colon.
      case .field(.target): result += target.utf8.map { $0 == UInt8(ascii: ":") ? UInt8(ascii: "-") : $0 }
      case .field(.frame):
        guard let frame = input.frame else {
          throw UsageError("\(argument): {frame} is of sequences, and \(input.path.display) is none's")
        }
        result += Array(frame.text.utf8)
      case .field(.dir):
        let folder = input.relative.parent
        if folder != FilePath(".") { result += folder.bytes }
      case .field(.width): result += Array((facts?.size.map { "\($0.width)" } ?? "0").utf8)
      case .field(.height): result += Array((facts?.size.map { "\($0.height)" } ?? "0").utf8)
      case .field(.date): result += Array((facts?.date ?? "undated").utf8)
      case .field(.camera): result += Array(Self.plain(facts?.camera ?? "unknown").utf8)
      case .field(.digest):
        let both = (facts?.digest?.bytes ?? []) + (settings?.bytes ?? [])
        result += Array(Digest(of: both).hex.prefix(16).utf8)
      case .field(.image): result += Array((input.picture?.text ?? "1").utf8)
      }
    }
    // An empty folder is none.
    let names = result.split(separator: UInt8(ascii: "/")).map(Array.init)
    guard let longest = names.map(\.count).max(), longest <= 255 else {
      throw UsageError(
        "\(input.path.display): its output name would have \(names.map(\.count).max() ?? 0) bytes, 255 is the limit")
    }
    if isWholePath { return FilePath(bytes: Array(names.joined(separator: [UInt8(ascii: "/")]))) }
    let folder = input.relative.parent
    return folder == FilePath(".") ? FilePath(bytes: result) : folder.appending(result)
  }

  /// Returns a text with letters, digits, points and underscores, and hyphens for everything else.
  static func plain(_ text: String) -> String {
    let plain = text.map { $0.isLetter || $0.isNumber || "._".contains($0) ? $0 : "-" }
    return plain.allSatisfy { $0 == "." } ? "unknown" : String(plain)
  }

  /// The name before its last dot; all of it when the dot is the first byte or there is none.
  static func stem(_ name: [UInt8]) -> [UInt8] {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return name }
    return Array(name[..<dot])
  }
}
