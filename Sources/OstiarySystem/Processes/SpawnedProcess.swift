#if os(macOS) || os(Linux)
  import Foundation

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// A program that this one has started. It is waited for, so that it never stays as a zombie, and outlives this value.
  ///
  /// Not Foundation's `Process`. On Linux its `run()` copies directory entries at their largest possible size, which now and
  /// then reads past the end of mapped memory and ends the caller; it lets the program inherit which signals are held back, so
  /// that it can't be told to end; and it waits for everything the program has left running, too.
  package final class SpawnedProcess: Sendable {
    private enum State: Sendable {
      case running([CheckedContinuation<Int32, Never>])
      case ended(Int32)
    }

    /// Held while descriptors are made and programs started, so that none gets a pipe that is meant for another. It holds a
    /// value though none is needed: ThreadSanitizer takes the place of an empty one for what lies there.
    private static let starting = Locked(false)

    /// Its process id. Once it has ended, the id may be another process's: use ``signal(_:)``.
    package let identifier: Int32
    private let state = Locked(State.running([]))

    /// Starts a program. Of this process's descriptors it gets the three that are named.
    /// - Parameters:
    ///   - path: the executable, not looked for anywhere.
    ///   - arguments: those after its name.
    ///   - environment: all of its variables.
    ///   - directory: where it runs; nil: where this process does. With one, a program that can't be started ends with 126 or
    ///     127, as in a shell.
    ///   - onStop: hears, on a thread of its own, that it has been stopped by a signal.
    /// - Throws: `POSIXError`.
    package init(
      _ path: String, _ arguments: [String], environment: [String: String], directory: String? = nil,
      input: Int32, output: Int32, error: Int32, onStop: (@Sendable (Int32) -> Void)? = nil
    ) throws {
      var words = [path] + arguments
      if let directory {
        words = ["/bin/sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", directory] + words
      }
      let identifier = try Self.spawn(words, environment, [input, output, error])
      self.identifier = identifier
      // A thread, because waiting blocks one.
      Thread.detachNewThread { [state] in Self.watch(identifier, state, onStop) }
    }

    /// Whether it has not ended yet.
    package var isRunning: Bool {
      state.withLock { state in
        if case .running = state { true } else { false }
      }
    }

    /// Sends it a signal, unless it has ended.
    package func signal(_ number: Int32) {
      // Under the lock its id can't be another process's.
      state.withLock { state in
        if case .running = state { _ = kill(identifier, number) }
      }
    }

    /// Waits for its end, whether the calling task is cancelled or not.
    /// - Returns: what it ended with; for a signal 128 and its number, as shells say it.
    package func status() async -> Int32 {
      await withCheckedContinuation { continuation in
        let status: Int32? = state.withLock { state in
          switch state {
          case .ended(let status): return status
          case .running(let waiting):
            state = .running(waiting + [continuation])
            return nil
          }
        }
        if let status { continuation.resume(returning: status) }
      }
    }

    private static func watch(_ identifier: Int32, _ state: Locked<State>, _ onStop: (@Sendable (Int32) -> Void)?) {
      let stops = onStop == nil ? 0 : WUNTRACED
      while true {
        // First without taking note: from the moment that it is taken, the id is free for others.
        var information = siginfo_t()
        guard waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT | (onStop == nil ? 0 : WSTOPPED)) == 0
        else {
          if errno == EINTR { continue }
          return end(state, status: -1)
        }
        var raw: Int32 = 0
        let ending = state.withLock { state -> (Int32, [CheckedContinuation<Int32, Never>])? in
          // Stopped and gone on: nothing to take note of. Or stopped, which is no end.
          guard waitpid(identifier, &raw, WNOHANG | stops) == identifier, raw & 0xFF != 0x7F else { return nil }
          guard case .running(let waiting) = state else { return nil }
          let signal = raw & 0x7F
          let status = signal == 0 ? (raw >> 8) & 0xFF : 128 + signal
          state = .ended(status)
          return (status, waiting)
        }
        if let (status, waiting) = ending {
          for continuation in waiting { continuation.resume(returning: status) }
          return
        }
        if raw & 0xFF == 0x7F { onStop?(identifier) }
      }
    }

    /// Other code has waited for it: all that is known is that it has ended.
    private static func end(_ state: Locked<State>, status: Int32) {
      let waiting = state.withLock { state -> [CheckedContinuation<Int32, Never>] in
        guard case .running(let waiting) = state else { return [] }
        state = .ended(status)
        return waiting
      }
      for continuation in waiting { continuation.resume(returning: status) }
    }

    /// A pipe of which no program gets an end unless it is told to.
    /// - Throws: `POSIXError`.
    package static func pipe() throws -> (reading: Int32, writing: Int32) {
      var ends: [Int32] = [-1, -1]
      try starting.withLock { _ in
        #if canImport(Darwin)
          let result = Darwin.pipe(&ends)
        #elseif canImport(Glibc)
          let result = Glibc.pipe(&ends)
        #else
          let result = Musl.pipe(&ends)
        #endif
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      }
      return (ends[0], ends[1])
    }

    private static func spawn(
      _ words: [String], _ environment: [String: String], _ descriptors: [Int32]
    ) throws -> Int32 {
      #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
      #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
      #endif
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      for (target, descriptor) in descriptors.enumerated() {
        posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target))
      }
      posix_spawnattr_init(&attributes)
      defer { posix_spawnattr_destroy(&attributes) }
      // Threads of a pool hold signals back, and this process may ignore some: what it starts must not.
      var none = sigset_t()
      sigemptyset(&none)
      posix_spawnattr_setsigmask(&attributes, &none)
      var usual = sigset_t()
      sigemptyset(&usual)
      for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD] { sigaddset(&usual, signal) }
      posix_spawnattr_setsigdefault(&attributes, &usual)
      var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
      #if canImport(Darwin)
        flags |= Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
      #endif
      posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))

      let argv = words.map { strdup($0) }
      let envp = environment.map { strdup("\($0)=\($1)") }
      defer { for string in argv + envp { free(string) } }
      var identifier: pid_t = 0
      let error = starting.withLock { _ in
        #if !canImport(Darwin)
          // One that is closed meanwhile is no error.
          for descriptor in openDescriptors() where descriptor > 2 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
          }
        #endif
        return posix_spawn(&identifier, words[0], &actions, &attributes, argv + [nil], envp + [nil])
      }
      guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .ENOENT) }
      return identifier
    }

    #if !canImport(Darwin)
      /// The descriptors that this process has open.
      private static func openDescriptors() -> [Int32] {
        guard let folder = opendir("/proc/self/fd"), let offset = MemoryLayout<dirent>.offset(of: \.d_name) else {
          return []
        }
        defer { closedir(folder) }
        var found: [Int32] = []
        while let entry = readdir(folder) {
          // In place: an entry is only as long as its name, so copying a whole one reads what isn't there.
          let name = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
          if let descriptor = Int32(String(cString: name)), descriptor != dirfd(folder) { found.append(descriptor) }
        }
        return found
      }
    #endif
  }
#endif
