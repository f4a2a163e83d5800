import CGlslang

/// A message of the GLSL compiler, one line an error.
package struct CompileError: Error {
  package var log: String
}

/// Compiles one compute shader to SPIR-V 1.3 for Vulkan 1.1, without an optimiser.
///
/// - Parameters:
///   - text: whole GLSL source, `#version` line included.
///   - keepsLines: instructions carry the line of the source that they come from.
/// - Throws: `CompileError` with the compiler's log.
package func compileGLSL(_ text: String, keepsLines: Bool = false) throws(CompileError) -> [UInt32] {
  guard isStarted else { throw CompileError(log: "glslang does not start") }

  // Nothing calls stages and sinks until the composer does: keep their bodies.
  let messages = glslang_messages_t(
    GLSLANG_MSG_SPV_RULES_BIT.rawValue | GLSLANG_MSG_VULKAN_RULES_BIT.rawValue
      | GLSLANG_MSG_KEEP_UNCALLED_BIT.rawValue | (keepsLines ? GLSLANG_MSG_DEBUG_INFO_BIT.rawValue : 0))
  let shader = text.withCString { code -> OpaquePointer? in
    var input = glslang_input_t()
    input.language = GLSLANG_SOURCE_GLSL
    input.stage = GLSLANG_STAGE_COMPUTE
    input.client = GLSLANG_CLIENT_VULKAN
    input.client_version = GLSLANG_TARGET_VULKAN_1_1
    input.target_language = GLSLANG_TARGET_SPV
    input.target_language_version = GLSLANG_TARGET_SPV_1_3
    input.code = code
    input.default_version = 450
    input.default_profile = GLSLANG_CORE_PROFILE
    input.messages = messages
    input.resource = glslang_default_resource()
    guard let shader = glslang_shader_create(&input) else { return nil }
    if glslang_shader_preprocess(shader, &input) != 0 { _ = glslang_shader_parse(shader, &input) }
    return shader
  }
  guard let shader else { throw CompileError(log: "glslang has no shader to give") }
  defer { glslang_shader_delete(shader) }
  let program = glslang_program_create()
  defer { glslang_program_delete(program) }
  glslang_program_add_shader(program, shader)
  // A failed parse shows here too: linking refuses a shader that has no syntax tree.
  let log = String(cString: glslang_shader_get_info_log(shader))
  guard !log.contains("ERROR"), glslang_program_link(program, Int32(messages.rawValue)) != 0 else {
    throw CompileError(log: log + String(cString: glslang_program_get_info_log(program)))
  }
  var options = glslang_spv_options_t()
  options.generate_debug_info = keepsLines
  options.disable_optimizer = true
  glslang_program_SPIRV_generate_with_options(program, GLSLANG_STAGE_COMPUTE, &options)
  let count = glslang_program_SPIRV_get_size(program)
  guard count > 0, let words = glslang_program_SPIRV_get_ptr(program) else {
    throw CompileError(log: "glslang made no words")
  }
  return Array(UnsafeBufferPointer(start: words, count: count))
}

/// True once glslang has started. It keeps tables of GLSL's functions, which take longer to make than a kernel.
private let isStarted = glslang_initialize_process() != 0
