import Kernels

/// Returns the cube root of a number from 1e-30 to 1e30, within an ulp or two, by `+ - * /` alone; 0 for smaller ones.
@inline(__always) func cubeRoot(_ x: Double) -> Double {
  if x < 1e-30 { return 0 }
  // The first guess is good to 20 bits; the step triples them.
  let guess = Double(E32.exp2(E32.log2(Float(x)) * (1 / 3))), cube = guess * guess * guess
  return guess * (cube + 2 * x) / (2 * cube + x)
}
