public import Foundation
import OstiaryCore
import OstiaryTesting

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// A program of the tests in a process of its own, which reads and writes lines. It is killed when the value is gone.
public final class LineProcess: Sendable {
  /// What could not be done to start it.
  public struct NotStarted: Error, CustomStringConvertible {
    public let description: String
  }

  private let process: ChildProcess
  /// The socket, until it is closed.
  private let socket: Locked<CInt?>

  /// Starts a program that the build has put beside the tests.
  /// - Parameters:
  ///   - hear: hears what it writes, line by line, on a thread of its own; at the end nil.
  ///   - path: where the program is, if not there.
  public init(
    _ name: String, _ arguments: [String], at path: URL? = nil, hear: @escaping @Sendable (Data?) -> Void
  ) throws {
    let program = try path ?? Self.program(name)
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
    socket = Locked(ends[0])
    do {
      process = try ChildProcess(
        program, arguments, input: .descriptor(ends[1]), output: .descriptor(ends[1]), error: .descriptor(STDERR_FILENO)
      )
    } catch {
      close(ends[0])
      throw error
    }
    // A thread, because reading blocks.
    Thread.detachNewThread { [socket, end = ends[0]] in
      Self.read(end, hear)
      // Within the lock, so that the number isn't another process's while a line is written.
      socket.withLock { socket in
        close(end)
        socket = nil
      }
      hear(nil)
    }
  }

  deinit {
    // Its end ends the thread, which closes the socket.
    process.kill()
  }

  /// Writes a line for it, unless it has ended.
  public func write(_ line: Data) {
    socket.withLock { socket in
      // Within the lock, so that lines don't mix. Where the process has ended, the end of its output says so.
      if let socket { Self.write(line + [0x0A], to: socket) }
    }
  }

  /// Ends it in the middle of its work, without waiting for that.
  public func killAtOnce() { process.kill() }

  /// Ends it in the middle of its work.
  public func kill() async {
    process.kill()
    _ = await process.status()
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

  private static func read(_ socket: CInt, _ hear: (Data?) -> Void) {
    var bytes = [UInt8](repeating: 0, count: 64 * 1024)
    var unread: [UInt8] = []
    while true {
      let count = recv(socket, &bytes, bytes.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      unread += bytes[..<count]
      while let end = unread.firstIndex(of: 0x0A) {
        hear(Data(unread[..<end]))
        unread.removeFirst(end + 1)
      }
    }
  }

  public static func program(_ name: String) throws -> URL {
    var folders = [URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()]
    folders += Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
    if let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
      folders.append(URL(filePath: link).deletingLastPathComponent())
    }
    let files = folders.map { $0.appending(path: name) }
    guard let file = files.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
      throw NotStarted(description: "There is no \(name) in \(folders.map(\.path)).")
    }
    return file
  }
}
