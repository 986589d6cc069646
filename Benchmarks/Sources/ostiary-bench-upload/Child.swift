import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program that runs beside this one, and ends with it.
///
/// Not Foundation's `Process`: on Linux it lets the program inherit that signals are held back, and waiting for its end
/// away from the main thread keeps a processor busy.
struct Child {
  #if canImport(Darwin)
    private typealias FileActions = posix_spawn_file_actions_t?
  #else
    private typealias FileActions = posix_spawn_file_actions_t
  #endif

  private let pid: pid_t
  /// Its end tells the program to end.
  private let input: FileHandle
  private let output: FileHandle

  /// Starts a program that is found as a shell would.
  init(_ arguments: [String]) throws {
    let (input, output) = (Pipe(), Pipe())
    // The program must not hold the pipe open whose end it waits for.
    for pipe in [input, output] {
      for handle in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
        _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
      }
    }
    #if canImport(Darwin)
      var actions: FileActions = nil
      var attributes: posix_spawnattr_t?
    #else
      var actions = FileActions()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input.fileHandleForReading.fileDescriptor, 0)
    posix_spawn_file_actions_adddup2(&actions, output.fileHandleForWriting.fileDescriptor, 1)
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    let argv = arguments.map { strdup($0) }
    let envp = ProcessInfo.processInfo.environment.map { strdup("\($0)=\($1)") }
    defer { for string in argv + envp { free(string) } }
    var pid: pid_t = 0
    let error = posix_spawnp(&pid, arguments[0], &actions, &attributes, argv + [nil], envp + [nil])
    guard error == 0 else {
      throw BenchmarkError(message: "\(arguments[0]) can't be started: \(String(cString: strerror(error)))")
    }
    self.pid = pid
    self.input = input.fileHandleForWriting
    self.output = output.fileHandleForReading
    try? input.fileHandleForReading.close()
    try? output.fileHandleForWriting.close()
  }

  /// What the program has written so far, once it has written something.
  func read() -> String { String(decoding: output.availableData, as: UTF8.self) }

  /// Tells the program to end, and waits until it has.
  /// - Returns: how it ended, 0 for well.
  func end() throws -> Int32 {
    try input.close()
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 {
      guard errno == EINTR else { throw BenchmarkError(message: String(cString: strerror(errno))) }
    }
    return status
  }
}
