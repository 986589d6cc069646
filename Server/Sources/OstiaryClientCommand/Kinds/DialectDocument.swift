internal import Foundation
internal import OstiaryCore
internal import OstiaryDialect

/// The document of a dialect that a command line or a profile names: one that comes with the command, or a file.
struct DialectDocument: Sendable {
  /// The most bytes of a document.
  static let limit = 64 * 1024

  /// Its name, or the file's as it was written.
  let name: String
  /// The document.
  let json: Data
  /// Where the file is, as an absolute path; nil for one that comes with the command.
  let path: String?

  /// What a profile keeps of it: the name, or the path.
  var reference: String { path ?? name }

  /// The SHA-256 of the document, in hexadecimal digits.
  var digest: String { json.sha256 }

  /// Finds it. A word with a slash or a dot is a file's name.
  /// - Throws: ``OstiaryError`` where there is none.
  init(_ named: String, _ environment: CommandEnvironment) throws {
    let isPath = named.contains("/") || named.contains(".") || named == "-"
    if !isPath, let shipped = ShippedDialects.named(named) {
      name = named
      json = Data(shipped.json.utf8)
      path = nil
      return
    }
    let file = environment.url(path: named).path(percentEncoded: false)
    guard isPath || FileManager.default.fileExists(atPath: file) else {
      throw OstiaryError.usage(DialectMessage.unknown(named))
    }
    // Not each command that names a dialect takes one from standard input.
    guard named == "-" || FileManager.default.fileExists(atPath: file) else {
      throw OstiaryError.file(FileMessage.missing(named.withoutUserInformation))
    }
    let document = try DocumentFile(named, limit: Self.limit, environment)
    name = document.name
    json = document.data
    path = document.path
  }

  /// The dialect.
  /// - Throws: ``OstiaryError`` `invalidInput` with the first problem.
  func dialect() throws -> Dialect {
    do {
      return try Dialect(json: json)
    } catch {
      let first = error.problems.first
      throw OstiaryError.usage(
        DialectMessage.unusable(
          name, place: first?.place ?? "", problem: first?.message ?? "", others: error.problems.count - 1))
    }
  }
}

extension OstiaryError.Code {
  /// The file of a profile's dialect is another than the one that the profile was made with.
  static let dialectChanged = Self("dialect_changed")
}
