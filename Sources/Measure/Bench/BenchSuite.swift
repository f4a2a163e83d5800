import BatchEngine
import HDRCore
import HDRRender
import ImageFiles

/// `bench all`: every bench, one after the other, into one report.
package struct BenchSuite {
  private let width: Int
  private let height: Int
  private let repeats: Int
  private let device: String?
  private let scratch: FilePath
  private let limits: DecodeLimits

  /// Kinds that every file is rendered to: the main one for HDR, for the web, and for phones.
  static let kinds: [OutputKind] = [.pqPNG, .sdrJPEG, .pqHEIC]

  package init(
    width: Int, height: Int, repeats: Int, device: String?, scratch: FilePath,
    limits: DecodeLimits = DecodeLimits()
  ) {
    self.limits = limits
    self.width = width
    self.height = height
    self.repeats = repeats
    self.device = device
    self.scratch = scratch
  }

  /// - Parameters:
  ///   - inputs: pictures; none: two are made.
  ///   - step: called when a step begins.
  /// - Throws: `UnavailableError` for a named device that is not here, `ResultFileError` for a scratch folder that
  ///   cannot be written.
  package func run(_ inputs: [InputReference], into report: inout BenchReport, step: (String) -> Void) throws {
    var figures: [BenchFigure] = []
    step("memory, arithmetic and bus")
    let roofs = HostRoofs.all(repeats: repeats)
    let transfer = TransferBench(width: width, height: height, repeats: repeats)
    report.problems += transfer.run(device: device, roofs: roofs) { figures.append($0) }.map {
      "\($0.device): \($0.reason)"
    }
    step("fused recipes")
    KernelBench(width: width, height: height, repeats: repeats).run(devices: benchDevices(device), roofs: roofs) {
      figures.append($0.figure)
    }
    step("stages")
    StageBench(width: width, height: height, repeats: repeats).run(device: device) { figures.append($0) }
    step("filters")
    // A quarter of the picture: there are many filters.
    FilterBench(width: width, height: max(64, height / 4), repeats: repeats).run(device: device) {
      figures.append($0.figure)
    } kernels: {
      figures.append($0.figure)
    }
    step("metrics of comparisons")
    MetricBench(width: width, height: max(64, height / 4), repeats: repeats).run { figures.append($0.figure) }
    let folder = try ScratchFolder(in: scratch)
    defer { folder.remove() }
    let files = inputs.isEmpty ? try made(in: folder.path) : inputs
    step("codecs")
    do throws(FileBench.Failure) {
      let codecs = try CodecBench(
        inputs.first?.path, megapixels: Double(width * height) / 1e6, repeats: repeats, limits: limits)
      report.problems += codecs.run { figures.append($0) }.map { "\($0.kind): \($0.reason)" }
    } catch {
      report.problems.append("codecs: \(error)")
    }
    for kind in Self.kinds where kind.isAvailable {
      step("files to \(kind.rawValue)")
      let rendition = RenditionOptions(kind: kind)
      let bench = try FileBench(rendition, backend: .auto, device: device, repeats: repeats, limits: limits)
      defer { bench.close() }
      var codecs: Double? = 0
      for file in files {
        do throws(FileBench.Failure) {
          let row = try bench.measure(file.path)
          codecs = codecs.map { $0 + row.codecs.total }
          figures.append(row.figure)
        } catch {
          codecs = nil
          report.problems.append("\(file.path.display) to \(kind.rawValue): \(error)")
        }
      }
      guard codecs != nil else { continue }
      var options = BatchOptions(rendition: rendition)
      options.device = device
      options.limits = limits
      let batch = BatchBench(files, options, scratch: scratch)
      if let figure = try batch.run(images: 8, repeats: min(repeats, 3), codecsSeconds: codecs) {
        figures.append(figure)
      }
    }
    report.figures += figures
  }

  /// Makes a PQ HEIC and a JPEG with a gain map of a made photo.
  private func made(in folder: FilePath) throws -> [InputReference] {
    let codecs = try CodecBench(nil, megapixels: Double(width * height) / 1e6, repeats: 1)
    return try codecs.files().map { name, bytes in
      let path = folder.appending(name)
      try writeBytes(bytes, to: path)
      return InputReference(path: path, relative: FilePath(name))
    }
  }
}
