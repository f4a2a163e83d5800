/// Bindings of every kernel (glsl/shared/prelude.glsl): 0 frame words, 1 constants, 2 tables, 3...6 sources, 7 output
/// words, 8 output image, 9...11 images of halves of earlier passes. The first two are read at the same place by all
/// invocations: as uniform buffers they come through the constant cache.
enum SharedLayout {
  static let count = 12
  static let image = 8
  static let uniformBuffers = 2
  static let storageBuffers = image - uniformBuffers
  static let storageImages = count - image
  /// The first binding of `Pass.maxHalfSources` images.
  static let firstSourceImage = 9
  /// The sizes of the uniform blocks as GLSL declares them; bindings cover them whole.
  static let frameBytes = 640, constantBytes = 16_384
}
