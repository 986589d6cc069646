internal import Foundation
public import OstiaryCore

extension NewzuluClient {
  /// Uploads a media item, in parts.
  ///
  /// Parts that fail for a reason that may pass are sent again, and only they. A file of any size takes the memory of the
  /// few parts that are under way. To go on after a failure, a cancellation or the end of the process, call this again with
  /// the same file and journal, or with the last progress's state: only what is missing is sent.
  /// - Parameters:
  ///   - upload: what to upload.
  ///   - state: how far an earlier attempt has come. One that is of another account or of another version of the file is left
  ///     alone, and the upload begins anew.
  ///   - journal: where to keep how far it has come, for files; it is removed when the upload is complete.
  ///   - onProgress: is called with each part that the server has, in order.
  /// - Returns: the media item.
  /// - Throws: ``/OstiaryCore/OstiaryError``: `interactionRequired` when no credentials were set, `unusableUpload` for a file
  ///   that can't be read, is empty or changed meanwhile; `newzuluRefused` with a ``NewzuluRefusal``; `CancellationError`.
  public func startUpload(
    _ upload: NewzuluUpload, resuming state: NewzuluUploadState? = nil, journal: (any SessionStore)? = nil,
    onProgress: @escaping @Sendable (NewzuluUploadProgress) -> Void = { _ in }
  ) async throws -> NewzuluFile {
    let account = try uploader()
    var pages: UploadJournal?
    if let journal, case .file(let url) = upload.source {
      pages = UploadJournal(journal, account: account.name, file: url)
    }
    return try await UploadRun(
      UploadCalls(client: self, account: account), upload, resuming: state, journal: pages, onProgress: onProgress
    ).run()
  }

  /// Gives an upload up: the server deletes its parts.
  public func abortUpload(_ state: NewzuluUploadState) async throws {
    try await UploadCalls(client: self, account: uploader()).abort(state)
  }

  private func uploader() throws -> NewzuluAccount {
    guard let account = self.state.withLock({ $0.account }) else { throw Self.noCredentials }
    return account
  }
}
