import SPIRV

/// Access to memory: variables of functions become registers, buffers stay in memory.
extension FunctionCompiler {
  private func place(_ id: UInt32) throws(ExecutorError) -> (place: Place, pointee: UInt32) {
    if let value = values[id] {
      guard case .place(let place, let pointee) = value else { throw .malformed("%\(id) is no pointer") }
      return (place, pointee)
    }
    guard let variable = tables.variables[id] else { throw .malformed("pointer %\(id) is not there") }
    if let register = builder.globals[id] { return (Place(base: .register(register)), variable.pointee) }
    guard let binding = tables.bindings[id] else { throw .malformed("variable %\(id) has no binding") }
    return (Place(base: .buffer(binding)), variable.pointee)
  }

  mutating func emitAccess(_ i: InstructionWords) throws(ExecutorError) {
    var (place, type) = try place(i[3])
    let isBuffer = if case .buffer = place.base { true } else { false }
    for index in 4..<max(4, i.count) {
      let literal = tables.constants[i[index]]?.first.map { Int(Int32(bitPattern: $0)) }
      // Strides of buffers are converted from bytes to words.
      let stride: Int, element: UInt32
      var count: Int?
      switch try tables.types.type(type) {
      case .structure(let members):
        guard let literal, members.indices.contains(literal) else { throw .malformed("a member that is not there") }
        place.offset += try isBuffer ? members[literal].offset / 4 : tables.types.element(type, literal).first
        type = members[literal].type
        continue
      case .vector(let each, let size): (stride, element, count) = (1, each, size)
      case .array(let each, let size, let bytes):
        (stride, element, count) = (try isBuffer ? bytes / 4 : tables.types.components(each), each, size)
      case .runtimeArray(let each, let bytes): (stride, element) = (bytes / 4, each)
      default: throw .malformed("a part of a scalar")
      }
      guard stride > 0 else { throw .malformed("an array without a stride") }
      if let literal {
        guard literal >= 0, literal < count ?? 1 << 30 else { throw .outside("element \(literal) of an array") }
        place.offset += stride * literal
      } else {
        place.indices.append(Place.Index(register: try scalar(i[index]), stride: stride, count: count))
      }
      type = element
    }
    values[i[2]] = .place(place, pointee: type)
  }

  mutating func emitLoad(_ i: InstructionWords) throws(ExecutorError) {
    if let variable = tables.variables[i[3]], case .image = try tables.types.type(variable.pointee) {
      guard let binding = tables.bindings[i[3]] else { throw .malformed("an image without a binding") }
      values[i[2]] = .image(binding: binding)
      return
    }
    let (place, pointee) = try place(i[3])
    try define(i[2], load(place, tables.types.components(pointee)))
  }

  private mutating func load(_ place: Place, _ count: Int) throws(ExecutorError) -> [Register] {
    switch place.base {
    case .register(let first) where place.indices.isEmpty:
      let start = first + Register(place.offset)
      var result: [Register] = []
      for register in start..<start + Register(count) {
        if let known = builder.held[register] {
          result.append(known)
          continue
        }
        let copy = try builder.take(1)
        try builder.emit(.copy, copy, register)
        builder.held[register] = copy
        result.append(copy)
      }
      return result
    case .register(let first):
      let result = try fresh(count)
      try builder.emit(.load, access(place, .variable(first), writes: result))
      return result
    case .buffer(let binding):
      let result = try fresh(count)
      try builder.emit(.load, access(place, .binding(binding), writes: result))
      return result
    }
  }

  private func access(
    _ place: Place, _ target: Access.Target, reads: [Register] = [], writes: [Register] = []
  ) -> Access {
    Access(target: target, offset: place.offset, indices: place.indices, reads: reads, writes: writes)
  }

  mutating func emitStore(_ i: InstructionWords) throws(ExecutorError) {
    let (place, pointee) = try place(i[1]), from = try registers(i[2])
    guard try from.count == tables.types.components(pointee) else { throw .malformed("a store of another size") }
    switch place.base {
    case .register(let first) where place.indices.isEmpty:
      let isWhole = nesting == 0 && own.contains(first) || passing.contains(i[1])
      for (register, value) in zip((first + Register(place.offset))..., from) {
        try builder.emit(LaneStep(kind: isWhole ? .compute : .blend, a: register, b: value, c: value))
        builder.note(stored: register)
        builder.held[register] = value
      }
    case .register(let first):
      try builder.emit(.store, access(place, .variable(first), reads: from))
      for register in first...(builder.variables[first] ?? first) {
        builder.note(stored: register)
        builder.held[register] = nil
      }
    case .buffer(let binding):
      try builder.emit(.store, access(place, .binding(binding), reads: from))
    }
  }

  mutating func emitCall(_ i: InstructionWords) throws(ExecutorError) {
    if let host = builder.hosts[i[3]] {
      var arguments: [Register] = []
      for index in 4..<max(4, i.count) {
        if case .place(let place, let pointee)? = values[i[index]] {
          arguments += try load(place, tables.types.components(pointee))
        } else {
          arguments += try registers(i[index])
        }
      }
      guard arguments.count == host.arguments else { throw .malformed("a call with other parameters") }
      let result = try fresh(host.results)
      if case .library(let function) = host {
        try builder.emit(function, arguments, result: result[0])
      } else {
        try builder.emit(.host, Access(target: .host(host), reads: arguments, writes: result))
      }
      return try define(i[2], result)
    }
    var arguments: [Value] = []
    for index in 4..<max(4, i.count) {
      if case .place? = values[i[index]] {
        arguments.append(values[i[index]]!)
      } else if tables.variables[i[index]] != nil {
        let (place, pointee) = try place(i[index])
        arguments.append(.place(place, pointee: pointee))
      } else {
        arguments.append(.registers(try registers(i[index])))
      }
    }
    let result = try builder.function(i[3], arguments)
    if !result.isEmpty { try define(i[2], result) }
  }
}
