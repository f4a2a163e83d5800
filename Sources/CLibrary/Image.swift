import BatchEngine
import CHDRBatch
import HDRCore
import HDRRecipe
import HDRRender

@c @implementation
package func hdrbatch_image_open(
  _ renderer: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ error: ErrorPlace?
) -> OpaquePointer? {
  answer(error, else: nil) { () throws(HDRError) in
    let renderer: HDRRenderer = try Handles.get(renderer, "renderer")
    return Handles.add(try renderer.image(contentsOf: try CText.path(path, "path")))
  }
}

@c @implementation
package func hdrbatch_image_open_bytes(
  _ renderer: OpaquePointer?, _ bytes: UnsafeRawPointer?, _ count: Int, _ name: UnsafePointer<CChar>?,
  _ error: ErrorPlace?
) -> OpaquePointer? {
  answer(error, else: nil) { () throws(HDRError) in
    let renderer: HDRRenderer = try Handles.get(renderer, "renderer")
    guard count == 0 || bytes != nil else { throw .argument("bytes is NULL") }
    // A size_t beyond what any memory has.
    guard count >= 0 else { throw .argument("count is not a number of bytes in memory") }
    let data = UnsafeRawBufferPointer(start: bytes, count: count)
    return Handles.add(try renderer.image(data: data, name: try CText.text(name, "name", else: "data")))
  }
}

@c @implementation
package func hdrbatch_image_open_fd(
  _ renderer: OpaquePointer?, _ descriptor: CInt, _ name: UnsafePointer<CChar>?, _ error: ErrorPlace?
) -> OpaquePointer? {
  answer(error, else: nil) { () throws(HDRError) in
    let renderer: HDRRenderer = try Handles.get(renderer, "renderer")
    let name = try CText.text(name, "name", else: "descriptor")
    return Handles.add(try renderer.image(descriptor: descriptor, name: name))
  }
}

@c @implementation
package func hdrbatch_image_info(_ image: OpaquePointer?, _ error: ErrorPlace?) -> UnsafeMutablePointer<CChar>? {
  answer(error, else: nil) { () throws(HDRError) in
    let image: HDRImage = try Handles.get(image, "image")
    return CText.copy(FileInspection(image.path, source: image.head).json.line)
  }
}

@c @implementation
package func hdrbatch_image_filter(
  _ image: OpaquePointer?, _ words: UnsafePointer<CChar>?, _ error: ErrorPlace?
) -> OpaquePointer? {
  answer(error, else: nil) { () throws(HDRError) in
    let image: HDRImage = try Handles.get(image, "image")
    return Handles.add(image.applying(try HDRFilter(parsing: try CText.text(words, "words"))))
  }
}

@c @implementation
package func hdrbatch_image_apply(
  _ image: OpaquePointer?, _ recipe: UnsafePointer<CChar>?, _ folder: UnsafePointer<CChar>?, _ error: ErrorPlace?
) -> OpaquePointer? {
  answer(error, else: nil) { () throws(HDRError) in
    let image: HDRImage = try Handles.get(image, "image")
    let recipe = try Recipe(try CText.text(recipe, "recipe"), folder: try CText.text(folder, "folder", else: ""))
    return Handles.add(image.applying(recipe))
  }
}
