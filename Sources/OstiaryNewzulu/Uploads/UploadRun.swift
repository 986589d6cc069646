internal import Foundation
internal import OstiaryCore

/// One upload from beginning to end: parts in parallel, each tried again by itself, with only those in memory that are
/// under way.
final class UploadRun: Sendable {
  private struct Table: Sendable {
    var state: NewzuluUploadState
    /// The first part that no worker has taken yet.
    var next = 0
    var savedAt: Date?
  }

  private let calls: UploadCalls
  private let upload: NewzuluUpload
  private let source: UploadSource
  private let journal: UploadJournal?
  private let onProgress: @Sendable (NewzuluUploadProgress) -> Void
  /// How far the caller says that an earlier attempt has come.
  private let offered: NewzuluUploadState?
  /// How far this one has come, once it has begun.
  private let table = Locked<Table?>(nil)
  /// Lets one part at a time be told, so that progress comes in order.
  private let telling = AsyncSerialQueue()
  private let refreshing = AsyncSerialQueue()

  private var client: NewzuluClient { calls.client }
  private var options: NewzuluConfiguration.UploadOptions { client.configuration.uploads }

  init(
    _ calls: UploadCalls, _ upload: NewzuluUpload, resuming state: NewzuluUploadState?, journal: UploadJournal?,
    onProgress: @escaping @Sendable (NewzuluUploadProgress) -> Void
  ) throws {
    self.calls = calls
    self.upload = upload
    self.journal = journal
    self.onProgress = onProgress
    source = try UploadSource(upload.source)
    offered = state
  }

  func run() async throws -> NewzuluFile {
    do {
      let file = try await carryOut()
      await journal?.remove()
      return file
    } catch {
      if let state { await journal?.save(state) }
      throw error
    }
  }

  private var state: NewzuluUploadState? { table.withLock { $0?.state } }

  private func carryOut() async throws -> NewzuluFile {
    if let file = try await begin() { return file }
    // A server may still miss a part that it had confirmed. It is asked once which.
    for mayAskAgain in [true, false] {
      try await sendParts()
      try await checkUnchanged()
      guard let state else { throw UploadCalls.unusable }
      do {
        return try await complete(state)
      } catch let error as OstiaryError where mayAskAgain && isAboutParts(error) {
        switch try await find(state) {
        case .unfinished(let known): adopt(known)
        case .finished: return try await info(state)
        case .unknown, .unsupported: throw error
        }
      }
    }
    throw UploadCalls.unusable
  }

  // MARK: Beginning

  /// Finds the upload to go on with, or begins one. Returns the item when there is nothing left to do.
  private func begin() async throws -> NewzuluFile? {
    var known = offered.flatMap { isUsable($0) ? $0 : nil }
    if known == nil { known = await journal?.load() }
    if let found = known, isUsable(found) {
      switch try await find(found) {
      case .unfinished(let state):
        adopt(state)
        await tell()
        return nil
      case .unsupported:
        adopt(found)
        await tell()
        return nil
      case .finished:
        adopt(found)
        return try await info(found)
      case .unknown: break
      }
    }
    // There is no way to look for an upload whose identifier was lost. Begun again, it would leave a draft behind.
    let state = try await retrying(onlyIfUnheard: true) { [self] in try await calls.create(upload, source) }
    adopt(state)
    await journal?.save(state)
    await tell()
    return nil
  }

  /// Whether a table is of this account's upload of the same bytes.
  private func isUsable(_ state: NewzuluUploadState) -> Bool {
    state.isSound && state.account == calls.account.name && state.fileSize == source.size
      && state.modified == source.modified && state.partSize <= options.maximumPartSize
      && state.parts.count <= options.maximumParts
  }

  private func adopt(_ state: NewzuluUploadState) {
    table.withLock { $0 = Table(state: state, savedAt: $0?.savedAt) }
  }

  private func find(_ state: NewzuluUploadState) async throws -> UploadCalls.Found {
    try await retrying { [self] in try await calls.find(state) }
  }

  // MARK: Parts

