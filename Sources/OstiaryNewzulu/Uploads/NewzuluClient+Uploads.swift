internal import Foundation
public import OstiaryCore

extension NewzuluClient {
  /// Uploads a media item, in parts.
  ///
  /// Parts that fail for a reason that may pass are sent again, and only they. A file of any size takes the memory of the
  /// few parts that are under way. To go on after a failure, a cancellation or the end of the process, call this again with
  /// the same file and journal, or with the last progress's state: only what is missing is sent.
  ///
  /// What is published is one version of the file, of this user and project, as it is described now. When the file changes
  /// meanwhile the upload fails, and the server deletes what it has. What an earlier attempt has sent of another version, or
  /// with another description, is deleted, and the upload begins anew.
  ///
  /// The platform has no call that finds an upload whose identifier is not known. A process that is killed between the
  /// server's beginning of an upload and the first write of the journal leaves a draft there; the upload begins anew.
  /// - Parameters:
  ///   - upload: what to upload.
  ///   - state: how far an earlier attempt has come. It counts more than the journal where the server has that upload; another
  ///     one of this file that the journal names is deleted then.
  ///   - journal: where to keep how far it has come, for files; it is removed when the upload is complete.
  ///   - onProgress: is called with each part that the server has, in order.
  /// - Returns: the new item.
  /// - Throws: ``/OstiaryCore/OstiaryError``: `interactionRequired` when no credentials were set, `signedOut` when the user was
  ///   signed out meanwhile or `state` is another user's or project's, `uploadUnderWay` when another upload of this file
  ///   uses the journal, `unusableUpload` for a file that can't be read, is empty or changed meanwhile; `newzuluRefused` with
  ///   a ``NewzuluRefusal``; `CancellationError`.
  nonisolated(nonsending) public func startUpload(
    _ upload: NewzuluUpload, resuming state: NewzuluUploadState? = nil, journal: (any SessionStore)? = nil,
    onProgress: @escaping @Sendable (NewzuluUploadProgress) -> Void = { _ in }
  ) async throws -> NewzuluFile {
    let calls = UploadCalls(client: self, account: try uploader())
    let entry = journal.flatMap { UploadJournal($0, account: calls.owner, source: upload.source) }
    let source: UploadSource
    do {
      source = try UploadSource(upload.source)
    } catch {
      // The file is gone: what an earlier attempt has sent is of no use any more. One that is under way sees to that itself.
      try? await entry?.own {
        guard let draft = await entry?.load(), draft.account == calls.owner else { return }
        try await calls.abort(draft)
        await entry?.remove()
      }
      throw error
    }
    return try await UploadRun(calls, upload, source, resuming: state, journal: entry, onProgress: onProgress).run()
  }

  /// Gives an upload up: the server deletes its parts.
  /// - Throws: ``/OstiaryCore/OstiaryError``: `signedOut` when it is another user's or project's.
  nonisolated(nonsending) public func abortUpload(_ state: NewzuluUploadState) async throws {
    let calls = UploadCalls(client: self, account: try uploader())
    guard state.account == calls.owner else { throw Self.anotherUser }
    try await calls.abort(state)
  }

  /// Gives up what has been uploaded in part, of the user and for each project: the journal forgets it, and the server deletes its parts.
  /// For programs that sign the user out otherwise than by ``clearCredentials()``, before they do. An upload that is under way goes on.
  /// - Parameter journal: where it is kept how far the uploads have come.
  /// - Throws: ``/OstiaryCore/OstiaryError`` when the server could not be told of one. It is told at the next call of this, and when the
  ///   user signs in through a client.
  nonisolated(nonsending) public func abandonUploads(in journal: any SessionStore) async throws {
    guard let account = state.withLock({ $0.account }) else { throw Self.noCredentials }
    let owed = OwedUploads(account)
    for entry in await UploadJournal.all(in: journal, account: account.name) {
      _ = try? await entry.own {
        if let draft = await entry.load(), let project = account.project(ofUploads: draft.account) {
          // Written first: the process may end before the server has answered.
          await owed.add([OwedUpload(id: draft.id, project: project)])
        }
        await entry.remove()
      }
    }
    if let error = await owed.settle(UploadCalls(client: self, account: account)) { throw error }
  }

