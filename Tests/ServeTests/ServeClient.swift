import CPlatform
import Foundation
import HDRRender
import PlainData
import Serve
import TestSupport
import Testing

/// A client of the program: through a socket pair as its standard input and output, or through a socket file.
final class ServeClient {
  let process: Process?
  private let stream: ClientStream
  private var splitter = LineSplitter()
  private var lines: [JSON] = []
  private var held: [OpenFile] = []
  let errors: TemporaryFolder

  /// Starts the program.
  init(_ arguments: [String] = [], jobs: Int = 2) throws {
    errors = try TemporaryFolder()
    var ends: [Int32] = [0, 0]
    try #require(hdr_socket_pair(&ends) == 0)
    let theirs = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    let process = Process()
    process.executableURL = Program.url
    process.arguments = ["serve", "--stdio", "--jobs", "\(jobs)", "--backend", "cpu"] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(["HDRBATCH_MEMORY": "2G"]) { $1 }
    (process.standardInput, process.standardOutput) = (theirs, theirs)
    process.standardError = FileHandle(forWritingAtPath: try errors.file("err", ""))
    try process.run()
    try theirs.close()
    self.process = process
    let mine = OpenFile(ends[0])
    stream = ClientStream(input: mine, output: mine)
  }

  /// Connects to a socket file; `nil` while no server listens.
  init?(socket path: String) throws {
    errors = try TemporaryFolder()
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let mine = OpenFile(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
    let result = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(mine.descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    process = nil
    stream = ClientStream(input: mine, output: mine)
    guard result == 0 else { return nil }
  }

  deinit { if let process, process.isRunning { process.terminate() } }

  /// - Returns: false if the server reads no more.
  @discardableResult
  func send(_ text: String, _ files: [OpenFile] = []) -> Bool {
    stream.send(Array((text + "\n").utf8), files, seconds: 60) == 0
  }

  /// Returns the next line; `nil` at the end.
  func line() throws -> JSON? {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    while lines.isEmpty {
      try #require(hdr_wait_for(stream.input.descriptor, 0, 120) == 0, "the server says nothing")
      let (count, files) = stream.receive(into: buffer)
      held += files
      guard let count, count > 0 else { return nil }
      for piece in splitter.add(UnsafeRawBufferPointer(rebasing: buffer[..<count])) {
        if case .line(let bytes) = piece { lines.append(try JSON(parsing: bytes)) }
      }
    }
    return lines.removeFirst()
  }

  /// Returns the next answer to a request, with its files; others are left out.
  func answer(_ id: Int?) throws -> (line: JSON, files: [OpenFile]) {
    while true {
      let line = try #require(try line(), "the connection has ended")
      let count = line["fds"]?.integer ?? 0
      try #require(held.count >= count)
      let files = Array(held.prefix(count))
      held.removeFirst(count)
      if line["id"] == (id.map { JSON.int($0) } ?? .null) { return (line, files) }
    }
  }

  /// Sends a request and returns its answer.
  func ask(_ id: Int, _ text: String, _ files: [OpenFile] = []) throws -> (line: JSON, files: [OpenFile]) {
    send(#"{"id":\#(id),\#(text)}"#, files)
    return try answer(id)
  }

  func code(_ id: Int?) throws -> String? { try answer(id).line["error"]?["code"]?.string }

  /// Sends nothing more.
  func closeWriting() { shutdown(stream.output.descriptor, Int32(SHUT_WR)) }

  /// Waits for the program's end.
  func end() throws -> Int32 {
    let process = try #require(process)
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
  }
}

extension OpenFile {
  /// Returns the file's bytes, from its start.
  var content: [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
    }
  }

  /// Makes memory with bytes, at its end.
  static func memory(_ bytes: [UInt8]) -> OpenFile {
    let file = OpenFile(hdr_plain_memory("test", 0))
    _ = bytes.withUnsafeBytes { write(file.descriptor, $0.baseAddress, $0.count) }
    return file
  }

  static func reading(_ path: String) throws -> OpenFile {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    try #require(number >= 0, "\(path)")
    return OpenFile(number)
  }
}
