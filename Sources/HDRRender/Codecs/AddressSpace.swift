import CPlatform

/// Addresses that this process may use.
enum AddressSpace {
  /// Bytes (`ulimit -v`); `nil` without a limit.
  static var limit: Int? {
    let bytes = hdr_address_space_limit()
    return bytes == .max ? nil : Int(clamping: bytes)
  }
}
