import BatchEngine
import GPURender
import HDRCore
import HDRPlan
import HDRRender
import ImageFiles

/// A codec that devices run, and the bytes that the CPU's makes of the same content.
struct DeviceCodec {
  var name: String
  var pixels: Int
  var expected: [UInt8]
  /// Runs it on a device; what is returned makes the file of it, which takes no part of the time.
  var run: (GPURenderer) throws(GPUError) -> () throws(EncodeError) -> [UInt8]
}

/// The codecs that devices run.
package enum DeviceCodecKind: Sendable, Hashable, CaseIterable {
  case jpeg, optimizedJPEG, png, tiff, linearTIFF, exr

  /// The first words of its figure.
  package var name: String {
    switch self {
    case .jpeg: "encode sdr-jpeg"
    case .optimizedJPEG: "encode sdr-jpeg, own tables"
    case .png: "deflate pq-png"
    case .tiff: "deflate pq-tiff"
    case .linearTIFF: "deflate linear-tiff"
    case .exr: "deflate exr"
    }
  }

  /// The kind of file that it makes.
  fileprivate var output: OutputKind {
    switch self {
    case .jpeg, .optimizedJPEG: .sdrJPEG
    case .png: .pqPNG
    case .tiff: .pqTIFF
    case .linearTIFF: .linearTIFF
    case .exr: .exr
    }
  }
}

extension CodecBench {
  /// Measures the codecs that a device runs, one row each, and compares their files with the CPU's. Pictures are staged
  /// as for a card, whatever the device is. Call once.
  ///
  /// - Parameter device: as of `bench kernel --device`.
  /// - Returns: codecs and devices without figures, and why; `isWrong` if a file differs or a self-test failed.
  package func run(
    on device: String, each: (BenchFigure) -> Void
  ) -> (failures: [(kind: String, reason: String)], isWrong: Bool) {
    defer { close() }
    var failures: [(kind: String, reason: String)] = [], isWrong = false
    func fail(_ device: GPUDeviceInfo, _ error: HDRError) {
      failures.append((device.name, error.message.text(dashes: true)))
      isWrong = isWrong || error.kind == .wrongDevice
    }
    let devices = benchDevices(device)
    if devices.isEmpty { failures.append((device, "no such device")) }
    for info in devices {
      do throws(GPUError) {
        var options = GPUOptions()
        options.alwaysStages = true
        let renderer = try GPURenderer(selection: .named(info.uuid), options: options)
        for kind in DeviceCodecKind.allCases {
          do throws(HDRError) {
            each(try measure(codec(kind), on: renderer))
          } catch {
            fail(info, error)
          }
        }
      } catch {
        fail(info, error.failure)
      }
    }
    return (failures, isWrong)
  }

  private func codec(_ kind: DeviceCodecKind) throws(HDRError) -> DeviceCodec {
    var request = try request(kind.output)
    request.coding.optimizesJPEG = kind == .optimizedJPEG
    request.coding.deflatesInChunks = true
    request.coding.exrCompression = .zipGPU
    guard let run = runner(kind, request, Plan.copying(request.image)) else {
      throw HDRError(code: "bench.content", message: "\(kind.name): planes of this picture are kept, and not converted")
    }
    do throws(EncodeError) {
      return DeviceCodec(name: kind.name, pixels: request.image.pixelCount, expected: try encodeImage(request).main) {
        [request] renderer throws(GPUError) in
        let image = try run(renderer)
        return { () throws(EncodeError) in
          var own = request
          own.image = image
          return try encodeImage(own).main
        }
      }
    } catch {
      throw HDRError(error)
    }
  }

  /// Returns what encodes a request's picture on a device; `nil` for a picture that no device encodes.
  private func runner(
    _ kind: DeviceCodecKind, _ request: EncodeRequest, _ plan: Plan
  ) -> ((GPURenderer) throws(GPUError) -> SampleImage)? {
    let width = request.image.width, channels = request.hasAlpha ? 4 : 3, line: DeflateLine
    switch kind {
    case .jpeg, .optimizedJPEG:
      guard request.image.model == .rgb, let coding = JPEGCoding(plan, request.coding.jpeg) else { return nil }
      return { renderer throws(GPUError) in coding.picture(try renderer.encodeJPEG(plan, coding)) }
    case .png: line = .png(PNGLine(width: width, sampleBytes: 2, keepsAlpha: request.hasAlpha))
    case .tiff: line = .tiff(TIFFLine(.integers, width: width, channels: channels))
    case .linearTIFF: line = .tiff(TIFFLine(.halves, width: width, channels: channels))
    case .exr: line = .exr(EXRLine(width: width, channels: channels))
    }
    let coding = DeflateCoding(DeflateLayout(line, height: request.image.height))
    return { renderer throws(GPUError) in coding.picture(try renderer.deflate(plan, coding).rows) }
  }

  private func measure(_ codec: DeviceCodec, on renderer: GPURenderer) throws(HDRError) -> BenchFigure {
    var nanoseconds: [Double] = [], seconds: [Double] = [], timings = GPUTimings()
    for i in 0...repeats {
      var sample = CPUSample(), file: [UInt8] = []
      let finish: () throws(EncodeError) -> [UInt8]
      do throws(GPUError) {
        finish = try sample.measure("encode") { () throws(GPUError) in try codec.run(renderer) }
      } catch {
        throw error.failure
      }
      do throws(EncodeError) { file = try finish() } catch { throw HDRError(error) }
      guard file == codec.expected else {
        throw HDRError(
          code: "bench.differs", message: "\(codec.name): the file differs from the CPU's", kind: .wrongDevice)
      }
      timings = renderer.lastTimings
      if i == 0 { continue }
      seconds.append(sample.wall)
      nanoseconds.append(timings.kernelNanoseconds ?? sample.wall * 1e9)
    }
    let pixels = Double(codec.pixels), spread = Spread(nanoseconds.map { $0 / pixels })
    let device = renderer.device.name
    return BenchFigure(
      .codecs, "\(codec.name), \(device)", spread, .nanosecondsPerPixel,
      details: [
        .init("content", .string(content)), .init("device", .string(device)), .init("pixels", .int(codec.pixels)),
        .init("fileBytes", .int(codec.expected.count)),
        .init("bitsPerPixel", .number(rounded(Double(codec.expected.count) * 8 / pixels))),
        .init("wallSeconds", .number(rounded(Spread(seconds).median))),
        .init(
          "gigabytesPerSecond",
          .number(rounded(Double(timings.bytesRead + timings.bytesWritten) / pixels / spread.median))),
        .init("uploadedBytesPerPixel", .number(rounded(Double(timings.bytesUploaded) / pixels))),
        .init("readBackBytesPerPixel", .number(rounded(Double(timings.bytesReadBack) / pixels))),
      ] + timings.counts)
  }
}

extension GPUError {
  /// The error of a bench, in which nothing takes the device's place.
  fileprivate var failure: HDRError {
    let isWrong =
      switch self {
      case .selfTest, .mismatch: true
      default: false
      }
    return HDRError(code: code, message: "\(self)", kind: isWrong ? .wrongDevice : .device)
  }
}
