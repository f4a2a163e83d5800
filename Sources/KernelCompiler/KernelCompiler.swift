import GLSLCompiler
import HDRCore

/// A compiler from a kernel's text to a module. The text is untrusted, so this runs where codecs do.
package enum KernelCompiler {
  /// - Throws: `KernelTextFault` for a wrong head, for constructs that kernels may not have, and for compiler errors.
  package static func compile(_ bytes: [UInt8]) throws(KernelTextFault) -> CompiledKernel {
    guard bytes.count <= KernelHead.maxBytes else {
      throw KernelTextFault("a kernel has at most \(KernelHead.maxBytes) bytes", line: 0)
    }
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      throw KernelTextFault("it is no text in UTF-8", line: 0)
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let (head, parameterLines) = try KernelHead.parse(lines)
    let scanner = try KernelScanner(text, radius: head.radius)
    try scanner.check()
    // Comments may be in any language; the compiler gets ASCII.
    let plain = String(decoding: text.utf8.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    let whole = before(head, parameterLines) + "#line 1\n" + plain + "\n#line \(lastLine)\n" + behind(head)
    do throws(CompileError) {
      return CompiledKernel(head: head, words: try compileGLSL(whole, keepsLines: true))
    } catch {
      throw fault(error.log, scanner)
    }
  }

  /// The first line number that is not part of the kernel's text.
  private static let lastLine = 1_000_001

  /// Returns the text before the kernel: stand-ins for the library's functions, and declarations that a kernel uses.
  private static func before(_ head: KernelHead, _ lines: [Int]) -> String {
    var text = """
      #version 450
      uint kernel_operations;
      ivec2 position, pictureSize;
      float headroom, contentHeadroom;
      float kernel_float(const uint word) { return 0.0; }
      uint kernel_word(const uint word) { return 0u; }
      float kernel_headroom() { return 0.0; }
      float kernel_content_headroom() { return 0.0; }
      ivec2 kernel_position() { return ivec2(0); }
      ivec2 kernel_size() { return ivec2(0); }
      vec4 kernel_pixel(const uint source, const int x, const int y) { return vec4(0.0); }
      vec4 kernel_sample(const ivec2 offset) { return kernel_pixel(0u, offset.x, offset.y); }
      #define sample kernel_sample

      """
    for (index, name) in head.inputs.enumerated() {
      text += """
        vec4 \(name)(const ivec2 offset) {
          vec4 q = kernel_pixel(\(index + 1)u, offset.x, offset.y);
          return vec4(q.xyz * q.w, q.w);
        }

        """
    }
    text += "struct Parameters {\n"
    for (parameter, line) in zip(head.parameters, lines) {
      text += "#line \(line)\n\(parameter.type) \(parameter.name);\n"
    }
    // GLSL requires a structure to have at least one member.
    return text + (head.parameters.isEmpty ? "int kernel_nothing;\n" : "") + "};\n"
  }

  private static func behind(_ head: KernelHead) -> String {
    var text = """
      vec4 kernel_entry(const vec4 picture) {
        kernel_operations = 0u;
        position = kernel_position();
        pictureSize = kernel_size();
        headroom = kernel_headroom();
        contentHeadroom = kernel_content_headroom();
        Parameters q;

      """
    var word = 0
    for parameter in head.parameters {
      func number(_ index: Int) -> String { "kernel_float(\(word + index)u)" }
      let value =
        switch parameter.kind {
        case .number: number(0)
        case .count: "int(kernel_word(\(word)u))"
        case .flag: "kernel_word(\(word)u) != 0u"
        case .vector, .color:
          "\(parameter.type)(" + (0..<parameter.words).map(number).joined(separator: ", ") + ")"
        }
      text += "  q.\(parameter.name) = \(value);\n"
      word += parameter.words
    }
    text += """
        vec4 p = \(head.radius > 0 ? "kernel_sample(ivec2(0))" : "picture");
        vec4 result = kernel(p, q);
        return \(head.makesAlpha ? "result" : "vec4(result.xyz, p.w)");
      }
      layout(local_size_x = 1) in;
      void main() {}

      """
    return text
  }

  /// Returns the first error of a log: `ERROR: 0:12: 'x' : undeclared identifier`.
  private static func fault(_ log: String, _ scanner: KernelScanner) -> KernelTextFault {
    let errors = log.split(separator: "\n").filter { $0.hasPrefix("ERROR: ") }
    if log.contains("Recursion detected") {
      // "Recursion detected:" and "    f(f1; calling g(f1;"
      let call = log.split(separator: "\n").first { $0.contains(" calling ") } ?? ""
      return KernelTextFault("a function calls itself", line: scanner.line(of: trimmed(call.prefix { $0 != "(" })) ?? 0)
    }
    guard let first = errors.first else { return KernelTextFault("the compiler refuses it", line: 0) }
    let parts = first.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, let line = Int(trimmed(parts[2])) else {
      return KernelTextFault(trimmed(first.dropFirst(7)), line: 0)
    }
    var message = trimmed(parts[3])
    if message.hasPrefix("'' : ") { message = trimmed(message.dropFirst(5)) }
    guard line < lastLine else {
      return KernelTextFault(
        message.contains("'kernel'") ? "it has no function vec4 kernel(vec4 p, Parameters q)" : message, line: 0)
    }
    return KernelTextFault(message, line: line)
  }
}

extension KernelHead.Parameter {
  fileprivate var type: String {
    switch kind {
    case .number: "float"
    case .count: "int"
    case .flag: "bool"
    case .vector(let list, _): "vec\(list.count)"
    case .color: "vec4"
    }
  }
}
