import CodecService
import Glibc
import HDRCore
import HDRPlan
import HDRRecipe
import ImageFiles

/// An HDR photo and the edits to it: a value that holds no pixels. Nothing is decoded before an ``HDRRenderer`` renders
/// or writes it.
///
/// ```swift
/// let photo = try HDRImage(contentsOf: "IMG_0042.HEIC")
/// let small = photo.applying(.exposure(ev: 0.5)).cropped(to: .init(x: 0, y: 0, width: 2000, height: 1500))
/// ```
///
/// Filters work on linear light in BT.2020 primaries, 1.0 = reference white (203 cd/m²), in viewing orientation, origin
/// top left. The display decides which rendition of a file with a gain map they get: docs/filters.md.
public struct HDRImage: Sendable {
  /// The source of the pixels.
  enum Origin: Sendable {
    /// A file, which is opened again for every use.
    case file(FilePath, byteCount: Int)
    /// A file that is open, or bytes in memory.
    case memory(InputFile)
    case black(Recipe.Size)
  }

  let origin: Origin
  /// The file's metadata; its picture has a size and no samples.
  package let head: SourceImage
  let limits: DecodeLimits
  /// The settings, steps and second pictures; its outputs are not used.
  var recipe = Recipe()
  var inputs: [String: HDRFilterInput] = [:]
  var luts: [LUTChoice] = []

  /// Reads structure and metadata of a file, no pixels, in this process; ``HDRRenderer/image(contentsOf:)-(String)`` does it
  /// with the renderer's codecs.
  ///
  /// - Parameters:
  ///   - path: a file in any format that can be read (docs/formats.md#read); it is opened again for rendering.
  ///   - limits: bounds on what a file may ask for.
  /// - Throws: ``HDRError`` of kind `.input` for a file that cannot be read, `.source` for one that is damaged, of
  ///   another format or over a limit.
  public init(contentsOf path: String, limits: DecodeLimits = DecodeLimits()) throws(HDRError) {
    try self.init(contentsOf: FilePath(path), limits: limits)
  }

  /// Reads a file whose name need not be UTF-8.
  public init(contentsOf path: FilePath, limits: DecodeLimits = DecodeLimits()) throws(HDRError) {
    try self.init(contentsOf: path, limits: limits, codecs: InProcessCodecs())
  }

  /// Reads bytes in memory, which are copied once.
  ///
  /// - Parameters:
  ///   - data: the bytes of a file.
  ///   - name: replaces the path in messages.
  ///   - limits: bounds on what a file may ask for.
  public init(
    data: some Collection<UInt8>, name: String = "data", limits: DecodeLimits = DecodeLimits()
  ) throws(HDRError) {
    try self.init(data: data, name: name, limits: limits, codecs: InProcessCodecs())
  }

  /// Makes a black opaque picture in linear light, for generators: `.applying(.filter("checkerboard"))`.
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
    try self.init(file, limits: limits, codecs: codecs)
  }

  init(_ file: InputFile, limits: DecodeLimits, codecs: any CodecBorder) throws(HDRError) {
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

// MARK: Facts from the file

extension HDRImage {
  /// The width in pixels in viewing orientation, before filters.
  public var width: Int { head.geometry.outputWidth }
  public var height: Int { head.geometry.outputHeight }
  /// The file's format, as "heic", "jpeg" or "exr"; "size" for a picture without a file.
  public var format: String { head.format.rawValue }
  /// The bits of a sample.
  public var bitDepth: Int { head.bitDepth }
  /// True for an HDR transfer curve (PQ, HLG) or a usable gain map.
  public var isHDR: Bool { head.isHDR }
  /// The ratio of peak to reference white in the brightest rendition: 1 for SDR, 0 if the file does not state it.
  public var contentHeadroom: Double { ContentHeadroom.ofFile(head).headroom?.factor ?? 0 }
  /// The source of `contentHeadroom`: "clli", "mdcv", "SDR transfer", …
  public var contentHeadroomSource: String { ContentHeadroom.ofFile(head).source }
  public var gainMap: HDRGainMap? { head.gainMap.map { HDRGainMap($0) } }
  /// The code points of ITU-T H.273, if the file has them.
  public var cicp: CICP? { head.color.cicp }
  /// The name of the ICC profile.
  public var iccDescription: String? { head.color.icc == nil ? nil : head.color.iccDescription ?? "" }
  /// The largest and average light of the content in cd/m², as the file states them.
  public var contentLight: ContentLightLevel? { head.light.clli }
  /// The Exif data (TIFF structure) of the file; like the XMP, it is copied into written files.
  public var exif: [UInt8]? { head.exif }
  public var xmp: [UInt8]? { head.xmp }
  /// Warnings about the file, and about unused parts of it.
  public var warnings: [Warning] { head.warnings }

  /// True if the picture has filters, LUTs or settings beside its file.
  package var isEdited: Bool { !recipe.steps.isEmpty || !luts.isEmpty || !recipe.settings.words.isEmpty }

  /// The path for messages.
  package var path: FilePath {
    switch origin {
    case .file(let path, _): path
    case .memory(let file): file.path
    case .black: FilePath("picture")
    }
  }
}

/// The gain map of a file, which turns the base into the alternate rendition.
///
/// ```swift
/// if let map = photo.gainMap { print(map.kind, map.baseHeadroom, map.alternateHeadroom) }
/// ```
public struct HDRGainMap: Sendable, Hashable, CustomStringConvertible {
  /// "iso" (ISO 21496-1), "hdrgm" (Ultra HDR) or "apple".
  public let kind: String
  /// The width in pixels as stored.
  public let width: Int
  public let height: Int
  /// The number of channels, 1 or 3.
  public let channels: Int
  /// The stored picture's headroom, a factor of reference white; `alternateHeadroom` is the other rendition's.
  public let baseHeadroom: Double
  public let alternateHeadroom: Double
  /// True if the file states all that is needed to use it.
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

// MARK: Edits

extension HDRImage {
  /// Returns the picture with a filter applied. Errors of the filter are reported when the picture is rendered.
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

  /// Returns the part of the picture in a rectangle; parts outside the picture are left out.
  public func cropped(to rectangle: HDRRectangle) -> HDRImage { applying(.crop(rectangle)) }

  /// Returns the picture in another size, by the best of the resampling filters.
  public func scaled(by factor: Double) -> HDRImage { applying(.filter("scale", ["factor": .number(factor)])) }

  /// Returns the picture with a LUT applied, after all filters and before the tone operator.
  public func applying(_ lut: LUTChoice) -> HDRImage {
    var result = self
    result.luts.append(lut)
    return result
  }

  /// Returns the picture with a recipe's steps, second pictures and settings after its own. The recipe's outputs are
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
  /// Makes the error of a file that cannot be opened.
  package init(opening fault: FileFault, limit: Int) {
    self.init(reading: fault, limit: limit)
    if fault.number == ENOENT { message = "no such file" }
  }
}
