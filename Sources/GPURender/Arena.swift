/// Memory for the structs that one Vulkan call points to: freed together, after the call.
struct Arena: ~Copyable {
  private var blocks: [UnsafeMutableRawPointer] = []

  /// Places a copy of `value` at a fixed address.
  mutating func place<T: BitwiseCopyable>(_ value: T) -> UnsafeMutablePointer<T> {
    let pointer = UnsafeMutablePointer<T>.allocate(capacity: 1)
    pointer.initialize(to: value)
    blocks.append(UnsafeMutableRawPointer(pointer))
    return pointer
  }

  /// Places a copy of `values` at a fixed address; `nil` for none.
  mutating func place<T: BitwiseCopyable>(_ values: [T]) -> UnsafeMutablePointer<T>? {
    if values.isEmpty { return nil }
    let pointer = UnsafeMutablePointer<T>.allocate(capacity: values.count)
    pointer.initialize(from: values, count: values.count)
    blocks.append(UnsafeMutableRawPointer(pointer))
    return pointer
  }

  /// Places a C string.
  mutating func place(_ text: String) -> UnsafePointer<CChar> {
    UnsafePointer(place(Array(text.utf8CString)) ?? place(CChar(0)))
  }

  /// Places C strings for extension lists.
  mutating func place(_ texts: [String]) -> UnsafeMutablePointer<UnsafePointer<CChar>?>? {
    var pointers: [UnsafePointer<CChar>?] = []
    for text in texts { pointers.append(place(text)) }
    return place(pointers)
  }

  deinit { for block in blocks { block.deallocate() } }
}

/// Returns the text of a fixed-size C array of characters, which Swift imports as a tuple.
func string<T>(_ tuple: T) -> String {
  withUnsafeBytes(of: tuple) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
}
