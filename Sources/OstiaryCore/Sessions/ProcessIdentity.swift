internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Names a process so that another process of the same machine can tell whether it has ended.
struct ProcessIdentity: Hashable, Sendable, Codable {
  /// The start of the machine that it runs on.
  let boot: String
  /// The space that its number belongs to: containers of one machine have process numbers of their own.
  let space: String
  /// Its number.
  let id: Int32
  /// When it began, in the kernel's own unit; empty where that can't be read. Numbers are given again to later processes.
  let start: String

  /// This process; `nil` where the system does not tell.
  static let own = ProcessIdentity(getpid())

  init(boot: String, space: String, id: Int32, start: String) {
    self.boot = boot
    self.space = space
    self.id = id
    self.start = start
  }

  /// A process of this machine; `nil` where the system does not tell.
  init?(_ id: Int32) {
    guard let boot = Uptime.ofThisMachine?.boot, let space = Self.ownSpace else { return nil }
    #if canImport(Darwin)
      self.init(boot: boot, space: space, id: id, start: "")
    #else
      guard let state = ProcessState(id) else { return nil }
      self.init(boot: boot, space: space, id: id, start: state.start)
    #endif
  }

  private static var ownSpace: String? {
    #if canImport(Darwin)
      ""
    #else
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")
    #endif
  }

  /// Whether the process has certainly ended. `false` also where this process can't tell, for example on another machine.
  var hasEnded: Bool {
    guard let own = Self.own, own.boot == boot, own.space == space else { return false }
    guard kill(id, 0) == 0 || errno != ESRCH else { return true }
    #if canImport(Darwin)
      return false
    #else
      guard let state = ProcessState(id) else { return false }
      return state.hasEnded || state.start != start
    #endif
  }
}

#if !canImport(Darwin)
  /// What Linux tells of a process (proc_pid_stat(5)).
  private struct ProcessState {
    /// Whether it has ended, though its parent has not taken note of it.
    let hasEnded: Bool
    /// When it began, in clock ticks since the machine's start.
    let start: String

    init?(_ id: Int32) {
      guard let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8) else { return nil }
      // The program's name, in parentheses, may hold anything. The state is field 3, the start field 22.
      guard let end = text.lastIndex(of: ")") else { return nil }
      let fields = text[text.index(after: end)...].split(separator: " ")
      guard fields.count > 19 else { return nil }
      hasEnded = ["Z", "X"].contains(fields[0])
      start = String(fields[19])
    }
  }
#endif
