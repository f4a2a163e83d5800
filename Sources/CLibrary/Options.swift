import HDRCore
import HDRRecipe
import HDRRender
import PlainData

/// The options of a call, with the values of each name in their order.
struct Options {
  private(set) var words: [(name: String, values: [String])] = []

  /// The most options of a call.
  private static let most = 4096

  /// Reads a list of `name=value` that ends with NULL.
  init(_ list: UnsafePointer<UnsafePointer<CChar>?>?) throws(HDRError) {
    var next = list
    while let place = next, let start = place.pointee {
      let text = try CText.text(start, "options")
      guard let mark = text.firstIndex(of: "="), mark != text.startIndex else {
        throw .argument("the option \(printable(text)) is not name=value")
      }
      let name = String(text[..<mark]), value = String(text[text.index(after: mark)...])
      if let index = words.firstIndex(where: { $0.name == name }) {
        words[index].values.append(value)
      } else {
        guard words.count < Self.most else { throw .argument("there are more than \(Self.most) options") }
        words.append((name, [value]))
      }
      next = place + 1
    }
  }

  /// Takes an option that is no setting.
  mutating func take(_ name: String) throws(HDRError) -> String? {
    guard let index = words.firstIndex(where: { $0.name == name }) else { return nil }
    let values = words.remove(at: index).values
    guard values.count == 1 else { throw HDRError(code: "option.value", message: "\(name) is one value") }
    return values[0]
  }

  /// Returns the settings of a rendition.
  func rendition() throws(HDRError) -> HDROptions {
    var options = HDROptions()
    for (name, values) in words { try options.set(name, values) }
    return options
  }

  /// Returns values of these settings.
  func values(of rows: [Setting]) throws(HDRError) -> SettingValues {
    var result = SettingValues()
    for (name, values) in words {
      guard let row = rows.first(where: { $0.name == name }) else {
        let hint = Nearest.hint(name, among: rows.map(\.name).sorted())
        throw HDRError(code: "option.name", message: "there is no option \(printable(name))\(hint)")
      }
      do throws(SettingFault) {
        try result.set(row, values)
      } catch {
        throw HDRError(code: "option.value", message: "\(name) \(error.message)")
      }
    }
    return result
  }
}
