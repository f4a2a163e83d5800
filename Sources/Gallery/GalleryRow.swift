import BatchEngine
import Glibc
import HDRCore
import HDRRender
import PlainData

/// An item of a batch as its journal has it.
struct GalleryRow: Sendable {
  /// The journal's row.
  var record: JSON
  /// The folder where the run's relative paths begin.
  var folder: FilePath
  /// The partner of the output in a second run; `nil` if there is no such run.
  var other: OtherRun.Partner?

  var status: String {
    switch record["status"]?.string {
    case "ok", "warn": "ok"
    case "skipped": "skipped"
    case "rejected": "rejected"
    default: "failed"
    }
  }
  var isWarned: Bool { record["status"]?.string == "warn" }
  var input: FilePath { path("input") }
  var output: FilePath { path("output") }
  /// The file that the batch has left: the output, or one that was not accepted and kept; `nil` for neither.
  var file: FilePath? {
    switch status {
    case "ok": output
    case "rejected" where record["outputDigest"]?.string != nil:
      OutputDestination(path: output, existing: .refuse).rejected
    default: nil
    }
  }

  /// The files that the page shows, with their roles; the output is the first.
  var shown: [(role: String, file: FilePath)] {
    [("output", file ?? output), ("source", input)] + (other?.file.map { [("other", $0)] } ?? [])
  }

  /// A picture of an input, which may have several outputs.
  struct Picture: Hashable {
    var input: FilePath
    var image: Int?
  }
  var picture: Picture { Picture(input: input, image: record["image"]?.integer) }

  private func path(_ key: String) -> FilePath {
    // The text of a name that is not UTF-8 is for people only.
    let bytes = record[key + "Hex"]?.string.flatMap { [UInt8](hexDigits: $0) }
    let path = bytes.map { FilePath(bytes: $0) } ?? FilePath(record[key]?.string ?? "")
    return path.isAbsolute ? path : folder.appending(path.bytes)
  }

  /// Returns a row of the list (docs/gallery.md#files).
  ///
  /// - Parameters:
  ///   - prefix: the number of bytes that are left out in front of inputs' names.
  ///   - others: the numbers of other outputs of the same picture.
  ///   - places: options of `reproduce` that say where the journals are.
  func line(_ number: Int, without prefix: Int, hasThumbnail: Bool, others: [Int], _ places: String) -> JSON {
    var fields =
      [JSON.Field("number", .int(number))] + nameFields("name", Array(input.bytes.dropFirst(prefix))) + [
        JSON.Field("outputs", .array([.string(printable(output.name))])), JSON.Field("status", .string(status)),
      ]
    func add(_ name: String, _ value: JSON?) {
      if let value, value != .null { fields.append(JSON.Field(name, value)) }
    }
    add("kind", record["hdrIn"])
    add("width", record["width"])
    add("height", record["height"])
    add("headroom", record["outputHeadroom"])
    add("bytes", record["bytesOut"])
    add("seconds", .number((seconds * 1000).rounded() / 1000))
    add("thumb", hasThumbnail ? .bool(true) : nil)
    add("other", other.map { .string($0.word) })
    add("others", others.isEmpty ? nil : .array(others.map(JSON.int)))
    let warnings = record["warnings"]?.array?.count ?? 0
    add("warnings", warnings > 0 ? .int(warnings) : nil)
    if status != "ok" {
      add("code", record["code"])
      add("message", record["message"]?.string.map { .string(printable($0)) })
    }
    if status == "failed" || status == "rejected", let digest = record["inputDigest"]?.string {
      add("reproduce", .string("hdrbatch reproduce --digest \(digest.prefix(16)) \(places)"))
    }
    return .object(fields)
  }

  private var seconds: Double {
    guard case .object(let phases)? = record["seconds"] else { return 0 }
    return phases.reduce(0) { $0 + ($1.value["wall"]?.double ?? 0) }
  }

  /// The facts for people, in this order.
  var metadata: [(name: String, value: JSON)] {
    let names = [
      ("format", "Format"), ("hdrIn", "Source"), ("hdrOut", "Output"), ("operator", "Tone operator"),
      ("operatorReason", "Because"), ("contentHeadroom", "Content headroom"), ("displayHeadroom", "Display headroom"),
      ("outputHeadroom", "Output headroom"), ("measuredPeak", "Measured peak"), ("clippedShare", "Share clipped"),
      ("gainMapWeight", "Gain map weight"), ("gamut", "Gamut"), ("outputCICP", "Code points"), ("clli", "Light level"),
      ("cameraLook", "Camera look"), ("device", "Device"),
    ]
    return names.compactMap { key, name in
      guard let value = record[key], value != .null, value != .string("") else { return nil }
      return (name, value)
    }
  }
}

/// Returns a name for people, and its bytes as `…Hex` if it has others.
func nameFields(_ key: String, _ bytes: [UInt8]) -> [JSON.Field] {
  let text = printable(bytes)
  return [JSON.Field(key, .string(text))]
    + (Array(text.utf8) == bytes ? [] : [JSON.Field(key + "Hex", .string(bytes.hexDigits))])
}

/// Returns the number of bytes of the folders that all paths begin with.
func commonFolder(_ paths: some Sequence<FilePath>) -> Int {
  var common: ArraySlice<UInt8>?
  for path in paths {
    guard let so = common else {
      common = path.bytes[...]
      continue
    }
    let same = zip(so, path.bytes).prefix { $0 == $1 }.count
    common = so.prefix(same)
  }
  return common?.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
}

/// Returns a relative link from a page in one folder to a file; all but unreserved characters are percent-encoded.
func link(from folder: FilePath, to file: FilePath) -> String {
  let from = folder.bytes.split(separator: UInt8(ascii: "/")), to = file.bytes.split(separator: UInt8(ascii: "/"))
  let same = zip(from, to).prefix { $0.elementsEqual($1) }.count
  let up = Array(repeating: "..", count: from.count - same)
  let down = to.dropFirst(same).map { part in
    part.map { byte in
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "-._~".utf8.contains(byte)
      return isPlain ? String(Unicode.Scalar(byte)) : "%" + hex(byte, digits: 2).uppercased()
    }.joined()
  }
  return (up + down).joined(separator: "/")
}