  private func sendParts() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<max(1, options.parallelParts) {
        group.addTask { [self] in
          while let index = takePart() { try await send(index) }
        }
      }
      try await group.waitForAll()
    }
  }

  private func takePart() -> Int? {
    table.withLock { table in
      while let current = table, current.next < current.state.parts.count {
        table?.next += 1
        if !current.state.parts[current.next].isStored { return current.next }
      }
      return nil
    }
  }

  private func send(_ index: Int) async throws {
    var hasRefreshed = false
    try await retrying(times: options.attempts) { [self] in
      guard let state, let url = state.parts[index].url else { throw UploadCalls.unusable }
      let (offset, length) = (state.offset(ofPart: index), state.length(ofPart: index))
      do {
        await finish(index, tag: try await calls.put(source, at: offset, count: length, to: url))
      } catch let error as OstiaryError where error.code == .partRefused && !hasRefreshed {
        hasRefreshed = true
        try await refresh(index, url)
        throw error
      }
    }
  }

  /// Gets new addresses for the parts, unless that has happened since `url` was read.
  private func refresh(_ index: Int, _ url: Secret) async throws {
    try await refreshing.run { [self] in
      guard let state, state.parts[index].url == url else { return }
      guard case .unfinished(let known) = try await calls.find(state) else {
        throw OstiaryError(
          .newzuluRefused, "The server does not know the upload any more.", advice: "Start the upload anew.",
          disposition: .misuse)
      }
      table.withLock { table in
        for index in known.parts.indices { table?.state.parts[index].url = known.parts[index].url }
      }
    }
  }

  /// Notes a part as stored, and tells the journal and the observers in order.
  private func finish(_ index: Int, tag: String?) async {
    await telling.run { [self] in
      let now = client.clock.now
      let toSave = table.withLock { table -> NewzuluUploadState? in
        table?.state.parts[index].isStored = true
        table?.state.parts[index].tag = tag
        if let saved = table?.savedAt, now.timeIntervalSince(saved) < options.journalDelay.seconds { return nil }
        table?.savedAt = now
        return table?.state
      }
      if let toSave { await journal?.save(toSave) }
      report()
    }
  }

  private func tell() async { await telling.run { [self] in report() } }

  private func report() {
    guard let state else { return }
    onProgress(
      NewzuluUploadProgress(uploadedBytes: state.uploadedBytes, totalBytes: state.fileSize, state: state))
  }

  // MARK: Ending

  /// Parts of two versions of a file make none.
  private func checkUnchanged() async throws {
    do {
      try source.checkUnchanged()
    } catch {
      if let state { try? await calls.abort(state) }
      throw error
    }
  }

  /// Completes the upload. Once an answer was lost, the server is asked whether it has completed it before it is told again:
  /// it refuses to complete what is complete.
  private func complete(_ state: NewzuluUploadState) async throws -> NewzuluFile {
    var mayBeComplete = false
    return try await retrying { [self] in
      if mayBeComplete, let file = try await completed(state) { return file }
      do {
        return try await calls.complete(state)
      } catch let error as OstiaryError {
        if mayBeComplete, !error.isTransient, let file = try await completed(state) { return file }
        if error.isTransient, error.requestMayHaveExecuted { mayBeComplete = true }
        throw error
      }
    }
  }

  /// The item, if the server has completed the upload.
  private func completed(_ state: NewzuluUploadState) async throws -> NewzuluFile? {
    switch try await find(state) {
    case .finished: return try await info(state)
    case .unfinished: return nil
    case .unknown, .unsupported:
      do {
        let file = try await info(state)
        return file.status == .incomplete ? nil : file
      } catch let error as OstiaryError where error.code == .newzuluRefused {
        return nil
      }
    }
  }

  private func info(_ state: NewzuluUploadState) async throws -> NewzuluFile {
    try await retrying { [self] in try await client.getFileInfo(id: state.id, of: calls.account) }
  }

  private func isAboutParts(_ error: OstiaryError) -> Bool {
    guard error.code == .newzuluRefused, let refusal = error.underlying as? NewzuluRefusal else { return false }
    return refusal.number == client.configuration.missingPartsNumber
  }

  /// Tries again what failed for a reason that may pass.
  /// - Parameter onlyIfUnheard: Whether it is tried again only if the server can't have done it.
  private func retrying<Result: Sendable>(
    times: Int? = nil, onlyIfUnheard: Bool = false, _ work: () async throws -> Result
  ) async throws -> Result {
    let attempts = times ?? options.attempts
    var failures = 0
    while true {
      do {
        return try await work()
      } catch let error as OstiaryError where error.isTransient && failures < attempts {
        guard !onlyIfUnheard || !error.requestMayHaveExecuted else { throw error }
        failures += 1
        let policy = client.sessions.retry
        let wait = policy.delay(afterFailures: failures, asked: error.retryAfter)
        guard wait <= policy.longest else { throw error }
        // A part whose new address is known need not wait for it.
        if error.code != .partRefused { try await client.clock.sleep(for: wait) }
        try Task.checkCancellation()
      }
    }
  }
}