  /// Names whose uploads those are that begin now: the user and the project; `nil` without a user.
  package var uploadOwner: String? {
    state.withLock { $0.account }.map { UploadCalls(client: self, account: $0).owner }
  }

  /// Refuses what another began, also where nothing had been sent yet.
  /// - Parameter owner: the ``uploadOwner`` for whom it began; `nil` where there was none.
  package func checkUpload(begunBy owner: String?) throws {
    guard owner == nil || owner == uploadOwner else { throw Self.anotherUser }
  }

  private func uploader() throws -> NewzuluAccount {
    guard let account = self.state.withLock({ $0.account }) else { throw Self.noCredentials }
    return account
  }

  // MARK: Signing out

  /// How long a sign-out waits for the server to delete what it has of uploads.
  static let signOutPatience = Duration.seconds(10)

  /// Ends the uploads of a user who signs out: stops them, removes what is kept of them, and lets the server delete its parts.
  /// - Parameter others: the same user's accounts that were set before.
  /// - Returns: why the server has not confirmed it. It is told again when the same user signs in.
  func endUploads(of account: NewzuluAccount, _ others: [NewzuluAccount]) async -> OstiaryError? {
    let ending = SharedWork<OstiaryError?>()
    let calls = UploadCalls(client: self, account: account)
    let spare = spareCalls(of: account)
    let owed = OwedUploads(account)
    ending.launch {
      var drafts: [OwedUpload] = []
      for account in others + [account] {
        for stop in account.uploads.close() {
          if let draft = await stop() { drafts.append(draft) }
        }
        for entry in await UploadJournal.all(in: account.store, account: account.name) {
          // When the same user is set again they are the new sign-in's, and one that an upload owns is so in any case.
          guard self.state.withLock({ $0.account?.name }) != account.name else { break }
          let draft = try? await entry.own { [entry] in
            let draft = await entry.load()
            await entry.remove()
            return draft
          }
          if let draft, let project = account.project(ofUploads: draft.account) {
            drafts.append(OwedUpload(id: draft.id, project: project))
          }
        }
      }
      // Written first: the process may end before the server has answered.
      await owed.add(drafts)
      return await owed.settle(calls) { upload in
        do {
          try await calls.abort(upload)
        } catch let error as OstiaryError where error.code == .signedOut {
          if case .signedOut(.credentialRefused) = account.manager.status { throw error }
          guard let spare else { throw error }
          try await spare.abort(upload)
        }
      }
    }
    let timer = OneTimer(after: Self.signOutPatience, clock: clock) {
      ending.finish(
        .success(OstiaryError(.timedOut, "The server did not confirm in time that the uploads are deleted.")))
    }
    defer { timer.cancel() }
    let error = (try? await ending.value()) ?? nil
    await spare?.account.manager.signOut()
    return error
  }

  /// Calls in the name of a user who is being signed out and whose session is over. Their session is kept in memory alone: what
  /// is stored belongs to the same user's next sign-in.
  /// - Returns: `nil` where the password is not known here.
  private func spareCalls(of account: NewzuluAccount) -> UploadCalls? {
    guard let password = account.password else { return nil }
    let manager = makeQuietManager(
      account.authenticator, account.email, password, key: account.key, store: EphemeralStore())
    return UploadCalls(
      client: self,
      account: NewzuluAccount(
        email: account.email, password: account.password, authenticator: account.authenticator, store: account.store,
        manager: manager, name: account.name))
  }

  /// Tells the server what it was not told at the user's last sign-out.
  func settleUploads(of account: NewzuluAccount) {
    let calls = UploadCalls(client: self, account: account)
    SharedWork<OstiaryError?>().launch { await OwedUploads(account).settle(calls) }
  }
}
