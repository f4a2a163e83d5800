import SPIRV

/// A user's kernel as its stage in a module: `vec4 (vec4 p, uint k)`, which runs over pixels in memory.
public final class PixelFunction: Sendable {
  let program: ShaderProgram

  /// Registers of one pixel, at most.
  static let limits = ExecutorLimits(turns: 1 << 40, registers: 1 << 14)

  /// - Parameters:
  ///   - words: a module of `KernelLibrary.kernel` with the kernel among its stages.
  ///   - library: functions of the module, by their names, that are called instead of being read: of the same bits.
  /// - Throws: `ExecutorError` for what the executor has no exact meaning for, and for too much of it.
  public init(_ words: [UInt32], library: [String: LibraryFunction] = [:]) throws(ExecutorError) {
    program = try ShaderProgram(
      words, function: KernelLibrary.userStageName, library: library, limits: Self.limits)
  }

  /// Registers of a pixel.
  public var registers: Int { program.registers }
}

/// Rows of one channel of a picture.
public struct PixelRows {
  public var base: UnsafeRawPointer
  public var rowBytes: Int
  public var stepBytes: Int

  public init(base: UnsafeRawPointer, rowBytes: Int, stepBytes: Int) {
    (self.base, self.rowBytes, self.stepBytes) = (base, rowBytes, stepBytes)
  }
}

/// A picture that a kernel reads beside its own pixel: 1, 3 or 4 channels of binary32.
public struct PixelSource {
  public var channels: [PixelRows]
  public var width: Int
  public var height: Int

  public init(channels: [PixelRows], width: Int, height: Int) {
    (self.channels, self.width, self.height) = (channels, width, height)
  }
}

/// What surrounds the pixels that a kernel works on.
public struct PixelHost {
  /// Of the first pixel.
  public var x: Int
  public var y: Int
  /// Of the picture.
  public var width: Int
  public var height: Int
  public var headroom: Float
  public var contentHeadroom: Float
  /// Values of the kernel's parameters.
  public var parameters: UnsafeBufferPointer<UInt32>
  public var radius: Int
  public var sources: [PixelSource]

  public init(
    x: Int, y: Int, width: Int, height: Int, headroom: Float, contentHeadroom: Float,
    parameters: UnsafeBufferPointer<UInt32>, radius: Int,
    sources: [PixelSource]
  ) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
    (self.headroom, self.contentHeadroom) = (headroom, contentHeadroom)
    (self.parameters, self.radius, self.sources) = (parameters, radius, sources)
  }
}

/// Runs a kernel over consecutive pixels of a row; for one thread.
public final class PixelStrip {
  private let strip: LaneStrip
  private let width: Int
  /// Operations in loops that the costliest pixel of the last run took.
  public private(set) var operations = 0

  /// - Parameter width: pixels that run together; `nil`: as many as a second-level cache has registers for.
  public init(_ function: PixelFunction, variant: ExecutorVariant = ExecutorVariant(), width: Int? = nil) {
    let fitting = PixelStrip.cacheBytes / max(1, 4 * function.program.registers)
    self.width = width ?? min(max(fitting / 16 * 16, 64), 512)
    strip = LaneStrip(function.program, ShaderResources(), variant, width: self.width)
  }

  static let cacheBytes = 2 << 20

  /// - Parameters:
  ///   - planes: R, G, B and A, each of `count` pixels; the result comes into them.
  public func run(_ planes: [UnsafeMutablePointer<Float>], count: Int, _ host: PixelHost) {
    let program = strip.program
    operations = 0
    for start in stride(from: 0, to: count, by: width) {
      let part = min(width, count - start)
      strip.begin(0..<part, columns: part)
      strip.host = host
      strip.host?.x += start
      for channel in 0..<4 {
        let register = program.arguments[0][channel]
        let from = UnsafeRawPointer(planes[channel] + start).assumingMemoryBound(to: UInt32.self)
        strip.row(register).update(from: from, count: part)
        strip.isUniform[register] = false
      }
      strip.row(program.arguments[1][0])[0] = 0
      strip.isUniform[program.arguments[1][0]] = true
      // Kernels have no buffers and count their loops' turns themselves: nothing is left to fail.
      try? strip.run()
      if let counter = program.counter {
        strip.spread(counter)
        for lane in 0..<part { operations = max(operations, Int(strip.row(counter)[lane])) }
      }
      for channel in 0..<4 {
        let register = program.functions[program.entry].result[channel]
        strip.spread(register)
        UnsafeMutableRawPointer(planes[channel] + start).assumingMemoryBound(to: UInt32.self)
          .update(from: strip.row(register), count: part)
      }
    }
  }
}

/// A function of numbers that a program calls instead of running it: all lanes at once.
public struct LibraryFunction: Sendable {
  public typealias Row = UnsafePointer<Float>

  let arguments: Int
  /// Rows of arguments, the row of the result, lanes.
  let run: @Sendable (_ arguments: [Row], _ result: UnsafeMutablePointer<Float>, _ count: Int) -> Void

  public init(
    arguments: Int,
    _ run: @escaping @Sendable (_ arguments: [Row], _ result: UnsafeMutablePointer<Float>, _ count: Int) -> Void
  ) {
    (self.arguments, self.run) = (arguments, run)
  }
}

