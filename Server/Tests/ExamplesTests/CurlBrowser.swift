import Foundation
import OstiaryTesting

/// curl in the place of the user's browser: it follows a server to the program's own port, as a browser does.
enum CurlBrowser {
  /// The program; nil where it isn't installed.
  static let program = ["/usr/bin/curl", "/bin/curl", "/usr/local/bin/curl"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }
  static let absence = "curl, which stands for a browser here, is not installed."

  /// Makes it what opens a page.
  /// - Parameter folder: where the commands are written that do so.
  /// - Returns: the variables with which a program finds it.
  static func environment(in folder: URL, _ program: String) async throws -> [String: String] {
    let programs = folder.appending(path: "bin")
    try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
    for name in ["xdg-open", "open"] {
      try await ChildProcess.writeScript(
        "#!/bin/sh\nexec \(program) -s -L -o /dev/null --noproxy '*' -- \"$1\"\n", to: programs.appending(path: name))
    }
    let usual = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return ["PATH": programs.path(percentEncoded: false) + ":" + usual]
  }
}
