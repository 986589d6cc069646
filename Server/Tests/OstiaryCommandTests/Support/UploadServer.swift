#if os(Linux)
  import Foundation
  import NetworkTestSupport
  import OstiaryCore
  import Testing

  @testable import OstiaryClientCommand

  /// `ostiary serve` as a process with a Newzulu door, the way to it, and the folder that it keeps files in.
  struct UploadServer {
    static let password = "a long enough password"
    static let key = "0123456789abcdef0123456789abcdef"

    let process: RunningTool
    let proxy: CuttingProxy
    let sandbox: Sandbox

    /// Starts a server that believes to be where the proxy is.
    init(_ sandbox: Sandbox, _ proxy: CuttingProxy) async throws {
      self.sandbox = sandbox
      self.proxy = proxy
      process = try RunningTool(
        Tool.url,
        [
          "serve", "--port", "0", "--data", "data", "--dev", "--public-url", "http://127.0.0.1:\(proxy.port)",
          "--user", "ann", "--password-stdin", "--json", "--verbose", "--newzulu-tenant", "206", "--newzulu-key",
          Self.key,
        ], in: sandbox)
      process.send(Self.password)
      process.closeInput()
      let text = try await process.waitForOutput("\n}\n")
      let document = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
      proxy.lead(to: try #require(document["port"]?.double.map { Int($0) }))
    }

    /// Whether what the server has on its disk of a file is what the file has.
    func has(_ file: URL, asFile id: String) throws -> Bool {
      let folder = sandbox.folder.appending(path: "data/newzulu/\(id)")
      let parts = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)).sorted()
      let whole = try FileHandle(forReadingFrom: file)
      defer { try? whole.close() }
      for part in parts {
        let piece = try FileHandle(forReadingFrom: folder.appending(path: part))
        defer { try? piece.close() }
        while let bytes = try piece.read(upToCount: 1 << 20), !bytes.isEmpty {
          guard try whole.read(upToCount: bytes.count) == bytes else { return false }
        }
      }
      return try whole.read(upToCount: 1)?.isEmpty ?? true
    }

    /// Stops it.
    /// - Returns: how many passwords it has found right.
    func stop() async throws -> Int {
      process.signal(SIGTERM)
      let log = try await process.outcome().error
      try await proxy.stop()
      return log.split(separator: "\n").count { $0.contains("authentication accepted") }
    }

    /// Writes a file, no two blocks of which are the same.
    static func file(_ size: Int, _ name: String = "film.mp4", in sandbox: Sandbox) throws -> URL {
      let url = sandbox.folder.appending(path: name)
      try Data().write(to: url)
      let file = try FileHandle(forWritingTo: url)
      for start in stride(from: 0, to: size, by: 1 << 16) {
        let length = min(1 << 16, size - start)
        var block = Data(repeating: UInt8(truncatingIfNeeded: start >> 16), count: length)
        withUnsafeBytes(of: UInt64(start)) { block.replaceSubrange(0..<min(8, length), with: $0.prefix(length)) }
        try file.write(contentsOf: block)
      }
      try file.close()
      return url
    }
  }
#endif
