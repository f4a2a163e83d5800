import HDRCore
import HDRPlan
import Kernels
import TestSupport
import Testing

/// The words of stages and sinks: what Swift calls them, and what GLSL does.
@Suite struct StageParametersTests {
  static let all =
    StageKind.allCases.map { ($0.rawValue, $0.words) } + SinkKind.allCases.map { ($0.rawValue, $0.words) }

  @Test func everyKernelFileListsTheNamesOfItsSwiftParameters() throws {
    let files = try SourceTree.allFiles("Sources/Kernels", extension: "glsl")
    for (name, words) in Self.all {
      let text = try #require(files.first { $0.stem == name }, "\(name)").text
      #expect(WordLists(glsl: text) == WordLists(swift: words), "\(name)")
      // The names are of use only where nothing goes by numbers.
      let numbers = SourceLint.withoutComments(text).matches(of: /\bk \+ |\b(?:constant|constant_float)\((?:k|at)\)/)
      #expect(numbers.isEmpty, "\(name): \(numbers.map { String($0.output) })")
    }
  }

  @Test func frameWordsHaveTheSameNumbersInGLSL() throws {
    let prelude = try SourceTree.text("Sources/Shaders/glsl/shared/prelude.glsl")
    let numbers = prelude.matches(of: /\b((?:FRAME|CHANNEL)_\w+) = (\d+)u/).map { ("\($0.1)", Int($0.2)) }
    typealias Frame = FrameLayout
    #expect(
      Dictionary(uniqueKeysWithValues: numbers) == [
        "FRAME_FIRST_ROW": Frame.firstRow, "FRAME_ROW_COUNT": Frame.rowCount, "FRAME_WIDTH": Frame.width,
        "FRAME_HEIGHT": Frame.height, "FRAME_MAPPING": Frame.mapping, "FRAME_SOURCES": Frame.sources,
        "FRAME_SOURCE_WORDS": Frame.sourceWords, "FRAME_CHANNEL_WORDS": Frame.channelWords,
        "FRAME_OUTPUT": Frame.output, "FRAME_PLANE_WORDS": Frame.planeWords,
        "CHANNEL_OFFSET": Frame.channelOffset, "CHANNEL_ROW_BYTES": Frame.channelRowBytes,
        "CHANNEL_STEP_BYTES": Frame.channelStepBytes, "CHANNEL_WIDTH": Frame.channelWidth,
        "CHANNEL_HEIGHT": Frame.channelHeight, "CHANNEL_FIRST_ROW": Frame.channelFirstRow,
      ])
  }

  @Test("a profile's largest exponents leave finite numbers in a plan")
  func tablesAreFinite() throws {
    let steep = ToneCurve.parametric(g: 32_767, a: 32_767, b: 0, c: 0, d: 0, e: -32_767, f: 0)
    let source = SourceImage(
      format: .png, image: .planar(width: 2, height: 2, model: .rgb, format: .uint8, bitDepth: 8),
      color: SourceColor(
        matrix: 0, fullRange: true,
        encoding: .matrixTRC(curves: [steep], toBT2020: [1e30, 0, 0, 0, 1, 0, 0, 0, 1], primaries: nil)),
      geometry: Geometry(width: 2, height: 2))
    let target = OutputSignal(encoding: .pq, sink: .rgba16)
    let plan = try Planner.plan(source, RenderRecipe(target: target, display: .high))
    #expect((plan.constants + plan.tables).allSatisfy { Float(bitPattern: $0).isFinite })
    for (number, lane) in [(Double.infinity, 0x1p36), (-1e300, -0x1p36), (.nan, 0), (0.1, 0.1)] {
      #expect(number.lane == Float(lane))
    }
  }

  @Test func wordListsAreReadFromSwiftAndGLSL() throws {
    let blend = WordLists(swift: BlendMode.Parameters.self)
    #expect(blend.lists["words"]?.prefix(3) == ["MODE", "SOURCE", "X"])
    #expect(blend.lists["words"]?.suffix(2) == ["ROOT_MAX_BITS", "ROOT_K"])
    #expect(blend.lists["values MODE"]?.count == BlendMode.Mode.allCases.count)
    #expect(WordLists(swift: Matrix4Stage.Parameters.self).lists["part ROW"] == ["R", "G", "B", "A", "BIAS"])
    let glsl = WordLists(glsl: "// x\n#pragma words A B\n#pragma words C\n#pragma values B ON OFF\n\nfloat f();\n")
    #expect(glsl.lists == ["words": ["A", "B", "C"], "values B": ["ON", "OFF"]])
  }
}

/// Lists of names by what they name: "words", "part ROW", "values MODE".
struct WordLists: Equatable {
  var lists: [String: [String]] = [:]

  /// `#pragma` lines; a list may go on in further ones.
  init(glsl text: String) {
    for line in text.matches(of: /(?m)^#pragma (words|part \w+|values \w+) (.+)$/) {
      lists[String(line.1), default: []] += line.2.split(separator: " ").map(String.init)
    }
  }

  init(swift words: (any StageParameters.Type)?) {
    guard let words else { return }
    add("words", words)
    for part in words.parts { add("part " + Self.glslName("\(part)"), part) }
  }

  /// Reads a list out of memory that holds 0, 1, 2...: the number found in a property is its offset.
  private mutating func add<Parameters: StageParameters>(_ list: String, _: Parameters.Type) {
    let memory = (0..<UInt32(Parameters.count)).map { $0 }
    var found: [String] = []
    add(memory.withUnsafeBytes { $0.loadUnaligned(as: Parameters.self) }, "", to: &found)
    #expect(found.count == memory.count && 4 * memory.count == MemoryLayout<Parameters>.size, "\(Parameters.self)")
    lists[list] = found
  }

  private mutating func add(_ group: any StageParameters, _ prefix: String, to found: inout [String]) {
    for (label, value) in Mirror(reflecting: group).children {
      let name = prefix + Self.glslName(label ?? "")
      let bits: UInt32?
      switch value {
      case let value as any StageParameters:
        add(value, name + "_", to: &found)
        continue
      case let value as any NamedCases:
        lists["values " + name] = value.names.map(Self.glslName)
        bits = value.word
      case let value as UInt32: bits = value
      case let value as Int32: bits = UInt32(bitPattern: value)
      case let value as Float: bits = value.bitPattern
      default: bits = nil
      }
      #expect(bits == UInt32(found.count), "\(name) is no word, or lies elsewhere")
      found.append(name)
    }
  }

  /// "alphaBytes" as "ALPHA_BYTES".
  private static func glslName(_ name: String) -> String {
    name.replacing(/([a-z0-9])([A-Z])/) { "\($0.1)_\($0.2)" }.uppercased()
  }
}

private protocol NamedCases {
  var word: UInt32 { get }
  /// The names in the order of the words' values.
  var names: [String] { get }
}

extension Choice: NamedCases {
  var names: [String] {
    let cases = Value.allCases.map { $0 }
    #expect(cases.map(\.rawValue) == Array(cases.indices))
    return cases.map { "\($0)" }
  }
}