/// Functions of Shaders/glsl/user.glsl that the host has, and those of a library.
enum HostFunction: Sendable {
  case word, headroom, contentHeadroom, position, size, pixel
  case library(LibraryFunction)

  /// By a function's name in a module.
  init?(_ name: String, _ library: [String: LibraryFunction]) {
    let name = String(name.prefix { $0 != "(" })
    switch name {
    case "kernel_float", "kernel_word": self = .word
    case "kernel_headroom": self = .headroom
    case "kernel_content_headroom": self = .contentHeadroom
    case "kernel_position": self = .position
    case "kernel_size": self = .size
    case "kernel_pixel": self = .pixel
    default:
      guard let function = library[name] else { return nil }
      self = .library(function)
    }
  }

  var arguments: Int {
    switch self {
    case .word: 1
    case .headroom, .contentHeadroom, .position, .size: 0
    case .pixel: 3
    case .library(let function): function.arguments
    }
  }

  var results: Int {
    switch self {
    case .word, .headroom, .contentHeadroom, .library: 1
    case .position, .size: 2
    case .pixel: 4
    }
  }
}

extension LaneStrip {
  func ask(_ function: HostFunction, _ arguments: [Register], _ results: [Register]) {
    if case .library(let function) = function { return call(function, arguments, results[0]) }
    guard let host else { return }
    func set(_ register: Register, _ word: UInt32) {
      row(register)[0] = word
      isUniform[register] = true
    }
    switch function {
    case .headroom: set(results[0], host.headroom.bitPattern)
    case .contentHeadroom: set(results[0], host.contentHeadroom.bitPattern)
    case .word:
      let index = Int(word(arguments[0], 0))
      set(results[0], host.parameters.indices.contains(index) ? host.parameters[index] : 0)
    case .position:
      let columns = row(results[0])
      for lane in 0..<span { columns[lane] = UInt32(truncatingIfNeeded: host.x + lane) }
      isUniform[results[0]] = false
      set(results[1], UInt32(truncatingIfNeeded: host.y))
    case .size:
      set(results[0], UInt32(truncatingIfNeeded: host.width))
      set(results[1], UInt32(truncatingIfNeeded: host.height))
    case .pixel: read(host, arguments, results)
    case .library: break
    }
  }

  /// On one lane where all arguments are the same everywhere.
  private func call(_ function: LibraryFunction, _ arguments: [Register], _ result: Register) {
    func floats(_ register: Register) -> UnsafeMutablePointer<Float> {
      UnsafeMutableRawPointer(row(register)).assumingMemoryBound(to: Float.self)
    }
    let isSame = arguments.allSatisfy { isUniform[$0] }
    if !isSame { for register in arguments { spread(register) } }
    function.run(arguments.map { UnsafePointer(floats($0)) }, floats(result), isSame ? 1 : span)
    isUniform[result] = isSame
  }

  /// Pixels of a source beside these, at most `radius` away; beyond the border the border's pixels go on.
  private func read(_ host: PixelHost, _ arguments: [Register], _ results: [Register]) {
    let number = Int(word(arguments[0], 0))
    guard host.sources.indices.contains(number) else {
      for register in results {
        row(register)[0] = 0
        isUniform[register] = true
      }
      return
    }
    let source = host.sources[number], reach = host.radius
    func offset(_ register: Register, _ lane: Int) -> Int {
      min(max(Int(Int32(bitPattern: word(register, lane))), -reach), reach)
    }
    func column(_ x: Int) -> Int { min(max(x, 0), source.width - 1) }
    func line(_ y: Int) -> Int { min(max(y, 0), source.height - 1) }
    let isSame = isUniform[arguments[1]] && isUniform[arguments[2]]
    for (channel, register) in results.enumerated() {
      guard source.channels.count == 4 || channel < 3 else {
        row(register)[0] = Float(1).bitPattern
        isUniform[register] = true
        continue
      }
      let rows = source.channels[source.channels.count == 1 ? 0 : channel], target = row(register)
      isUniform[register] = false
      if isSame {
        let from = rows.base + line(host.y + offset(arguments[2], 0)) * rows.rowBytes
        let first = host.x + offset(arguments[1], 0)
        let inside = max(0, -first)..<max(max(0, -first), min(lanes, source.width - first))
        if rows.stepBytes == 4 && !inside.isEmpty {
          (target + inside.lowerBound).update(
            from: (from + 4 * (first + inside.lowerBound)).assumingMemoryBound(to: UInt32.self), count: inside.count)
        } else {
          for lane in inside {
            target[lane] = (from + rows.stepBytes * (first + lane)).loadUnaligned(as: UInt32.self)
          }
        }
        for lane in 0..<lanes where !inside.contains(lane) {
          target[lane] = (from + rows.stepBytes * column(first + lane)).loadUnaligned(as: UInt32.self)
        }
      } else {
        for lane in 0..<lanes {
          let from = rows.base + line(host.y + offset(arguments[2], lane)) * rows.rowBytes
          target[lane] =
            (from + rows.stepBytes * column(host.x + lane + offset(arguments[1], lane))).loadUnaligned(as: UInt32.self)
        }
      }
    }
  }
}
