/// A message of supplemental enhancement information (H.264 and H.265 clause 7.3.5): its type, and its payload as it is.
package struct SEIMessage: Sendable, Equatable {
  package var type: Int
  package var payload: ArraySlice<UInt8>

  package init(type: Int, payload: ArraySlice<UInt8>) { (self.type, self.payload) = (type, payload) }

  /// Reads the messages of a unit, without its header and emulation prevention bytes. What follows a message that does not
  /// fit is left out.
  package static func all(in bytes: ArraySlice<UInt8>) -> [SEIMessage] {
    var rest = bytes, messages: [SEIMessage] = []
    // Type and size are bytes of 255 and a smaller one that ends them.
    func number() -> Int? {
      var sum = 0
      while let byte = rest.popFirst() {
        sum += Int(byte)
        if byte != 255 { return sum }
      }
      return nil
    }
    // The last byte is a stop bit.
    while rest.count > 1, let type = number(), let size = number(), size <= rest.count {
      messages.append(SEIMessage(type: type, payload: rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    return messages
  }

  /// The bytes in a unit: type, size and payload.
  package var bytes: [UInt8] {
    var sink = ByteSink()
    for number in [type, payload.count] {
      for _ in 0..<number / 255 { sink.u8(255) }
      sink.u8(number % 255)
    }
    sink.append(payload)
    return sink.bytes
  }
}
