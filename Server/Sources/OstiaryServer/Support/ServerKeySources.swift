package import Foundation
import OstiaryCore
import OstiaryPrivateFiles

/// The places that may have the server's key.
///
/// The first that has it gives it: a file that the operator names, the variable `OSTIARY_KEY`, the credential `ostiary.key` of
/// systemd, and the file in the data folder. The last is made where no place has a key. Places that have different keys are an
/// error: the server can't tell which one is meant, and a key that is not the database's opens nothing in it.
package struct ServerKeySources: Sendable {
  /// The variable with the key.
  package static let variable = "OSTIARY_KEY"
  /// systemd's folder with the credentials of a service (systemd.exec(5)).
  private static let credentials = "CREDENTIALS_DIRECTORY"
  /// A key has 43 bytes.
  private static let sizeLimit = 1024

  /// The file that the operator names.
  package let file: URL?
  /// A key that was read before.
  private var known: ServerKey?
  private let variables: [String: String]
  /// Whether the database takes this key in place of the one that it was used with.
  package var replacesKeyOfDatabase = false

  /// - Parameters:
  ///   - file: The file that the operator names.
  ///   - variables: The environment. Without it the data folder alone has the key.
  package init(file: URL? = nil, variables: [String: String] = [:]) {
    self.file = file
    self.variables = variables
  }

  /// A key that was read before. No other place is asked for one.
  init(_ key: ServerKey) {
    self.init()
    known = key
  }

  /// The key of a server whose data is in a folder.
  /// - Throws: `serverKeyMissing`, `serverKeyRefused`, `serverKeysDiffer`, and what the folder's own file throws.
  func load(from folder: URL) throws(ServerError) -> ServerKey {
    guard let key = try given(folder) else { return try .load(from: folder) }
    return key
  }

  /// The same key; nil where no place has one. None is made.
  func existing(for folder: URL) throws(ServerError) -> ServerKey? {
    if let key = try given(folder) { return key }
    return try read(folder.appendingPathComponent(ServerKey.fileName), isPrivate: true)
  }

  /// The key of the file that is named.
  /// - Throws: `serverKeyMissing`, `serverKeyRefused`.
  func given() throws(ServerError) -> ServerKey {
    guard let key = try fromFile() else {
      throw ServerError(.serverKeyMissing, "No key file is named.", advice: "Name one.")
    }
    return key
  }

  /// The key of the places other than the folder; nil if none has it.
  private func given(_ folder: URL) throws(ServerError) -> ServerKey? {
    let given = try [known, fromFile(), fromVariable(), fromCredential()].compactMap { $0 }
    guard let key = given.first else { return nil }
    // The folder's file counts too: a server whose key was moved must not go on with another one unnoticed.
    let own = try read(folder.appendingPathComponent(ServerKey.fileName), isPrivate: true)
    for other in given.dropFirst() + [own].compactMap({ $0 }) where !key.isSame(as: other) {
      throw ServerError(
        .serverKeysDiffer, "\(key.place) and \(other.place) have different keys.",
        advice: "Keep the key that the database was first used with, and take the other one away.")
    }
    return key
  }

  private func fromFile() throws(ServerError) -> ServerKey? {
    guard let file else { return nil }
    // Rights for the service's user show as rights of the group there; the folder keeps other users out.
    let isCredential = variables[Self.credentials].map { file.path.hasPrefix($0 + "/") } ?? false
    guard let key = try read(file, isPrivate: !isCredential) else {
      throw ServerError(
        .serverKeyMissing, "There is no key file \(file.path).",
        advice: "Check the path, or make a key with `ostiary key new \(file.path.shellWord)`.")
    }
    return key
  }

  private func fromVariable() throws(ServerError) -> ServerKey? {
    guard let text = variables[Self.variable] else { return nil }
    guard let key = ServerKey(text: text, place: Self.variable) else { throw Self.refused(Self.variable) }
    return key
  }

  private func fromCredential() throws(ServerError) -> ServerKey? {
    guard let folder = variables[Self.credentials], folder.hasPrefix("/") else { return nil }
    return try read(
      URL(filePath: folder, directoryHint: .isDirectory).appendingPathComponent(ServerKey.fileName), isPrivate: false)
  }

  /// - Parameter isPrivate: Whether other users must not have access.
  /// - Returns: nil if there is no file.
  private func read(_ url: URL, isPrivate: Bool) throws(ServerError) -> ServerKey? {
    let file = PrivateFile(url: url)
    let data: Data?
    let isOpen: Bool
    do {
      isOpen = try isPrivate && file.isOpenToOthers()
      data = try file.read(limit: Self.sizeLimit)
    } catch {
      throw ServerError(
        .serverKeyRefused, "The key file \(url.path) can't be read.", advice: "Check who owns it, and what it is.",
        underlying: error)
    }
    guard let data else { return nil }
    guard !isOpen else {
      throw ServerError(
        .serverKeyRefused, "Others may read the key file \(url.path).",
        advice: "Run chmod 600 \(url.path.shellWord); make a new key if another user may have read it.")
    }
    guard let key = ServerKey(text: String(decoding: data, as: UTF8.self), place: url.path) else {
      throw Self.refused(url.path)
    }
    return key.read(from: url, isPrivate: isPrivate)
  }

  private static func refused(_ place: String) -> ServerError {
    ServerError(
      .serverKeyRefused, "\(place) has no key in it.",
      advice: "A key is 32 bytes in base64url; `ostiary key new FILE` makes one.")
  }
}

extension ServerKeySources {
  /// Makes a file with a new key (mode 0600).
  /// - Returns: Whether it was made. An existing file stays as it is.
  package static func makeFile(at url: URL) throws -> Bool {
    try PrivateFile(url: url).make(with: Data((ServerKey.newText() + "\n").utf8))
  }
}

extension ServerError.Code {
  /// A key file that the operator names does not exist.
  package static let serverKeyMissing = Self("server_key_missing")
  /// What should be a key is none, or others may read it.
  package static let serverKeyRefused = Self("server_key_refused")
  /// Two places have different keys.
  package static let serverKeysDiffer = Self("server_keys_differ")
  /// The key is not the one that the database was first used with.
  package static let serverKeyIsAnother = Self("server_key_is_another")
}
