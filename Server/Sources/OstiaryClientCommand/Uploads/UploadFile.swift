internal import Foundation
internal import OstiaryCore
internal import OstiaryPrivateFiles

/// A file to upload, as it was named on the command line.
struct UploadFile: Sendable {
  /// What the person has typed.
  let path: String
  let url: URL
  /// How many bytes it has.
  let size: Int64

  /// - Throws: ``OstiaryError`` `file_failed` for what can't be uploaded: better before a question for a password than after it.
  init(_ path: String, _ environment: CommandEnvironment) throws {
    self.path = path
    url = environment.url(path: path)
    let name = url.path(percentEncoded: false)
    guard let status = FileStatus(path: name), status.kind == .regular else {
      throw OstiaryError.file(UploadMessage.notAFile(path))
    }
    guard access(name, R_OK) == 0 else { throw OstiaryError.file(UploadMessage.unreadable(path)) }
    guard status.size > 0 else { throw OstiaryError.file(UploadMessage.empty(path)) }
    size = status.size
  }

  /// The files that are named.
  static func all(_ paths: [String], _ environment: CommandEnvironment) throws -> [UploadFile] {
    var known: Set<String> = []
    return try paths.map { path in
      let file = try UploadFile(path, environment)
      guard known.insert(file.url.standardizedFileURL.path(percentEncoded: false)).inserted else {
        throw OstiaryError.usage(UploadMessage.twice(path))
      }
      return file
    }
  }
}

extension ProfileBook {
  /// The profile named, or the current one, if it is of a kind.
  /// - Throws: ``OstiaryError``, which names the profiles that are.
  func profile(named name: String?, of kind: AuthenticatorKind) throws -> Profile {
    let profile = try profile(named: name)
    guard profile.kind != kind else { return profile }
    throw OstiaryError.usage(
      KindMessage.otherKind(
        profile: profile.name, kind: profile.kind.rawValue, wanted: kind.rawValue,
        others: profiles.filter { $0.kind == kind }.map(\.name)
      ))
  }
}
