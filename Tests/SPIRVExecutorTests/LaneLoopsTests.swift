import CPlatform
import LaneLoops
import Testing

#if arch(x86_64)
  import LaneLoopsV3

  /// Both builds of the loops over lanes give the same bits.
  @Suite(.enabled(if: hdr_cpu_supports_v3() != 0, "this machine has no AVX2")) struct LaneLoopsTests {
    typealias Row = UnsafeMutablePointer<UInt32>
    static let count = 512

    /// Words of all kinds: any bits, numbers near 1, edges of what fits, zeros, infinities.
    static func words(_ seed: UInt64) -> [UInt32] {
      var random = RandomKernel(seed: seed)
      let edges: [Float] = [
        0, -0.0, 1, -1, 0.5, 2_147_483_648, -2_147_483_648, 4_294_967_296, .infinity, 0x1p-140, 8_388_607.5,
      ]
      return (0..<count).map { lane in
        switch lane % 4 {
        case 0: UInt32(random.below(1 << 30)) << 2 ^ UInt32(random.below(1 << 30))
        case 1: (Float(random.below(4000)) / 1000 - 2).bitPattern
        case 2: edges[random.below(edges.count)].bitPattern
        default: UInt32(random.below(64)) &- 32
        }
      }
    }

    /// The words that a loop writes; of numbers any NaN is one.
    func made(
      _ x: [UInt32], _ y: [UInt32], areNumbers: Bool, _ loop: (_ z: Row, _ x: Row, _ y: Row) -> Void
    ) -> [UInt32] {
      let memory = UnsafeMutableRawPointer.allocate(byteCount: 12 * Self.count, alignment: 64)
        .bindMemory(to: UInt32.self, capacity: 3 * Self.count)
      defer { memory.deallocate() }
      let (a, b) = (memory + Self.count, memory + 2 * Self.count)
      memory.initialize(repeating: 0, count: Self.count)
      a.initialize(from: x, count: Self.count)
      b.initialize(from: y, count: Self.count)
      loop(memory, a, b)
      return (0..<Self.count).map { areNumbers && Float(bitPattern: memory[$0]).isNaN ? 0x7fc0_0000 : memory[$0] }
    }

    @Test(arguments: 0...LaneLoops.LaneOperation.copy.rawValue)
    func operationsHaveTheSameBitsInBothBuilds(code: UInt8) {
      let areNumbers = code <= LaneLoops.LaneOperation.floatMax.rawValue
      for seed in 0..<8 {
        let x = Self.words(UInt64(seed)), y = Self.words(UInt64(100 + seed))
        for (isOneX, isOneY) in [(false, false), (true, false), (false, true)] {
          let one = made(x, y, areNumbers: areNumbers) {
            LaneLoops.Lanes.compute(code, $0, $1, $2, isOneX, isOneY, Self.count)
          }
          let other = made(x, y, areNumbers: areNumbers) {
            LaneLoopsV3.Lanes.compute(code, $0, $1, $2, isOneX, isOneY, Self.count)
          }
          #expect(zip(one, other).count { $0 != $1 } == 0)
        }
      }
    }

    @Test(arguments: LaneLoops.ExactFunctions.loops.keys.sorted())
    func functionsHaveTheSameBitsInBothBuilds(name: String) throws {
      let one = try #require(LaneLoops.ExactFunctions.loops[name]?.run)
      let other = try #require(LaneLoopsV3.ExactFunctions.loops[name]?.run)
      func floats(_ row: Row) -> UnsafeMutablePointer<Float> {
        UnsafeMutableRawPointer(row).assumingMemoryBound(to: Float.self)
      }
      for seed in 0..<8 {
        let x = Self.words(UInt64(seed)), y = Self.words(UInt64(100 + seed))
        let a = made(x, y, areNumbers: true) { one(floats($1), floats($2), floats($1), floats($0), Self.count) }
        let b = made(x, y, areNumbers: true) { other(floats($1), floats($2), floats($1), floats($0), Self.count) }
        #expect(zip(a, b).count { $0 != $1 } == 0)
      }
    }
  }
#endif
