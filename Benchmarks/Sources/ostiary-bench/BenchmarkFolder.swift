import Foundation

struct BenchmarkError: Error, CustomStringConvertible {
  let message: String
  var description: String { message }
}

/// A folder that is removed when it is no longer used.
final class BenchmarkFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "ostiary-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// Whether what is written there gets to no disk, so that waiting for one takes no time.
  var isInMemory: Bool {
    #if os(Linux)
      let mounts = (try? String(contentsOfFile: "/proc/mounts", encoding: .utf8)) ?? ""
      let path = url.resolvingSymlinksInPath().path + "/"
      var here: (point: Substring, type: Substring) = ("", "")
      for line in mounts.split(separator: "\n") {
        // Device, mount point, type and more.
        let words = line.split(separator: " ")
        guard words.count > 2, words[1].count > here.point.count else { continue }
        let point = String(words[1])
        if point == "/" || path.hasPrefix(point + "/") { here = (words[1], words[2]) }
      }
      return here.type == "tmpfs" || here.type == "ramfs"
    #else
      return false
    #endif
  }
}
