/// The largest number of words that one kernel may have (`inlinedWords`). Kernels of formats, looks and filters have
/// 5000 to 130 000. A driver takes seconds for those, and minutes for kernels of ten times as many.
package let maxInlinedWords = 1 << 18

/// Returns the number of words that a driver compiles for a kernel: each call counts as a copy of the called function.
///
/// - Parameter words: a module of `KernelLibrary.kernel`.
/// - Returns: at most `Int32.max`.
/// - Throws: `.malformed`, or `.missingFunction` for a module without an entry point.
package func inlinedWords(_ words: [UInt32]) throws(SPIRVError) -> Int {
  var entry: UInt32?, function: UInt32 = 0
  var own: [UInt32: Int] = [:], calls: [UInt32: [UInt32]] = [:]
  for i in try instructions(of: words) {
    switch i.opcode {
    case Op.entryPoint where i.count > 2: entry = words[i.start + 2]
    case Op.function where i.count > 2: function = words[i.start + 2]
    case Op.functionCall where i.count > 3: calls[function, default: []].append(words[i.start + 3])
    default: break
    }
    if function != 0 { own[function, default: 0] += i.count }
  }
  guard let entry else { throw .missingFunction("main") }
  var known: [UInt32: Int] = [:]
  func count(_ function: UInt32) -> Int {
    if let settled = known[function] { return settled }
    // SPIR-V has no recursion (2.16.1); a module that has it anyway counts as too long.
    known[function] = Int(Int32.max)
    let sum = (calls[function] ?? []).reduce(own[function] ?? 0) { min($0 + count($1), Int(Int32.max)) }
    known[function] = sum
    return sum
  }
  return count(entry)
}
