// Library PHOTO FOLDER: facts of a photo, and three files made of it.
import HDRRender

let arguments = CommandLine.arguments
guard arguments.count == 3 else { fatalError("usage: Library PHOTO FOLDER") }
let folder = arguments[2]

do throws(HDRError) {
  // The GPU if there is one, else the CPU: the same bits. The photo may be anyone's, so it is decoded by processes that
  // can do nothing else: hdrbatch-codec, beside this program.
  let renderer = try HDRRenderer(isolation: .sandbox)
  print("rendering on \(renderer.deviceName), codecs in: \(renderer.isolation)")

  // Reads structure and metadata; pixels wait until they are wanted.
  let photo = try renderer.image(contentsOf: arguments[1])
  print("\(photo.format), \(photo.width)x\(photo.height), \(photo.bitDepth) bit")
  print(photo.isHDR ? "HDR" : "SDR", "headroom \(photo.contentHeadroom), from \(photo.contentHeadroomSource)")
  print(photo.gainMap.map { "\($0)" } ?? "no gain map")
  for warning in photo.warnings { print("warning:", warning.message) }

  // An edit: half a stop brighter, the middle of the picture.
  let edited =
    photo
    .applying(.exposure(ev: 0.5))
    .applying(.vibrance(amount: 0.2))
    .cropped(
      to: HDRRectangle(
        x: Double(photo.width) / 8, y: Double(photo.height) / 8, width: Double(photo.width) * 3 / 4,
        height: Double(photo.height) * 3 / 4))

  // Both renditions are edited, and the gain map is made of them.
  print(try renderer.write(edited, to: folder + "/edited.heic", as: .adaptiveHEIC(quality: 90)))

  // For everything else: SDR. The operator is the library's choice, and the report says which and why.
  let sdr = try renderer.write(edited, to: folder + "/edited.jpg", as: .sdrJPEG(quality: 85))
  print(sdr, "(\(sdr.operatorReason))")

  // A preview, 640 pixels wide.
  let preview = edited.scaled(by: 640 / (Double(photo.width) * 3 / 4))
  print(try renderer.write(preview, to: folder + "/preview.png", as: .sdrPNG()))

  // Pixels in memory: linear light, 1.0 = reference white, for a display of four times that.
  let pixels = try renderer.render(preview, headroom: 4)
  var brightest: Float = 0, sum: Float = 0
  for y in 0..<pixels.height {
    pixels.withUnsafeRow(y) { row in
      for pixel in row {
        let light = SIMD4<Float>(pixel)
        brightest = max(brightest, light.x, light.y, light.z)
        sum += light.y
      }
    }
  }
  print("brightest \(brightest), mean green \(sum / Float(pixels.width * pixels.height))")
} catch {
  // The file, what is wrong with it, and a stable code.
  print("error:", error)
  if error.kind == .exists { print("say existing: .replace to replace it") }
}
