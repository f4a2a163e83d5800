import CodecService
import HDRCore
import HDRPlan
import ImageFiles
import PlainData

extension RenderJob {
  /// The most bytes of channels that are kept in one file, decoded: a codec process holds them, and the file of them.
  private var maxKeptBytes: Int { (tools.itemLimits?.maxMemoryBytes ?? 4 << 30) / 4 }

  /// Returns what OpenEXR keeps of an OpenEXR source beside its picture, and warns of what it does not keep.
  ///
  /// Pixels that keep their places keep both windows; after others the picture begins at 0, 0.
  func carried(
    from source: SourceImage, _ rendition: RenditionOptions, into image: SampleImage
  ) throws(HDRError) -> EXRCarried? {
    guard rendition.kind.format == .exr, let part = source.exr else { return nil }
    let size = PictureSize(source.image.width, source.image.height), result = PictureSize(image.width, image.height)
    let whole = rendition.recipe.move(of: size), move = whole?.size == result ? whole : nil
    let isMoved = move != PixelMove(size)
    let window = reading.exr.window == .data ? part.outline.dataWindow : part.outline.displayWindow
    // What a codec process says of a window is not more than the picture that it has sent.
    guard window.width == size.width, window.height == size.height else { return nil }
    var carried = EXRCarried(width: image.width, height: image.height)
    carried.pixelAspectRatio = move?.mapping.columnX == 0 ? 1 / part.pixelAspectRatio : part.pixelAspectRatio
    if !isMoved {
      (carried.left, carried.top, carried.displayWindow) = (window.left, window.top, part.outline.displayWindow)
    } else if reading.exr.window == .display, !part.outline.displayWindow.holds(part.outline.dataWindow) {
      warn(
        "exr.overscan-dropped",
        "pixels beyond the display window are left out, because the picture's size or places change: "
          + "\(setting: "exr-window") data takes them into the picture")
    }
    let attributes = part.attributes(rendition.metadata, isMoved: isMoved)
    carried.attributes = attributes.kept
    if !attributes.dropped.isEmpty {
      warn("exr.attributes-dropped", "attributes that hold no more are left out: \(EXRPart.list(attributes.dropped))")
    }
    carried.kept = try kept(part, rendition, window, move, isMoved: isMoved, image)
    return carried
  }

  /// Returns true if channels or parts of the source are wanted in the file, which is then made of the picture's samples.
  func keepsChannels(of source: SourceImage, _ rendition: RenditionOptions) -> Bool {
    guard rendition.kind.format == .exr, let part = source.exr else { return false }
    return part.outline.channels.contains { !$0.isShown && rendition.channels.takes($0.name) }
      || part.others.contains { rendition.channels.takes($0.label) }
  }

  private func warn(_ code: String, _ message: Message) { found.warn([Warning(code, message)]) }

  /// Returns the channels and parts that go into the file; `nil`: none.
  private func kept(
    _ part: EXRPart, _ rendition: RenditionOptions, _ window: EXRPart.Window, _ move: PixelMove?, isMoved: Bool,
    _ image: SampleImage
  ) throws(HDRError) -> EXRKept? {
    func drop(_ names: [String], _ reason: Message) {
      if names.isEmpty { return }
      warn("exr.channels-dropped", "\(EXRPart.list(names)) cannot be kept: \(reason)")
    }
    let all = part.outline.channels
    var channels = all.indices.filter { !all[$0].isShown && rendition.channels.takes(all[$0].name) }
    let parts = part.others.filter { rendition.channels.takes($0.label) }
    var names: [String] { channels.map { all[$0].name } }
    var labels: [String] { parts.map { "part \($0.label)" } }
    guard let move else {
      drop(names + labels, "filters mix pixels of several places, or make another picture")
      return nil
    }
    if part.outline.storage.hasPrefix("deep") {
      drop(names, "the deep picture is flattened")
      channels = []
    }
    if part.outline.hasLevels { warn("exr.levels-dropped", "the smaller levels of the picture are not made anew") }
    let bytes = channels.reduce(0) { $0 + (all[$1].type == "half" ? 2 : 4) } * window.width * window.height
    if bytes > maxKeptBytes {
      drop(
        names,
        "they are \(bytes >> 20) MiB, and \(maxKeptBytes >> 20) are the most for \(setting: "max-worker-memory")")
      channels = []
    }
    if channels.isEmpty && parts.isEmpty { return nil }
    guard let file = try fileAtHand() else {
      drop(names + labels, "the picture was given without its file")
      return nil
    }
    let content: [UInt8]
    do throws(CodecError) {
      content = try file.content().bytes
    } catch {
      throw HDRError(error, reading: file)
    }
    var kept = EXRKept(
      file: content, part: part.outline.number, layer: part.layer, channels: channels, parts: parts.map(\.number),
      window: window)
    (kept.mapping, kept.isMoved) = (move.mapping, isMoved)
    (kept.metadata, kept.unsafeCodecs) = (rendition.metadata, limits.unsafeCodecs)
    // Layers and parts of the file may come before the picture.
    let name = parts.isEmpty ? nil : part.outline.name ?? "picture"
    let words = [name, part.layer.isEmpty ? nil : streamSafe(part.layer)].compactMap(\.self)
    writtenPicture = words.isEmpty ? nil : words.joined(separator: "/")
    return kept
  }
}

extension RenderJob {
  /// Returns the task's file; `nil` for pictures that were given as samples.
  private func fileAtHand() throws(HDRError) -> InputFile? {
    switch task.source {
    case .file, .open: try sourceFile()
    case .canvas, .picture: nil
    }
  }
}

extension EXRPart.Window {
  /// True if all pixels of another window lie in this one.
  fileprivate func holds(_ other: EXRPart.Window) -> Bool {
    left <= other.left && top <= other.top && left + width >= other.left + other.width
      && top + height >= other.top + other.height
  }
}

extension EXRKept {
  /// The decoded bytes of the kept channels, about: each part is counted as large as its file.
  package var byteCount: Int { window.width * window.height * 4 * channels.count + 4 * file.count }
}
