import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The number of files and sockets that the process may have open, and the number that it has.
///
/// libdispatch ends the process if it gets no descriptor for its own use: connections must never take the last one.
struct DescriptorLimit: Sendable, Hashable {
  /// The descriptors reserved for the database, mail, the log and the runtime.
  static let reserve = 64
  /// A connection, and the server or file that its request may open.
  static let perConnection = 2
  /// With fewer connections a server is of no use.
  static let fewestConnections = 16

  /// The most that may be open.
  let most: Int
  /// How many are open.
  let used: Int

  /// The number of connections for which there is room.
  var connections: Int { max(0, (most - used - Self.reserve) / Self.perConnection) }

  /// The problem of the limit; `nil` if a server can run.
  var problem: String? {
    guard connections < Self.fewestConnections else { return nil }
    let needed = used + Self.reserve + Self.fewestConnections * Self.perConnection
    return """
      The process may open \(most) files and sockets, and \(used) are open; the server needs \(needed). Raise the limit, with \
      ulimit -n or LimitNOFILE of systemd.
      """
  }

  /// Raises the process's limit to the maximum that the system allows, and returns the result.
  static func raised() -> DescriptorLimit {
    var limit = rlimit()
    guard getrlimit(files, &limit) == 0 else { return DescriptorLimit(most: 256, used: open()) }
    var raised = limit
    raised.rlim_cur = min(limit.rlim_max, ceiling)
    if raised.rlim_cur > limit.rlim_cur, setrlimit(files, &raised) == 0 { limit = raised }
    return DescriptorLimit(most: Int(min(limit.rlim_cur, ceiling)), used: open())
  }

  /// One server does not use more, and macOS refuses more than `OPEN_MAX`.
  #if canImport(Darwin)
    private static let ceiling = rlim_t(10_240)
  #else
    private static let ceiling = rlim_t(65_536)
  #endif

  #if canImport(Glibc)
    private static let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let files = RLIMIT_NOFILE
  #endif

  /// The number of open descriptors, including the one that counting needs.
  private static func open() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd"))?.count ?? reserve
  }
}
