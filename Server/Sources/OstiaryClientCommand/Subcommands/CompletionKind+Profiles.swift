internal import ArgumentParser

extension CompletionKind {
  /// The names of the profiles that there are.
  static var profiles: CompletionKind {
    .custom { _, _, _ in
      guard let folders = try? Folders(.current), let book = try? ProfileStore(folders).load() else { return [] }
      return book.profiles.map(\.name)
    }
  }
}
