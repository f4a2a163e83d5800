import CPlatform

/// The address space of this process.
enum AddressSpace {
  /// The limit in bytes (`ulimit -v`); `nil` if there is none.
  static var limit: Int? {
    let bytes = hdr_address_space_limit()
    return bytes == .max ? nil : Int(clamping: bytes)
  }
}
