internal import Foundation
internal import OstiaryExperiences

/// A document of an experience named on the command line.
struct ExperienceFile: Sendable {
  /// Its name on the command line.
  let name: String
  /// Its bytes: no more than a document may have, and one, which shows that there are too many.
  let json: Data

  /// Reads a file, or standard input for `-`.
  /// - Throws: ``OstiaryError`` if it can't be read.
  init(_ path: String, _ environment: CommandEnvironment) throws {
    let file = try DocumentFile(path, limit: ExperienceLimits.standard.bytes, environment)
    name = file.name
    json = file.data
  }
}
