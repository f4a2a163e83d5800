import BatchEngine
import CHDRBatch
import HDRComparison
import HDRCore
import HDRRender

@c @implementation
package func hdrbatch_render(
  _ renderer: OpaquePointer?, _ image: OpaquePointer?, _ headroom: Double,
  _ options: UnsafePointer<UnsafePointer<CChar>?>?, _ error: ErrorPlace?
) -> OpaquePointer? {
  answer(error, else: nil) { () throws(HDRError) in
    let renderer: HDRRenderer = try Handles.get(renderer, "renderer"), image: HDRImage = try Handles.get(image, "image")
    guard headroom == 0 || (1...65_536).contains(headroom) else {
      throw .argument("headroom is a factor of 1 to 65536, or 0 for the content's own")
    }
    let pixels = try renderer.render(
      image, headroom: headroom == 0 ? nil : headroom, options: try Options(options).rendition())
    return Handles.add(Pixels(pixels: pixels, path: image.path))
  }
}

/// Pixels as callers hold them.
private struct Pixels: Sendable {
  let pixels: HDRPixels
  let path: FilePath
}

@c @implementation
package func hdrbatch_pixels_layout(
  _ pixels: OpaquePointer?, _ layout: UnsafeMutablePointer<hdrbatch_layout>?, _ error: ErrorPlace?
) -> CInt {
  answer(error, else: 0) { () throws(HDRError) in
    let pixels = (try Handles.get(pixels, "pixels") as Pixels).pixels
    guard let layout else { throw .argument("layout is NULL") }
    guard layout.pointee.size >= MemoryLayout<hdrbatch_layout>.size else {
      throw .argument("the size of the layout is not set to sizeof(hdrbatch_layout)")
    }
    let (start, rowBytes) = pixels.withUnsafeBytes { ($0.baseAddress, $1) }
    layout.pointee = hdrbatch_layout(
      size: layout.pointee.size, width: pixels.width, height: pixels.height, row_bytes: rowBytes, data: start,
      primaries: CInt(pixels.primaries), has_alpha: pixels.hasAlpha ? 1 : 0)
    return 1
  }
}

@c @implementation
package func hdrbatch_pixels_report(_ pixels: OpaquePointer?, _ error: ErrorPlace?) -> UnsafeMutablePointer<CChar>? {
  answer(error, else: nil) { () throws(HDRError) in
    let pixels: Pixels = try Handles.get(pixels, "pixels")
    return CText.copy(record(pixels.pixels.report, of: pixels.path, in: FilePath("")))
  }
}

@c @implementation
package func hdrbatch_write(
  _ renderer: OpaquePointer?, _ image: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ format: UnsafePointer<CChar>?,
  _ options: UnsafePointer<UnsafePointer<CChar>?>?, _ error: ErrorPlace?
) -> UnsafeMutablePointer<CChar>? {
  answer(error, else: nil) { () throws(HDRError) in
    let renderer: HDRRenderer = try Handles.get(renderer, "renderer"), image: HDRImage = try Handles.get(image, "image")
    let path = try CText.path(path, "path"), format = try HDRFormat(try CText.text(format, "format"))
    var options = try Options(options)
    let existing: ExistingFile
    switch try options.take("on-existing") {
    case nil, "refuse": existing = .refuse
    case "replace": existing = .replace
    default: throw HDRError(code: "option.value", message: "on-existing is refuse or replace")
    }
    let report = try renderer.write(image, to: path, as: format, options: options.rendition(), existing: existing)
    return CText.copy(record(report, of: image.path, in: path))
  }
}

@c @implementation
package func hdrbatch_encode(
  _ renderer: OpaquePointer?, _ image: OpaquePointer?, _ format: UnsafePointer<CChar>?,
  _ options: UnsafePointer<UnsafePointer<CChar>?>?, _ count: UnsafeMutablePointer<Int>?, _ error: ErrorPlace?
) -> UnsafeMutableRawPointer? {
  answer(error, else: nil) { () throws(HDRError) in
    let renderer: HDRRenderer = try Handles.get(renderer, "renderer"), image: HDRImage = try Handles.get(image, "image")
    guard let count else { throw .argument("count is NULL") }
    let format = try HDRFormat(try CText.text(format, "format"))
    let bytes = try renderer.encode(image, as: format, options: try Options(options).rendition()).bytes
    count.pointee = bytes.count
    return CText.memory(bytes)
  }
}

@c @implementation
package func hdrbatch_compare(
  _ renderer: OpaquePointer?, _ a: OpaquePointer?, _ b: OpaquePointer?, _ accept: UnsafePointer<CChar>?,
  _ error: ErrorPlace?
) -> UnsafeMutablePointer<CChar>? {
  answer(error, else: nil) { () throws(HDRError) in
    let renderer: HDRRenderer = try Handles.get(renderer, "renderer")
    let left: HDRImage = try Handles.get(a, "a"), right: HDRImage = try Handles.get(b, "b")
    let wanted = accept == nil ? nil : try CText.text(accept, "accept")
    return CText.copy(try HDRComparer(renderer).compare(left, right, accept: wanted).json)
  }
}

/// Returns the row of a record of batches.
private func record(_ report: HDRReport, of input: FilePath, in output: FilePath) -> String {
  let item = BatchItem(
    index: 0, inputNumber: 0, input: InputReference(input), relativeOutput: output, output: output, isSkipped: false)
  var record = ItemRecord(item: item, outputKind: report.outputKind)
  record.facts = report.facts
  record.status = report.warnings.isEmpty ? .ok : .warn
  return record.json.line
}
