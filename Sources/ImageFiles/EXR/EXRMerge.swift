import FileParts
import HDRCore
import PlainData

/// A file of a rendered picture and of channels and parts of the file that it is made of. Channels keep their words;
/// parts that do not move keep their chunks.
struct EXRMerge {
  /// Names of a part and its channels.
  struct Outline: Equatable {
    var name: String?
    var channels: [String]
  }

  /// The samples of a channel: of the rendered picture by their place in a pixel, or of the other file by their plane.
  enum Samples {
    case color(Int)
    case plane(Int)
  }

  /// Another part: its chunks in the file, or the channels that are stored anew.
  enum Other {
    case copied([Range<Int>])
    case moved([Int])
  }

  let request: EncodeRequest
  let kept: EXRKept
  let source: EXRFile
  var channels: [Int] = []
  var others: [Int: Other] = [:]
  private(set) var warnings: [Warning] = []

  /// Finds out what can be kept; `nil`: nothing is wanted.
  init?(_ request: EncodeRequest) throws(EncodeError) {
    guard let kept = request.carried?.kept else { return nil }
    (self.request, self.kept) = (request, kept)
    do throws(DecodeError) {
      source = try EXRFile(kept.file)
    } catch {
      throw Self.fault(error)
    }
    guard source.parts.indices.contains(kept.part - 1) else {
      throw .unsupported(feature: "OpenEXR", found: "no part \(kept.part)")
    }
    chooseChannels()
    for number in kept.parts where number != kept.part && source.parts.indices.contains(number - 1) {
      choose(part: number - 1)
    }
    warnOfSpace()
  }

  static func fault(_ error: DecodeError) -> EncodeError {
    .unsupported(
      feature: "keeping channels of the OpenEXR input (the setting channels leaves them out)", found: "\(error)")
  }

  var header: EXRHeader { source.parts[kept.part - 1] }
  var isMultipart: Bool { !others.isEmpty }
  var colors: [String] {
    let prefix = kept.layer.isEmpty ? "" : kept.layer + "."
    return (["R", "G", "B"] + (request.hasAlpha ? ["A"] : [])).map { prefix + $0 }
  }

  // MARK: Choosing

  /// Returns the reason why samples of a part cannot be stored anew; `nil`: they can.
  private func obstacle(_ header: EXRHeader) -> String? {
    if header.kind.isDeep { return "deep" }
    guard header.coding.needsLibrary else { return nil }
    if let missing = EXRLibrary.missing { return missing }
    return kept.unsafeCodecs ? nil : "\(header.coding.name) outside a sandbox"
  }

  private mutating func drop(_ names: [String], because reason: String) {
    if names.isEmpty { return }
    warnings.append(
      Warning("exr.channels-dropped", "\(streamSafe(names.joined(separator: ", "))) cannot be kept: \(reason)"))
  }

  private mutating func chooseChannels() {
    let all = kept.channels.filter(header.channels.indices.contains)
    func names(_ list: [Int]) -> [String] { list.map { header.channels[$0].name } }
    if let obstacle = obstacle(header) { return drop(names(all), because: obstacle) }
    // Readers would take alpha of another picture for this one's.
    let prefix = kept.layer.isEmpty ? "" : kept.layer + "."
    func isOurAlpha(_ name: String) -> Bool {
      !request.hasAlpha && name.hasPrefix(prefix) && EXRComponents.isAlpha(String(name.dropFirst(prefix.count)))
    }
    let taken = all.filter { colors.contains(header.channels[$0].name) || isOurAlpha(header.channels[$0].name) }
    let subsampled = all.filter { header.channels[$0].isSubsampled && !taken.contains($0) }
    let whole = all.filter { !taken.contains($0) && !subsampled.contains($0) }
    channels = Array(whole.prefix(EXRHeader.maxChannels - colors.count))
    drop(names(taken), because: "the picture has or would get channels of these names")
    drop(names(subsampled), because: "not every pixel has a sample")
    drop(names(Array(whole.dropFirst(channels.count))), because: "a file holds \(EXRHeader.maxChannels) channels")
  }

  private mutating func choose(part index: Int) {
    let header = source.parts[index], label = [header.label(index)]
    guard kept.isMoved else {
      guard let chunks = try? source.wholeChunks(of: index) else {
        return drop(label, because: "its chunks are damaged")
      }
      others[index] = .copied(chunks)
      return
    }
    if let obstacle = obstacle(header) { return drop(label, because: obstacle) }
    let whole = header.channels.indices.filter { !header.channels[$0].isSubsampled }
    guard whole.count == header.channels.count else { return drop(label, because: "not every pixel has a sample") }
    others[index] = .moved(whole)
  }

  /// Warns if kept layers of colours are in other colours than the header of the picture will say.
  private mutating func warnOfSpace() {
    func chromaticities(_ header: EXRHeader) -> [UInt8] {
      header.attributes.first { $0.name == "chromaticities" }?.value ?? EXRHeaderWriter.chromaticities(.bt709)
    }
    let own = EXRHeaderWriter.picture(request).value("chromaticities")
    let isOther = EXRPictures(source).all.contains { picture in
      guard case .rgb = picture.color else { return false }
      let isKept = picture.part == kept.part - 1 ? channels.contains(picture.channels[0]) : others[picture.part] != nil
      return isKept && chromaticities(source.parts[picture.part]) != own
    }
    if isOther {
      warnings.append(
        Warning(
          "exr.channels-space",
          "kept layers stay in the colours of the input, and the picture is in others: "
            + "\(setting: "to-space") with the input's space keeps one for all"))
    }
  }

  // MARK: Names

  /// The kept parts in the order of the input.
  var partNumbers: [Int] { (others.keys + [kept.part - 1]).sorted() }

  /// The channels of the picture's part in the order of their names.
  var merged: [(channel: EXRHeader.Channel, samples: Samples)] {
    var list = colors.enumerated().map { (channel: EXRHeader.Channel.half($1), samples: Samples.color($0)) }
    for (slot, channel) in channels.enumerated() { list.append((header.channels[channel], .plane(slot))) }
    return list.sorted { $0.channel.name.utf8.lexicographicallyPrecedes($1.channel.name.utf8) }
  }

  /// The names that the file has.
  var outline: [Outline] {
    partNumbers.map { index in
      let part = source.parts[index], isPicture = index == kept.part - 1
      let names = isPicture ? merged.map(\.channel.name) : part.channels.map(\.name)
      let name = isPicture ? part.name ?? "picture" : part.name ?? (kept.isMoved ? "\(index + 1)" : nil)
      return Outline(name: isMultipart ? name.map(streamSafe) : nil, channels: names.map(streamSafe))
    }
  }

  /// Returns the names that a file was found to have.
  func outline(of found: SourceImage) -> [Outline] {
    guard let exr = found.exr else { return [] }
    let all = ([exr.outline] + exr.others).sorted { $0.number < $1.number }
    return all.map { Outline(name: isMultipart ? $0.name : nil, channels: $0.channels.map(\.name)) }
  }

  /// Returns the number of the picture among those of the written file.
  func number(in file: EXRFile) throws(DecodeError) -> Int {
    let part = partNumbers.firstIndex(of: kept.part - 1)
    let found = EXRPictures(file).all.firstIndex { $0.part == part && $0.layer == kept.layer && !$0.isData }
    guard let found else { throw .malformed(where: "OpenEXR", what: "the picture is missing") }
    return found + 1
  }
}
