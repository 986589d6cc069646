package import Foundation

extension Worker {
  /// The build has not put the program where it is looked for.
  package struct NotBuilt: Error, CustomStringConvertible {
    package let description: String
  }

  /// Where the build has put a program, such as that of the worker processes: beside the tests.
  package static func program(_ name: String = "SessionWorker") throws -> URL {
    var folders = [URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()]
    folders += Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
    if let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
      folders.append(URL(filePath: link).deletingLastPathComponent())
    }
    let paths = folders.map { $0.appending(path: name).path }
    guard let path = paths.first(where: FileManager.default.isExecutableFile) else {
      throw NotBuilt(description: "There is no \(name) in \(folders.map(\.path)).")
    }
    return URL(filePath: path)
  }
}
