internal import Foundation
internal import OstiaryCore

/// What a file with the settings of a server says for its profile. The rest is the kind's.
struct KindConfiguration {
  /// The server's address, if the file names it.
  var server: URL?
  /// The values of options that the profile keeps, since they are a part of the account.
  var options: [String: String] = [:]
  /// Options that the file has values for. They can be left out; one on the command line counts before the file.
  var optionsInFile: Set<String> = []
}

extension Profile {
  /// The file with what the server calls things.
  var configurationURL: URL? { configurationFile.map { URL(filePath: $0) } }

  /// Checks that the file names no other server than the profile: the password goes to the profile's.
  /// - Throws: ``OstiaryError`` `invalidInput`.
  func require(sameOriginAs named: URL?) throws {
    guard let named, Origin(named) != Origin(server) else { return }
    throw OstiaryError.usage(KindMessage.otherServerInFile)
  }
}
