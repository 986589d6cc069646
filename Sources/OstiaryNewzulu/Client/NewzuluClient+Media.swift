internal import OstiaryCore

extension NewzuluClient {
  /// Lists media items of the project (`media.getFiles`).
  /// - Parameter access: in whose name; by default the user's if credentials were set, otherwise the app's. What a key has no
  ///   permission for is not listed: then there are moderated items only.
  nonisolated(nonsending) public func getFiles(
    _ query: NewzuluFileQuery = NewzuluFileQuery(), as access: NewzuluAccess? = nil
  ) async throws -> NewzuluFileList {
    let result = try await call("media.getFiles", query.arguments, as: access)
    guard let items = result["data"]?.array, let total = result["totalCount"]?.looseInteger else {
      throw Self.unexpected("The server's answer is not a list of media items.")
    }
    let files = items.compactMap { $0.object.flatMap { NewzuluFile($0) } }
    guard files.count == items.count else {
      throw Self.unexpected("The server's list has media items without an identifier.")
    }
    return NewzuluFileList(totalCount: Int(clamping: total), files: files)
  }

  /// One media item (`media.getFileInfo`).
  /// - Parameter access: as for ``getFiles(_:as:)``.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `newzuluRefused` when there is none that may be seen.
  nonisolated(nonsending) public func getFileInfo(id: String, as access: NewzuluAccess? = nil) async throws
    -> NewzuluFile
  {
    try Self.file(await call("media.getFileInfo", ["id": .string(id)], as: access))
  }

  func getFileInfo(id: String, of account: NewzuluAccount) async throws -> NewzuluFile {
    try Self.file(await call("media.getFileInfo", ["id": .string(id)], as: .user, of: account))
  }

  private static func file(_ result: JSONValue) throws -> NewzuluFile {
    guard let file = result.object.flatMap({ NewzuluFile($0) }) else {
      throw unexpected("The server's answer is not a media item with an identifier.")
    }
    return file
  }
}
