internal import ArgumentParser
internal import Foundation

/// Where the server's data is.
struct DataOptions: ParsableArguments {
  @Option(
    help: "The folder with the server's data. (default: `server` in the platform's data folder)",
    completion: .directory)
  var data: String?

  /// The folder, which need not exist.
  func folder(_ environment: CommandEnvironment, _ folders: Folders) -> URL {
    data.map { environment.url(path: $0, isFolder: true) } ?? folders.serverData
  }
}
