import CGlslang

/// A message of the GLSL compiler, one line an error.
struct CompileError: Error {
  var log: String
}

/// Compiles one compute shader to SPIR-V 1.3 for Vulkan 1.1, without an optimiser.
///
/// - Parameter text: whole GLSL source, `#version` line included.
/// - Throws: `CompileError` with the compiler's log.
func compileGLSL(_ text: String) throws(CompileError) -> [UInt32] {
  guard glslang_initialize_process() != 0 else { throw CompileError(log: "glslang does not start") }
  defer { glslang_finalize_process() }

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
    input.messages = GLSLANG_MSG_KEEP_UNCALLED_BIT
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
  // Stages and sinks are called by nobody until the composer does: keep their bodies.
  let messages = Int32(
    GLSLANG_MSG_SPV_RULES_BIT.rawValue | GLSLANG_MSG_VULKAN_RULES_BIT.rawValue
      | GLSLANG_MSG_KEEP_UNCALLED_BIT.rawValue)
  let log = String(cString: glslang_shader_get_info_log(shader))
  guard !log.contains("ERROR"), glslang_program_link(program, messages) != 0 else {
    throw CompileError(log: log + String(cString: glslang_program_get_info_log(program)))
  }
  glslang_program_SPIRV_generate(program, GLSLANG_STAGE_COMPUTE)
  let count = glslang_program_SPIRV_get_size(program)
  guard count > 0, let words = glslang_program_SPIRV_get_ptr(program) else {
    throw CompileError(log: "glslang made no words")
  }
  return Array(UnsafeBufferPointer(start: words, count: count))
}
