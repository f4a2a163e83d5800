import Foundation

/// Lines of a record file as dictionaries.
package func recordLines(_ path: String) throws -> [[String: Any]] {
  try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
    try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
  }
}

/// CRC-32 of zlib, as rows of journals end with.
package func checksum(_ bytes: [UInt8]) -> String {
  var crc: UInt32 = ~0
  for byte in bytes {
    crc ^= UInt32(byte)
    for _ in 0..<8 { crc = crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
  }
  let digits = String(~crc, radix: 16)
  return String(repeating: "0", count: 8 - digits.count) + digits
}
