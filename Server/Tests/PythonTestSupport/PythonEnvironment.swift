public import Foundation
import OstiaryTesting

/// A Python with programs that others wrote, in the build folder: made once, by the first test that wants it.
public actor PythonEnvironment {
  /// How long installing may take.
  private static let patience = Duration.seconds(180)

  private let folder: URL
  private let packages: [String]
  private var attempt: Task<URL?, Never>?

  /// - Parameters:
  ///   - name: Its folder's.
  ///   - packages: What is installed, from whichever registry pip is set up for.
  public init(name: String, packages: [String]) {
    folder = Self.folder.appending(path: name)
    self.packages = packages
  }

  /// The interpreter; nil where there is no Python, no `venv`, or no registry that can be reached.
  public func interpreter() async -> URL? {
    if let attempt { return await attempt.value }
    let made = Task { await make() }
    attempt = made
    return await made.value
  }

  /// The folder beside the test bundle, where everything else is built.
  private static var folder: URL {
    let bundle = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
    let start = bundle ?? URL(filePath: ProcessInfo.processInfo.arguments[0])
    return start.deletingLastPathComponent()
  }

  private func make() async -> URL? {
    let interpreter = folder.appending(path: "bin/python")
    let mark = folder.appending(path: "complete")
    if (try? String(contentsOf: mark, encoding: .utf8)) == packages.joined(separator: "\n") { return interpreter }
    try? FileManager.default.removeItem(at: folder)
    let path = folder.path(percentEncoded: false)
    guard let python = ChildProcess.find("python3"), await Self.run(python, ["-m", "venv", path]),
      await Self.run(interpreter, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"] + packages)
    else { return nil }
    try? packages.joined(separator: "\n").write(to: mark, atomically: true, encoding: .utf8)
    return interpreter
  }

  /// Whether a program ended well, in time.
  private static func run(_ program: URL, _ arguments: [String]) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      group.addTask { (try? await ChildProcess.run(program, arguments))?.status == 0 }
      group.addTask {
        try? await Task.sleep(for: patience)
        return false
      }
      defer { group.cancelAll() }
      return await group.next() ?? false
    }
  }
}
