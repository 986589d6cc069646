import Foundation
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// A process with a session. It is killed when the value is gone.
final class WorkerProcess: Sendable {
  /// It has ended before it answered.
  struct Ended: Error {}

  /// What could not be done to start it.
  struct NotStarted: Error, CustomStringConvertible {
    let description: String
  }

  private typealias Waiter = CheckedContinuation<WorkerAnswer, any Error>

  private struct State: Sendable {
    var hasEnded = false
    /// Those who wait for an answer, first come, first served.
    var waiters: [Waiter] = []
  }

  private let process: ChildProcess
  private let input: CInt
  private let state = Locked(State())

  /// Starts one.
  /// - Parameter onStop: hears that the process has been stopped.
  init(_ settings: WorkerSettings, onStop: @escaping @Sendable (pid_t) -> Void = { _ in }) throws {
    let program = try Worker.program()
    let (input, childInput) = try Self.sockets()
    let (output, childOutput) = try Self.sockets()
    defer {
      close(childInput)
      close(childOutput)
    }
    self.input = input
    do {
      process = try ChildProcess(
        program, input: .descriptor(childInput), output: .descriptor(childOutput),
        error: .descriptor(STDERR_FILENO), onStop: onStop)
    } catch {
      close(input)
      close(output)
      throw error
    }
    // A thread, because the call blocks.
    Thread.detachNewThread { [state] in Self.hear(output, state) }
    try write(settings)
  }

  deinit {
    // Its end closes the pipes, and that ends the thread.
    process.kill()
    close(input)
  }

  var pid: pid_t { process.identifier }

  /// Tells it to do something and waits for its answer.
  /// - Throws: ``Ended``.
  func tell(_ command: WorkerCommand) async throws -> WorkerAnswer {
    // One that gives no answer is ended, and its end is the answer.
    let patience = Task { [process] in
      try await Task.sleep(for: .seconds(300))
      Issue.record("a worker has not answered within five minutes: \(command)")
      process.kill()
    }
    defer { patience.cancel() }
    return try await withCheckedThrowingContinuation { continuation in
      let hasEnded = state.withLock { state in
        if !state.hasEnded { state.waiters.append(continuation) }
        return state.hasEnded
      }
      guard !hasEnded else { return continuation.resume(throwing: Ended()) }
      // Where it has ended meanwhile, the end of its output says so.
      try? write(command)
    }
  }

  /// Sends it a signal, if it is there.
  func signal(_ number: CInt) {
    process.signal(number)
  }

  private func write(_ message: some Encodable) throws {
    guard SocketWriter.write(try JSONEncoder().encode(message) + [0x0A], to: input) else { throw Ended() }
  }

  // MARK: The process

  private static func sockets() throws -> (CInt, CInt) {
    var ends: [CInt] = [-1, -1]
    #if canImport(Glibc)
      // At once, so that no process that is started meanwhile gets them.
      let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #elseif canImport(Musl)
      let type = SOCK_STREAM | SOCK_CLOEXEC
    #else
      let type = SOCK_STREAM
    #endif
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw NotStarted(description: "There are no sockets: \(errno).")
    }
    #if canImport(Darwin)
      var isOn: CInt = 1
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        setsockopt(end, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<CInt>.size))
      }
    #endif
    return (ends[0], ends[1])
  }

  /// Hands answers on until there are no more.
  private static func hear(_ descriptor: CInt, _ state: Locked<State>) {
    var bytes = [UInt8](repeating: 0, count: 64 * 1024)
    var unread = Data()
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      unread.append(contentsOf: bytes[..<count])
      while let end = unread.firstIndex(of: 0x0A) {
        let answer = Result { try JSONDecoder().decode(WorkerAnswer.self, from: unread[..<end]) }
        unread = Data(unread[(end + 1)...])
        state.withLock { $0.waiters.isEmpty ? nil : $0.waiters.removeFirst() }?.resume(with: answer)
      }
    }
    close(descriptor)
    let waiters = state.withLock { state in
      state.hasEnded = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume(throwing: Ended()) }
  }
}
