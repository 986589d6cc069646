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
    FileManager.default.createFile(atPath: file.path, contents: nil)
    let whole = try FileHandle(forWritingTo: file)
    defer { try? whole.close() }
    var rest = mebibytes << 20
    while rest > 0 {
      let part = folder.appending(path: "part-\(parts.count + 1)")
      FileManager.default.createFile(atPath: part.path, contents: nil)
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
    var arguments = ["curl", "--silent", "--show-error", "--fail", "--header", "Expect:"]
    if parallel > 1 { arguments += ["--parallel", "--parallel-immediate", "--parallel-max", "\(parallel)"] }
    for (index, part) in parts.enumerated() {
      arguments += ["--upload-file", part.path, "http://127.0.0.1:\(port)/part/\(index + 1)"]
    }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BenchmarkError(message: "curl ended with \(process.terminationStatus)")
    }
  }
}

/// The sink in a process of its own, so that its memory and its time are not the client's.
final class SinkProcess {
  let port: UInt16
  private let process = Process()

  init() throws {
    let output = Pipe()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["sink"]
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = UInt16(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      process.terminate()
      throw BenchmarkError(message: "The sink did not start.")
    }
    self.port = port
  }

  func end() {
    process.terminate()
    process.waitUntilExit()
  }
}
