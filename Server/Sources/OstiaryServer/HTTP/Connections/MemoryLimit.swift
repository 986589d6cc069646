import Foundation

/// How much memory there is for the process, which bounds how many connections it takes in.
///
/// Every connection may hold a header section and a body of its client's. All of them at once must leave the rest of the server, and of
/// the machine, half of the memory.
struct MemoryLimit: Sendable, Hashable {
  /// The part that connections may hold together.
  private static let part = 2

  /// The bytes that there are.
  let most: Int

  /// How many connections there is room for, where each may hold so many bytes. A server is of no use with fewer than
  /// `DescriptorLimit.fewestConnections`.
  func connections(each bytes: Int) -> Int {
    max(DescriptorLimit.fewestConnections, most / Self.part / max(bytes, 1))
  }

  /// What the machine has, or a group of processes may have (Linux's control groups, as containers and systemd use them).
  static func ofThisMachine() -> MemoryLimit {
    let physical = Int(clamping: ProcessInfo.processInfo.physicalMemory)
    #if os(Linux)
      func read(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
      let grouped = read("/proc/self/cgroup").flatMap { ofGroups($0, read: read) }
      return MemoryLimit(most: min(physical, grouped ?? physical))
    #else
      return MemoryLimit(most: physical)
    #endif
  }

  /// The smallest limit of the process's groups and those around them; nil where none has one.
  /// - Parameters:
  ///   - groups: what `/proc/self/cgroup` has (cgroups(7)): `0::/path`, or `4:memory:/path` in the first version.
  ///   - read: gives a file's content.
  static func ofGroups(_ groups: String, read: (String) -> String?) -> Int? {
    var limits: [Int] = []
    for line in groups.byteParts(at: "\n") {
      guard let (number, rest) = line.byteHalves(at: ":"), let (kinds, group) = rest.byteHalves(at: ":") else {
        continue
      }
      let place: (root: String, file: String)
      if number == "0", kinds.isEmpty {
        place = ("/sys/fs/cgroup", "memory.max")
      } else if kinds.byteParts(at: ",").contains("memory") {
        place = ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
      } else {
        continue
      }
      // A group's limit holds for all groups within it.
      var names = group.byteParts(at: "/").filter { !$0.isEmpty }.map(String.init)
      while true {
        let path = ([place.root] + names + [place.file]).joined(separator: "/")
        // “max” is no number: no limit.
        if let limit = read(path).flatMap({ Int($0.bytePrefix(before: "\n")) }), limit > 0 { limits.append(limit) }
        guard names.popLast() != nil else { break }
      }
    }
    return limits.min()
  }
}
