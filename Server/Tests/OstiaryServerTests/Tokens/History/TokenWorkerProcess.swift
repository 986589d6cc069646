import Foundation
import OstiaryCore
import OstiaryTesting
import TokenTestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// A token core in a process of its own. It is killed when the value is gone.
final class TokenWorkerProcess: Sendable {
  /// What could not be done to start it.
  struct NotStarted: Error, CustomStringConvertible {
    let description: String
  }

  private struct State: Sendable {
    var hasEnded = false
    var waiters: [Int: CheckedContinuation<TokenAnswer?, Never>] = [:]
  }

  private let process: ChildProcess
  private let socket: CInt
  private let state = Locked(State())

  init(folder: URL, clientID: String) throws {
    let program = try Self.program()
    var ends: [CInt] = [-1, -1]
    #if canImport(Glibc)
      let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #elseif canImport(Musl)
      let type = SOCK_STREAM | SOCK_CLOEXEC
    #else
      let type = SOCK_STREAM
    #endif
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw NotStarted(description: "There are no sockets.") }
    #if canImport(Darwin)
      var isOn: CInt = 1
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        setsockopt(end, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<CInt>.size))
      }
    #endif
    defer { close(ends[1]) }
    socket = ends[0]
    do {
      process = try ChildProcess(
        program, [folder.path(percentEncoded: false), clientID], input: .descriptor(ends[1]),
        output: .descriptor(ends[1]), error: .descriptor(STDERR_FILENO))
    } catch {
      close(ends[0])
      throw error
    }
    // A thread, because the call blocks.
    Thread.detachNewThread { [state, socket] in Self.hear(socket, state) }
  }

  deinit {
    // Its end ends the thread, which closes the socket.
    process.kill()
  }

  /// Ends it in the middle of whatever it does.
  func kill() async {
    process.kill()
    _ = await process.status()
  }

  /// Tells it to do something and waits for its answer; nothing if it ends before that.
  func tell(_ command: TokenCommand) async -> TokenAnswer? {
    guard let data = try? JSONEncoder().encode(command) else { return nil }
    return await withCheckedContinuation { continuation in
      let hasEnded = state.withLock { state in
        if !state.hasEnded {
          state.waiters[command.id] = continuation
          // Within the lock, so that lines don't mix and the socket isn't somebody else's meanwhile. Where the process
          // has ended, the end of its output says so.
          Self.write(data + [0x0A], to: socket)
        }
        return state.hasEnded
      }
      if hasEnded { continuation.resume(returning: nil) }
    }
  }

  private static func write(_ data: Data, to socket: CInt) {
    #if canImport(Darwin)
      let flags: CInt = 0
    #else
      let flags = CInt(MSG_NOSIGNAL)
    #endif
    var rest = data[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, flags) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Hands answers on until there are no more.
  private static func hear(_ socket: CInt, _ state: Locked<State>) {
    var bytes = [UInt8](repeating: 0, count: 64 * 1024)
    var unread: [UInt8] = []
    while true {
      let count = read(socket, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      unread += bytes[..<count]
      while let end = unread.firstIndex(of: 0x0A) {
        let line = Data(unread[..<end])
        unread.removeFirst(end + 1)
        guard let answer = try? JSONDecoder().decode(TokenAnswer.self, from: line) else { continue }
        state.withLock { $0.waiters.removeValue(forKey: answer.id) }?.resume(returning: answer)
      }
    }
    let waiters = state.withLock { state in
      state.hasEnded = true
      close(socket)
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume(returning: nil) }
  }

  /// Where the build has put it: beside the tests.
  private static func program() throws -> URL {
    var folders = [URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()]
    folders += Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
    if let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
      folders.append(URL(filePath: link).deletingLastPathComponent())
    }
    let files = folders.map { $0.appending(path: "TokenWorker") }
    guard let file = files.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
      throw NotStarted(description: "There is no TokenWorker in \(folders.map(\.path)).")
    }
    return file
  }
}
