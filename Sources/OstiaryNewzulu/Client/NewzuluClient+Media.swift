internal import OstiaryCore

extension NewzuluClient {
  /// Lists media items of the project (`media.getFiles`).
  /// - Parameter access: in whose name; by default the user's if credentials were set, otherwise the app's. What a key has no
  ///   permission for is not listed: then there are moderated items only.
  nonisolated(nonsending) public func getFiles(
    _ query: NewzuluFileQuery = NewzuluFileQuery(), as access: NewzuluAccess? = nil
  ) async throws -> NewzuluFileList {
    let result = try await call(configuration.calls.getFiles, query.arguments, as: access)
    let keys = configuration.answerKeys
    guard let items = result[keys.items]?.array, let total = result[keys.totalCount]?.looseInteger else {
      let isItems = result[keys.items]?.array == nil
      let names = MissingName(
        isItems ? keys.items : keys.totalCount, setting: isItems ? "answer.items" : "answer.totalCount", in: result,
        hiding: secrets)
      throw Self.unexpected("The server's answer is not a list of media items: \(names).", advice: MissingName.advice)
    }
    let files = items.compactMap { $0.object.flatMap { NewzuluFile($0, keys: configuration.fileKeys) } }
    guard files.count == items.count else {
      let first = items.first { $0.object.flatMap { NewzuluFile($0, keys: configuration.fileKeys) } == nil }
      let names = MissingName(configuration.fileKeys.id, setting: "file.id", in: first ?? .null, hiding: secrets)
      throw Self.unexpected(
        "The server's list has media items without an identifier: \(names).", advice: MissingName.advice)
    }
    return NewzuluFileList(totalCount: Int(clamping: total), files: files)
  }

  /// One media item (`media.getFileInfo`).
  /// - Parameter access: as for ``getFiles(_:as:)``.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `newzuluRefused` when there is none that may be seen.
  nonisolated(nonsending) public func getFileInfo(id: String, as access: NewzuluAccess? = nil) async throws
    -> NewzuluFile
  {
    try file(await call(configuration.calls.getFileInfo, [configuration.fileKeys.id: .string(id)], as: access))
  }

  func getFileInfo(id: String, of account: NewzuluAccount) async throws -> NewzuluFile {
    try file(
      await call(configuration.calls.getFileInfo, [configuration.fileKeys.id: .string(id)], as: .user, of: account))
  }

  private func file(_ result: JSONValue) throws -> NewzuluFile {
    guard let file = result.object.flatMap({ NewzuluFile($0, keys: configuration.fileKeys) }) else {
      let names = MissingName(configuration.fileKeys.id, setting: "file.id", in: result, hiding: secrets)
      throw Self.unexpected(
        "The server's answer is not a media item with an identifier: \(names).", advice: MissingName.advice)
    }
    return file
  }
}
