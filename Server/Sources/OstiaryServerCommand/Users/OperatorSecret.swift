internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryPrivateFiles

/// A file with a secret that the server's operator names: other users must not be able to read it.
struct OperatorSecret: Sendable {
  let url: URL
  let environment: CommandEnvironment

  /// Why it can't be used.
  enum Failure: Error {
    case unreadable, openToOthers, empty
  }

  private static let sizeLimit = 64 << 10

  /// Its text, without the line end that editors add.
  func text() throws(Failure) -> String {
    let file = PrivateFile(url: url)
    guard environment.isCredential(url) || (try? file.isOpenToOthers()) != true else { throw .openToOthers }
    guard let data = try? file.read(limit: Self.sizeLimit), let text = String(validating: data, as: UTF8.self) else {
      throw .unreadable
    }
    let trimmed = text.trimmingCharacters(in: .newlines)
    guard !trimmed.isEmpty else { throw .empty }
    return trimmed
  }

  /// Its lines; those that are empty or begin with # are left out.
  func lines() throws(Failure) -> [String] {
    let lines = try text().split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("#") }
    guard !lines.isEmpty else { throw .empty }
    return lines
  }
}
