internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A shell's command that is run to its end for what it prints. It shares the terminal, so that it can ask the user.
///
/// Not Foundation's `Process`, which puts the program into a process group of its own; there it can't read from the terminal.
struct ChildCommand: Sendable {
  /// The text, as it is typed into a shell.
  let text: String
  /// All of its variables.
  let variables: [String: String]
  /// How long it may take.
  var patience = Duration.seconds(300)
  /// The most output that is kept, in bytes.
  var limit = StandardInput.passwordLimit + 1

  /// How it ended.
  enum Ending: Sendable, Equatable {
    /// It ended by itself; for a signal 128 and its number, as shells say it.
    case ended(status: Int32, output: Data)
    case notStarted(errno: Int32)
    case tooSlow
  }

  func run() async -> Ending {
    await withCheckedContinuation { continuation in
      // Waiting blocks, so it has a thread of its own.
      Thread.detachNewThread { continuation.resume(returning: runBlocking()) }
    }
  }

  private func runBlocking() -> Ending {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return .notStarted(errno: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (identifier, number) = spawn(output: ends[1])
    close(ends[1])
    defer { close(ends[0]) }
    guard number == 0 else { return .notStarted(errno: number) }
    let (output, isOver) = read(ends[0], until: ContinuousClock.now + patience)
    // Its output is not read any more: no program that ignores another signal can delay the command.
    if !isOver { kill(identifier, SIGKILL) }
    var raw: Int32 = 0
    while waitpid(identifier, &raw, 0) < 0, errno == EINTR {}
    guard isOver else { return .tooSlow }
    let signal = raw & 0x7F
    return .ended(status: signal == 0 ? (raw >> 8) & 0xFF : 128 + signal, output: output)
  }

  /// Reads to the end of the output.
  private func read(_ descriptor: Int32, until end: ContinuousClock.Instant) -> (output: Data, isOver: Bool) {
    var output = Data()
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let (seconds, attoseconds) = (end - ContinuousClock.now).components
      let rest = max(0, min(seconds, 86_400) * 1000 + attoseconds / 1_000_000_000_000_000)
      guard rest > 0 else { return (output, false) }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, Int32(rest)) > 0 else { continue }
      let count = systemRead(descriptor, &buffer, buffer.count)
      if count == 0 { return (output, true) }
      if count < 0 {
        if errno == EINTR || errno == EAGAIN { continue }
        return (output, true)
      }
      if output.count < limit { output.append(contentsOf: buffer.prefix(min(count, limit - output.count))) }
    }
  }

  private func spawn(output: Int32) -> (identifier: pid_t, errno: Int32) {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Threads of a pool hold signals back, and this process ignores some: what it starts must not.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var usual = sigset_t()
    sigemptyset(&usual)
    for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCHLD] { sigaddset(&usual, signal) }
    posix_spawnattr_setsigdefault(&attributes, &usual)
    let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
    posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))
    let words = ["/bin/sh", "-c", text]
    let argv = words.map { strdup($0) }
    let envp = variables.map { strdup("\($0)=\($1)") }
    defer { for string in argv + envp { free(string) } }
    var identifier: pid_t = 0
    let number = posix_spawn(&identifier, "/bin/sh", &actions, &attributes, argv + [nil], envp + [nil])
    return (identifier, number)
  }
}

/// `read(2)`, under a name that no method hides.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}
