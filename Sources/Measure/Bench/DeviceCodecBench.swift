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
private enum DeviceCodecKind: CaseIterable {
  case jpeg, optimizedJPEG, png
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
    switch kind {
    case .jpeg: try jpegEncoder(isOptimized: false)
    case .optimizedJPEG: try jpegEncoder(isOptimized: true)
    case .png: try deflater()
    }
  }

  private func jpegEncoder(isOptimized: Bool) throws(HDRError) -> DeviceCodec {
    var request = try request(.sdrJPEG)
    request.coding.optimizesJPEG = isOptimized
    let plan = Plan.copying(request.image), name = "encode sdr-jpeg" + (isOptimized ? ", own tables" : "")
    guard request.image.model == .rgb, let coding = JPEGCoding(plan, request.coding.jpeg) else {
      throw HDRError(code: "bench.content", message: "\(name): planes of this picture are kept, and not converted")
    }
    do throws(EncodeError) {
      return DeviceCodec(name: name, pixels: request.image.pixelCount, expected: try encodeImage(request).main) {
        [request] renderer throws(GPUError) in
        let encoded = try renderer.encodeJPEG(plan, coding)
        return { () throws(EncodeError) in
          var own = request
          own.image = coding.picture(encoded)
          return try encodeImage(own).main
        }
      }
    } catch {
      throw HDRError(error)
    }
  }

  private func deflater() throws(HDRError) -> DeviceCodec {
    var request = try request(.pqPNG)
    request.coding.deflatesInChunks = true
    let plan = Plan.copying(request.image)
    let line = PNGLine(width: request.image.width, sampleBytes: 2, keepsAlpha: request.hasAlpha)
    let coding = DeflateCoding(DeflateLayout(line, height: request.image.height))
    do throws(EncodeError) {
      return DeviceCodec(
        name: "deflate pq-png", pixels: request.image.pixelCount, expected: try encodeImage(request).main
      ) { [request] renderer throws(GPUError) in
        let rows = try renderer.deflate(plan, coding).rows
        return { () throws(EncodeError) in
          var own = request
          own.image = coding.picture(rows)
          return try encodeImage(own).main
        }
      }
    } catch {
      throw HDRError(error)
    }
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
