internal import Foundation
internal import OstiaryCore
internal import OstiaryPrivateFiles

/// Stores the profiles in a file.
struct ProfileStore: Sendable {
  private struct Envelope: Codable {
    /// The format's number. Readers refuse numbers they do not know.
    var format: Int
    var book: ProfileBook
  }

  private static let format = 1
  private static let limit = 4 * 1024 * 1024
  private let file: PrivateFile

  init(_ folders: Folders) {
    // A symbolic link to a file that is kept elsewhere, as in a folder of settings, stays one.
    file = PrivateFile(url: folders.configuration.appending(path: "profiles.json").resolvingSymlinksInPath())
  }

  /// Reads the profiles; none if there is no file.
  /// - Throws: ``OstiaryError`` `storeUnavailable`, and `storeCorrupt` for a file that can't be parsed, which stays unchanged.
  func load() throws -> ProfileBook {
    guard let data = try file.read(limit: Self.limit) else { return ProfileBook() }
    guard let envelope = try? JSONDecoder().decode(Envelope.self, from: data), envelope.format == Self.format else {
      throw OstiaryError(
        .storeCorrupt, ProfileMessage.damaged(path: file.url.path(percentEncoded: false)))
    }
    return envelope.book
  }

  /// Changes the profiles, one process at a time.
  @discardableResult
  func change(_ body: (inout ProfileBook) throws -> Void) throws -> ProfileBook {
    try file.withLock {
      let before = try load()
      var book = before
      try body(&book)
      if book != before {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try file.replace(with: try encoder.encode(Envelope(format: Self.format, book: book)))
      }
      return book
    }
  }
}
