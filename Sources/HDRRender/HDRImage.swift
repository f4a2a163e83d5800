import CodecService
import Glibc
import HDRCore
import HDRPlan
import HDRRecipe
import ImageFiles

/// An HDR photo and what is to be done to it: a value that holds no pixels. Nothing is decoded before an
/// ``HDRRenderer`` renders or writes it.
///
/// ```swift
/// let photo = try HDRImage(contentsOf: "IMG_0042.HEIC")
/// let small = photo.applying(.exposure(ev: 0.5)).cropped(to: .init(x: 0, y: 0, width: 2000, height: 1500))
/// ```
///
/// Filters work on linear light in BT.2020 primaries, 1.0 = reference white (203 cd/m²), in viewing orientation, origin
/// top left. Which rendition of a file with a gain map they get follows the display: docs/filters.md.
public struct HDRImage: Sendable {
  /// Where the pixels are.
  enum Origin: Sendable {
    /// Opened again for every use.
    case file(FilePath, byteCount: Int)
    case memory(InputFile)
    case black(Recipe.Size)
  }

  let origin: Origin
  /// What the file says of itself; its picture has a size and no samples.
  let head: SourceImage
  let limits: DecodeLimits
  /// Settings, steps and second pictures; its outputs are not used.
  var recipe = Recipe()
  var inputs: [String: HDRInput] = [:]
  var luts: [LUTChoice] = []

  /// Reads structure and metadata of a file, no pixels, in this process; ``HDRRenderer/image(contentsOf:)`` does it
  /// where the renderer's codecs run.
  ///
  /// - Parameters:
  ///   - path: of a file in any format that is read (docs/formats.md#read); kept, and opened again when the picture is rendered.
  ///   - limits: what a file may ask for.
  /// - Throws: ``HDRError`` of kind `.input` for a file that cannot be read, `.source` for one that is damaged, of
  ///   another format or over a limit.
  public init(contentsOf path: String, limits: DecodeLimits = DecodeLimits()) throws(HDRError) {
    try self.init(contentsOf: FilePath(path), limits: limits)
  }

  /// The same for a name that need not be UTF-8.
  public init(contentsOf path: FilePath, limits: DecodeLimits = DecodeLimits()) throws(HDRError) {
    try self.init(contentsOf: path, limits: limits, codecs: InProcessCodecs())
  }

  /// The same of bytes in memory. They are copied once.
  ///
  /// - Parameter name: stands for a path in messages.
  public init(
    data: some Collection<UInt8>, name: String = "data", limits: DecodeLimits = DecodeLimits()
  ) throws(HDRError) {
    try self.init(data: data, name: name, limits: limits, codecs: InProcessCodecs())
  }

  /// A black opaque picture in linear light, for generators: `.applying(.filter("checkerboard"))`.
  public init(width: Int, height: Int) {
    let size = Recipe.Size(width: max(1, width), height: max(1, height))
    origin = .black(size)
    head = size.picture
    limits = DecodeLimits()
  }

  init(contentsOf path: FilePath, limits: DecodeLimits, codecs: any CodecBorder) throws(HDRError) {
    let file: InputFile
    do throws(FileFault) {
      file = try InputFile(path, maxBytes: limits.maxFileBytes)
    } catch {
      throw HDRError(opening: error, limit: limits.maxFileBytes).about(path)
    }
    head = try Self.head(file, limits, codecs)
    origin = .file(path, byteCount: file.byteCount)
    self.limits = limits
  }

  init(
    data: some Collection<UInt8>, name: String, limits: DecodeLimits, codecs: any CodecBorder
  ) throws(HDRError) {
    let path = FilePath(name), file: InputFile
    do throws(FileFault) {
      if data.count > limits.maxFileBytes { throw FileFault(call: "read", number: EFBIG, path: path) }
      file = try InputFile(bytes: Array(data), name: path)
    } catch {
      throw HDRError(opening: error, limit: limits.maxFileBytes).about(path)
    }
    head = try Self.head(file, limits, codecs)
    origin = .memory(file)
    self.limits = limits
  }

  private static func head(
    _ file: InputFile, _ limits: DecodeLimits, _ codecs: any CodecBorder
  ) throws(HDRError) -> SourceImage {
    do throws(CodecError) {
      return try codecs.decode(file, request: .metadata, limits: limits).value
    } catch {
      throw HDRError(error, reading: file).about(file.path)
    }
  }
}

// MARK: What the file says

