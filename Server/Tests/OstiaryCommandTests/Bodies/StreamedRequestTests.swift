#if os(Linux)
  import Foundation
  import NetworkTestSupport
  import OstiaryCore
  import OstiaryTesting
  import Testing

  @testable import OstiaryClientCommand

  /// `ostiary request` as a process of its own.
  @Suite("Requests that stream", .serialized, .timeLimit(.minutes(20)))
  struct StreamedRequestTests {
    /// Beyond what 32 bits count.
    private static let size = 2 << 30
    /// Of what differs from that only at one end; `make storms` takes all of it.
    private static let part =
      ProcessInfo.processInfo.environment["OSTIARY_STORMS"] == "full" ? size : 512 << 20

    private func sandbox(_ port: Int) throws -> Sandbox {
      let sandbox = try Sandbox()
      let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
      try ProfileStore(sandbox.folders).change {
        $0.put(
          Profile(
            name: "p", kind: AuthenticatorKind("http"), server: url, user: "ann", method: nil, certificateFile: nil))
      }
      return sandbox
    }

    /// The most memory that a process has had, in bytes.
    private func peak(_ process: RunningTool) throws -> Int {
      let status = try String(contentsOfFile: "/proc/\(process.identifier)/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
      return try #require(line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }) << 10
    }

    private func wait(for server: ByteServer, _ process: RunningTool) async throws {
      try await waitUntil("the whole request", within: .seconds(300)) { server.held > 0 }
    }

    /// A file with so many bytes and no blocks.
    private func sparse(_ size: Int, in sandbox: Sandbox) throws {
      let url = sandbox.folder.appending(path: "film.mp4")
      try Data().write(to: url)
      let file = try FileHandle(forWritingTo: url)
      try file.truncate(atOffset: UInt64(size))
      try file.close()
    }

    @Test(
      "A file of 2 GB goes out in little memory, and a large one in a form",
      arguments: [(["--data", "@film.mp4"], size), (["--form", "film=@film.mp4"], part)])
    func upload(options: [String], size: Int) async throws {
      let server = try await ByteServer()
      let sandbox = try sandbox(server.port)
      try sparse(size, in: sandbox)
      let process = try RunningTool(Tool.url, ["request", "/films"] + options, in: sandbox, patience: .seconds(300))
      try await wait(for: server, process)
      let most = try peak(process)
      server.goOn()
      let outcome = try await process.outcome()
      #expect(outcome.status == 0 && outcome.output == "0", "\(outcome.error)")
      #expect(server.received >= size && server.received < size + 1000)
      #expect(most < 128 << 20, "\(most >> 20) MiB")
      try await server.stop()
    }

    @Test(
      "A body of 2 GB comes in in little memory, into a file, and a large one into a pipe",
      arguments: [("--output /dev/null", size), ("| cat >/dev/null", part)])
    func download(target: String, size: Int) async throws {
      let server = try await ByteServer(sending: size)
      let sandbox = try sandbox(server.port)
      let shell = try RunningTool(
        URL(filePath: "/bin/bash"), ["-c", "set -o pipefail; \"$OSTIARY\" request /films \(target); echo done"],
        in: sandbox, variables: ["OSTIARY": try Tool.url.path(percentEncoded: false)], patience: .seconds(300))
      try await wait(for: server, shell)
      let most = try peakOfTool(in: sandbox)
      server.goOn()
      let outcome = try await shell.outcome()
      #expect(outcome.status == 0, "\(outcome.error)")
      #expect(most < 128 << 20, "\(most >> 20) MiB")
      try await server.stop()
    }

    /// The most memory of the command that runs in a sandbox.
    private func peakOfTool(in sandbox: Sandbox) throws -> Int {
      let folder = sandbox.folder.resolvingSymlinksInPath().path(percentEncoded: false)
      for name in try FileManager.default.contentsOfDirectory(atPath: "/proc") where Int(name) != nil {
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(name)/cwd")
        let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(name)/exe")
        guard let own, folder.hasPrefix(own), own.count > 5, program?.hasSuffix("/ostiary") == true else { continue }
        let status = try String(contentsOfFile: "/proc/\(name)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }) << 10
      }
      throw Tool.NotBuilt()
    }

    @Test("A reader that leaves ends it without a message, with the exit status of a broken pipe")
    func brokenPipe() async throws {
      let server = try LoopbackServer { _ in [.head(200), .repeatForever(Data("line\n".utf8))] }
      defer { server.stop() }
      let sandbox = try sandbox(server.port)
      for options in ["", "-i", "-o /dev/stdout"] {
        let shell = try RunningTool(
          URL(filePath: "/bin/bash"), ["-c", "\"$OSTIARY\" request /x \(options) | head -1; echo ${PIPESTATUS[0]}"],
          in: sandbox, variables: ["OSTIARY": try Tool.url.path(percentEncoded: false)])
        let outcome = try await shell.outcome()
        #expect(outcome.output.hasSuffix("\n141\n"), "\(outcome.output)")
        #expect(outcome.error.isEmpty, "\(outcome.error)")
      }
    }

    @Test("A process at the other end of standard input that is slow is waited for, beyond --timeout")
    func slowInput() async throws {
      let server = try await ByteServer()
      server.goOn()
      let sandbox = try sandbox(server.port)
      let process = try RunningTool(
        URL(filePath: "/bin/bash"),
        ["-c", "{ head -c 3000000 /dev/zero; sleep 4; echo end; } | \"$OSTIARY\" request /x --data @- --timeout 2"],
        in: sandbox, variables: ["OSTIARY": try Tool.url.path(percentEncoded: false)])
      let outcome = try await process.outcome()
      #expect(outcome.status == 0 && outcome.output == "0", "\(outcome.error)")
      try await server.stop()
    }
  }
#endif
