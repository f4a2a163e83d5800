import Kernels

/// Returns the cube root of a number from 1e-30 to 1e30, within an ulp or two, by `+ - * /` alone; 0 for smaller ones.
@inline(__always) func cubeRoot(_ x: Double) -> Double {
  if x < 1e-30 { return 0 }
  // The first guess is good to 20 bits; the step triples them.
  let guess = Double(E32.exp2(E32.log2(Float(x)) * (1 / 3))), cube = guess * guess * guess
  return guess * (cube + 2 * x) / (2 * cube + x)
}

/// Replaces numbers by their cube roots, as `cubeRoot` has them.
///
/// - Parameter guesses: memory for as many numbers.
func cubeRoots(_ numbers: UnsafeMutablePointer<Double>, _ guesses: UnsafeMutablePointer<Float>, count: Int) {
  // Short loops, for floats and doubles apart: machines take twice as many floats at a time.
  for i in 0..<count { guesses[i] = Float(numbers[i]) }
  for i in 0..<count { guesses[i] = E32.log2(guesses[i]) * (1 / 3) }
  for i in 0..<count { guesses[i] = E32.exp2(guesses[i]) }
  for i in 0..<count {
    let x = numbers[i], guess = Double(guesses[i]), cube = guess * guess * guess
    let root = guess * (cube + 2 * x) / (2 * cube + x)
    numbers[i] = x < 1e-30 ? 0 : root
  }
}
