import CodecService
import HDRCore
import Testing

/// Compares the lists of fields that cross the border to codec processes with the stored properties of their types.
///
/// It walks through samples and all values in them. At the end each property must be in its type's list, and one sample
/// at least must have a value there that a reader does not begin with: then reading it again shows that it was read.
struct FieldSurvey {
  private struct Seen {
    var properties: Set<String> = [], listed: Set<String> = [], set: Set<String> = []
  }

  /// Properties that do not cross, with the reason in the list's own comment; or that follow from others.
  static let leftOut: Set<String> = [
    "SensorPicture.look", "RecompressRequest.pixels", "AdaptiveRequest.recodedPixels", "ProfileToneCurve.slopes",
    "AppleGainMap.rule", "SourceColor.reshape",
  ]

  private var seen: [String: Seen] = [:]

  /// The names of the types in all samples.
  var types: Set<String> { Set(seen.keys) }

  mutating func add<Value: Fields>(_ value: Value) {
    let name = Self.name(of: Value.self)
    var lister = FieldLister(), copy = value
    copy.fields(with: &lister)
    var type = seen[name] ?? Seen()
    if let cases = Value.self as? any Cases.Type {
      type.properties.formUnion(Self.names(of: cases))
      type.listed.insert(Self.caseName(value))
      if let blank = Self.blank(of: cases, named: Self.caseName(value)) {
        let parts = zip(Self.payload(value), Self.payload(blank)).map { Self.text($0) != Self.text($1) }
        if parts.allSatisfy(\.self) { type.set.insert(Self.caseName(value)) }
      }
    } else {
      let own = Mirror(reflecting: value).children, blank = Mirror(reflecting: Value.blank).children
      let names = own.map { $0.label ?? "" }.map { Self.leftOut.contains("\(name).\($0)") ? "" : $0 }
      type.properties.formUnion(names.filter { $0 != "" })
      type.listed.formUnion(lister.names)
      for (label, (mine, other)) in zip(names, zip(own, blank)) where Self.text(mine.value) != Self.text(other.value) {
        type.set.insert(label)
      }
      type.set.remove("")
    }
    seen[name] = type
    for nested in lister.nested { add(nested) }
  }

  /// Records an issue for each field that a list forgets, names wrongly, or that no sample sets.
  func check() {
    for (name, type) in seen.sorted(by: { $0.key < $1.key }) {
      let forgotten = type.properties.subtracting(type.listed), unknown = type.listed.subtracting(type.properties)
      #expect(forgotten.isEmpty, "\(name) does not list \(forgotten.sorted())")
      #expect(unknown.isEmpty, "\(name) lists \(unknown.sorted()), which it does not have")
      let unset = type.properties.subtracting(type.set)
      #expect(unset.isEmpty, "no sample of \(name) sets \(unset.sorted())")
    }
  }

  /// The name without modules and the types of generic arguments.
  private static func name(of type: any Fields.Type) -> String {
    let whole = String(reflecting: type).prefix { $0 != "<" }
    return whole.split(separator: ".").dropFirst().joined(separator: ".")
  }

  // MARK: Enumerations

  private static func caseName(_ value: Any) -> String { Mirror(reflecting: value).children.first?.label ?? "\(value)" }

  private static func names<Value: Cases>(of type: Value.Type) -> [String] { Value.blanks.map { caseName($0) } }

  private static func blank<Value: Cases>(of type: Value.Type, named name: String) -> Any? {
    Value.blanks.first { caseName($0) == name }
  }

  private static func payload(_ value: Any) -> [Any] {
    guard let payload = Mirror(reflecting: value).children.first?.value else { return [] }
    let mirror = Mirror(reflecting: payload)
    return mirror.displayStyle == .tuple ? mirror.children.map(\.value) : [payload]
  }

  // MARK: Texts

  /// Returns a text that equal values have in common and others do not.
  static func text(_ value: Any) -> String {
    if let buffer = value as? PixelBuffer { return "\(ObjectIdentifier(buffer))" }
    let mirror = Mirror(reflecting: value)
    if mirror.children.isEmpty { return "\(value)" }
    let parts = mirror.children.map { "\($0.label ?? "") \(text($0.value))" }
    // Dictionaries have no order.
    return "(\((mirror.displayStyle == .dictionary ? parts.sorted() : parts).joined(separator: ", ")))"
  }
}

/// Lists the names of a value's fields, and the values in them that have fields of their own.
private struct FieldLister: FieldCoder {
  typealias Failure = Never
  var names: [String] = [], nested: [any Fields] = []

  mutating func callAsFunction<Value: WireValue>(_ name: String, _ value: inout Value) {
    names.append(name)
    nest(value)
  }
  mutating func callAsFunction(_ name: String, _ buffer: inout PixelBuffer) { names.append(name) }
  mutating func number(_ number: UInt8) {}
  func check(_ fault: () -> String?) {}

  private mutating func nest(_ value: Any) {
    if let value = value as? any Fields {
      nested.append(value)
    } else if [.collection, .optional, .enum, .dictionary, .tuple].contains(Mirror(reflecting: value).displayStyle) {
      for child in Mirror(reflecting: value).children { nest(child.value) }
    }
  }
}
