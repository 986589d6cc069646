import Foundation

/// What is uploaded: a file, and the same bytes cut into parts.
struct Material {
  let file: URL
  let parts: [URL]

  init(mebibytes: Int, partSize: Int, in folder: URL) throws {
    file = folder.appending(path: "upload.mp4")
    var generator = SystemRandomNumberGenerator()
    let block = Data((0..<1 << 17).flatMap { _ in withUnsafeBytes(of: generator.next() as UInt64) { Array($0) } })
    var parts: [URL] = []
    try Data().write(to: file)
    let whole = try FileHandle(forWritingTo: file)
    defer { try? whole.close() }
    var rest = mebibytes << 20
    while rest > 0 {
      let part = folder.appending(path: "part-\(parts.count + 1)")
      try Data().write(to: part)
      let handle = try FileHandle(forWritingTo: part)
      defer { try? handle.close() }
      var room = min(rest, partSize)
      rest -= room
      while room > 0 {
        let piece = block.prefix(room)
        try handle.write(contentsOf: piece)
        try whole.write(contentsOf: piece)
        room -= piece.count
      }
      parts.append(part)
    }
    self.parts = parts
  }
}

/// curl, which is what there is to be as fast as.
enum Curl {
  static func upload(_ parts: [URL], to port: UInt16, parallel: Int) throws {
    // Without Expect, which would cost it a round trip for each part.
    var arguments = ["curl", "--no-progress-meter", "--fail", "--output", "/dev/null", "--header", "Expect:"]
    if parallel > 1 { arguments += ["--parallel", "--parallel-immediate", "--parallel-max", "\(parallel)"] }
    for (index, part) in parts.enumerated() {
      arguments += ["--upload-file", part.path, "http://127.0.0.1:\(port)/part/\(index + 1)"]
    }
    let status = try Child(arguments).end()
    guard status == 0 else { throw BenchmarkError(message: "curl ended with \(status)") }
  }
}

/// The sink in a process of its own, so that its memory and its time are not the client's.
struct SinkProcess {
  let port: UInt16
  private let process: Child

  init() throws {
    process = try Child([URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path, "sink"])
    guard let port = UInt16(process.read().trimmingCharacters(in: .whitespacesAndNewlines)) else {
      _ = try process.end()
      throw BenchmarkError(message: "The sink did not start.")
    }
    self.port = port
  }

  func end() { _ = try? process.end() }
}
