import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// Starts programs.
enum Spawn {
  #if canImport(Darwin)
    typealias FileActions = posix_spawn_file_actions_t?
  #else
    typealias FileActions = posix_spawn_file_actions_t
  #endif

  /// Starts a program that takes signals, with this process's environment.
  /// - Parameters:
  ///   - environment: variables besides, or instead.
  ///   - connect: says what its descriptors are.
  /// - Returns: its id, and the error number of starting it, 0 for none.
  static func start(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
    connect: (inout FileActions) -> Void
  ) -> (pid: pid_t, error: CInt) {
    #if canImport(Darwin)
      var actions: FileActions = nil
      var attributes: posix_spawnattr_t?
    #else
      var actions = FileActions()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    connect(&actions)

    // Threads of the runtime hold signals back, and what is started would, too: it could not be ended.
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
    let argv = ([program] + arguments).map { strdup($0) }
    let envp = variables.map { strdup($0) }
    defer { for string in argv + envp { free(string) } }
    var pid: pid_t = 0
    let error = posix_spawn(&pid, program, &actions, &attributes, argv + [nil], envp + [nil])
    return (pid, error)
  }
}