extension HDRImage {
  /// Size in pixels in viewing orientation, before filters.
  public var width: Int { head.geometry.outputWidth }
  public var height: Int { head.geometry.outputHeight }
  /// The file's format, as "heic", "jpeg" or "exr"; "size" for a picture without a file.
  public var format: String { head.format }
  /// Bits of a sample.
  public var bitDepth: Int { head.bitDepth }
  /// HDR by its transfer curve (PQ, HLG) or by a gain map that can be used.
  public var isHDR: Bool { head.isHDR }
  /// Peak over reference white of the brightest rendition, as a factor: 1 for SDR, 0 where the file does not say.
  public var contentHeadroom: Double { ContentHeadroom.ofFile(head).headroom?.factor ?? 0 }
  /// Where `contentHeadroom` comes from: "clli", "mdcv", "SDR transfer", …
  public var contentHeadroomSource: String { ContentHeadroom.ofFile(head).source }
  public var gainMap: HDRGainMap? { head.gainMap.map { HDRGainMap($0) } }
  /// Code points of ITU-T H.273, where the file has them.
  public var cicp: CICP? { head.color.cicp }
  /// Name of the ICC profile.
  public var iccDescription: String? { head.color.icc == nil ? nil : head.color.iccDescription ?? "" }
  /// Largest and average light of the content in cd/m², as the file states them.
  public var contentLight: ContentLightLevel? { head.light.clli }
  /// Exif (TIFF structure) and XMP as the file has them; both travel into written files.
  public var exif: [UInt8]? { head.exif }
  public var xmp: [UInt8]? { head.xmp }
  /// What is odd about the file, and what is not used of it.
  public var warnings: [Warning] { head.warnings }

  /// For messages.
  var path: FilePath {
    switch origin {
    case .file(let path, _): path
    case .memory(let file): file.path
    case .black: FilePath("picture")
    }
  }
}

/// The gain map of a file: with it the base becomes the alternate rendition.
///
/// ```swift
/// if let map = photo.gainMap { print(map.kind, map.baseHeadroom, map.alternateHeadroom) }
/// ```
public struct HDRGainMap: Sendable, Hashable, CustomStringConvertible {
  /// "iso" (ISO 21496-1), "hdrgm" (Ultra HDR) or "apple".
  public let kind: String
  /// Size in pixels as stored.
  public let width: Int
  public let height: Int
  /// 1 or 3.
  public let channels: Int
  /// Headroom of the stored picture and of the other rendition, as factors of reference white.
  public let baseHeadroom: Double
  public let alternateHeadroom: Double
  /// Whether the file says all that is needed to use it.
  public let isComplete: Bool

  init(_ map: GainMap) {
    kind = map.metadata.kind.rawValue
    (width, height) = (map.image.width, map.image.height)
    channels = map.image.model == .grey ? 1 : 3
    baseHeadroom = Headroom(stops: map.metadata.baseHeadroom).factor
    alternateHeadroom = Headroom(stops: map.metadata.alternateHeadroom).factor
    isComplete = map.metadata.isComplete
  }

  public var description: String {
    "\(kind) gain map, \(width)x\(height), \(channels) channel\(channels == 1 ? "" : "s"), "
      + "headroom \(short(baseHeadroom)) to \(short(alternateHeadroom))"
  }
}

// MARK: What is done to it

extension HDRImage {
  /// The picture behind a filter. What is wrong with the filter is said when the picture is rendered.
  public func applying(_ filter: HDRFilter) -> HDRImage {
    var result = self
    var step = filter.step
    for (parameter, input) in filter.inputs {
      let name = "input \(result.inputs.count + 1)"
      result.inputs[name] = input
      step.values[parameter] = .value(.word(name))
    }
    result.recipe.steps.common.append(step)
    return result
  }

  /// The part of the picture in a rectangle; what of that lies outside is left out.
  public func cropped(to rectangle: HDRRectangle) -> HDRImage { applying(.crop(rectangle)) }

  /// The picture in another size, with the best of the resampling filters.
  public func scaled(by factor: Double) -> HDRImage { applying(.scale(factor)) }

  /// The picture behind a LUT, which comes after all filters and before the tone operator.
  public func applying(_ lut: LUTChoice) -> HDRImage {
    var result = self
    result.luts.append(lut)
    return result
  }

  /// The picture with a recipe's steps, second pictures and settings behind its own. The recipe's outputs are
  /// `recipe.formats`.
  public func applying(_ recipe: Recipe) -> HDRImage {
    var result = self
    func joined(_ a: [RecipeStep]?, _ b: [RecipeStep]?) -> [RecipeStep]? {
      a == nil && b == nil ? nil : (a ?? []) + (b ?? [])
    }
    result.recipe.steps = Recipe.Steps(
      result.recipe.steps.common + recipe.steps.common, sdr: joined(result.recipe.steps.sdr, recipe.steps.sdr),
      hdr: joined(result.recipe.steps.hdr, recipe.steps.hdr))
    result.recipe.inputs.merge(recipe.inputs) { $1 }
    result.recipe.settings = recipe.settings.over(result.recipe.settings, Settings.recipe)
    result.recipe.keepsMap = result.recipe.keepsMap || recipe.keepsMap
    return result
  }
}

extension HDRError {
  /// A file that was never there.
  init(opening fault: FileFault, limit: Int) {
    self.init(reading: fault, limit: limit)
    if fault.number == ENOENT { message = "no such file" }
  }
}
