internal import Foundation
internal import OstiaryCore

/// Carries one upload out: the actions of ``UploadMachine``, with only those parts in memory that are under way.
final class UploadRun: Sendable {
  private struct Control: Sendable {
    var machine: UploadMachine
    var savedAt: Date?
    var task: Task<Void, Never>?
    var isStopped = false
    /// The call that begins the upload. The server may have acted though it is cancelled.
    var creating: SharedWork<NewzuluUploadState>?
    /// Its number among the account's uploads.
    var number: UInt64?
    /// Whether the upload was cancelled while that call was under way: a sign-out still has to wait for it.
    var isLate = false
  }

  /// What becomes of the call that begins the upload.
  private enum Creation: Sendable {
    case underWay
    /// The upload was cancelled before.
    case late
    case made(NewzuluUploadState)
    case failed
  }

  let calls: UploadCalls
  let journal: UploadJournal?
  private let upload: NewzuluUpload
  private let source: UploadSource
  private let watch: UploadWatch
  private let onProgress: @Sendable (NewzuluUploadProgress) -> Void
  private let offered: NewzuluUploadState?
  private let control: Locked<Control>
  private let refreshing = AsyncSerialQueue()

  private var client: NewzuluClient { calls.client }
  private var owed: OwedUploads { OwedUploads(calls.account) }
  private var options: NewzuluConfiguration.UploadOptions { client.configuration.uploads }

  init(
    _ calls: UploadCalls, _ upload: NewzuluUpload, _ source: UploadSource, resuming state: NewzuluUploadState?,
    journal: UploadJournal?, onProgress: @escaping @Sendable (NewzuluUploadProgress) -> Void
  ) {
    self.calls = calls
    self.upload = upload
    self.source = source
    self.journal = journal
    self.onProgress = onProgress
    offered = state
    watch = UploadWatch(source)
    let options = calls.client.configuration.uploads
    control = Locked(
      Control(
        machine: UploadMachine(
          .init(account: calls.owner, about: upload.about, size: source.size, modified: source.modified),
          .init(
            parallelParts: max(1, options.parallelParts), maximumParts: options.maximumParts,
            maximumPartSize: options.maximumPartSize))))
  }

  private var table: NewzuluUploadState? { control.withLock { $0.machine.table } }

  /// Uploads.
  /// - Throws: what prevented it; `signedOut` when the user was signed out before or meanwhile.
  func run() async throws -> NewzuluFile {
    guard let number = calls.account.uploads.add({ await self.stop() }) else { throw NewzuluClient.signedOut }
    control.withLock { $0.number = number }
    defer { if !control.withLock({ $0.isLate }) { calls.account.uploads.remove(number) } }
    let result = Locked<Result<NewzuluFile, any Error>>(.failure(UploadCalls.unusable))
    let call = CapturedCall<UploadRun>(.success(self))
    let task = call.start {
      guard let journal = $0.journal else { return try await $0.carryOut() }
      return try await journal.own { try await self.carryOut() }
    } completion: { outcome in
      result.withLock { $0 = outcome }
    }
    let isStopped = control.withLock { control in
      control.task = task
      return control.isStopped
    }
    if isStopped { task.cancel() }
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    do {
      return try result.withLock { $0 }.get()
    } catch  where control.withLock({ $0.isStopped }) {
      throw NewzuluClient.signedOut
    }
  }

  /// Ends the upload because the user signs out, and waits until it has ended.
  /// - Returns: what the server has of it and should delete.
  func stop() async -> OwedUpload? {
    let task = control.withLock { control in
      control.isStopped = true
      return control.task
    }
    task?.cancel()
    await task?.value
    // What comes late may be writing the journal.
    let late = table == nil ? try? await control.withLock({ $0.creating })?.value() : nil
    await journal?.remove()
    return (table ?? late).map { calls.owed($0.id) }
  }

  // MARK: Actions

  private func carryOut() async throws -> NewzuluFile {
    let known = await journal?.load()
    return try await withThrowingTaskGroup(of: UploadMachine.Input.self) { group in
      var actions = step(.begin(offered: offered, journal: known))
      while true {
        for action in actions {
          switch action {
          case .save(let table, let isUrgent): await save(table, isUrgent)
          case .owe(let draft): await owed.add([calls.owed(draft)])
          case .forget(let draft): await owed.forget(calls.owed(draft))
          case .removeJournal: await journal?.remove()
          case .tell(let progress): onProgress(progress)
          case .finish(let result):
            group.cancelAll()
            return try result.get()
          default: group.addTask { await self.perform(action) }
          }
        }
        guard let input = try await group.next() else { throw UploadCalls.unusable }
        actions = step(input)
      }
    }
  }

  private func step(_ input: UploadMachine.Input) -> [UploadMachine.Action] {
    control.withLock { $0.machine.step(input) }
  }

  private func perform(_ action: UploadMachine.Action) async -> UploadMachine.Input {
    do {
      switch action {
      case .find(let table):
        // It may be gone on with, so that it is not to be given up at the next sign-in.
        await owed.forget(calls.owed(table.id))
        return .found(try await find(table))
      case .create: return .created(try await create())
      case .check(let table, let rereads): return .checked(try await watch.isSame(as: table, rereads: rereads))
      case .put(let index): return try await put(index)
      case .complete(let table): return .completed(try await complete(table))
      case .read(let table): return .completed(try await info(table))
      case .abort(let table): return await giveUp(table)
      case .save, .owe, .forget, .removeJournal, .tell, .finish: return .failed(UploadCalls.unusable)
      }
    } catch let error as OstiaryError where isAboutParts(error) {
      return .partsMissing(error)
    } catch {
      return .failed(error)
    }
  }

  private func save(_ table: NewzuluUploadState, _ isUrgent: Bool) async {
    let now = client.clock.now
    let isDue = control.withLock { control in
      if !isUrgent, let saved = control.savedAt, now.timeIntervalSince(saved) < options.journalDelay.seconds {
        return false
      }
      control.savedAt = now
      return true
    }
    if isDue { await journal?.save(table) }
  }

  private func find(_ table: NewzuluUploadState) async throws -> UploadCalls.Found {
    try await retrying { [self] in try await calls.find(table) }
  }

  private func giveUp(_ table: NewzuluUploadState) async -> UploadMachine.Input {
    do {
      try await retrying { [self] in try await calls.abort(table) }
      return .aborted
    } catch {
      return .notAborted(error)
    }
  }

  /// Begins an upload. There is no way to look for one whose identifier was lost: begun again, it would leave a draft behind.
  /// So a cancellation does not end the call, and what comes too late is kept for the next attempt, or given up.
  private func create() async throws -> NewzuluUploadState {
    let work = SharedWork<NewzuluUploadState>()
    control.withLock { $0.creating = work }
    let creation = Locked(Creation.underWay)
    work.launch { [self] in
      let result: Result<NewzuluUploadState, any Error>
      do {
        result = .success(
          try await retrying(onlyIfUnheard: true) { [self] in try await calls.create(upload, source) })
      } catch {
        result = .failure(error)
      }
      let isLate = creation.withLock { creation in
        if case .late = creation { return true }
        creation = (try? result.get()).map(Creation.made) ?? .failed
        return false
      }
      if isLate {
        if let table = try? result.get() { await keepLate(table) }
        endLate()
      }
      return try result.get()
    }
    do {
      return try await work.value()
    } catch let error as CancellationError {
      let made = creation.withLock { creation -> NewzuluUploadState? in
        if case .made(let table) = creation { return table }
        if case .underWay = creation {
          creation = .late
          control.withLock { $0.isLate = true }
        }
        return nil
      }
      if let made { return made }
      throw error
    }
  }

  /// The call that begins the upload has ended though the upload was cancelled before.
  private func endLate() {
    let number = control.withLock { control in
      control.isLate = false
      return control.number
    }
    if let number { calls.account.uploads.remove(number) }
  }

  private func keepLate(_ table: NewzuluUploadState) async {
    // A sign-out waits for it and gives it up itself.
    guard !control.withLock({ $0.isStopped }) else { return }
    if await journal?.save(table, isFirst: true) == true { return }
    try? await calls.abort(table)
  }

  // MARK: Parts

  private func put(_ index: Int) async throws -> UploadMachine.Input {
    let hasRefreshed = Locked(false)
    return try await retrying { [self] in
      guard let table, let url = table.parts[index].url else { throw UploadCalls.unusable }
      guard try await watch.isSame(as: table, rereads: false) else { throw UploadSource.changed }
      let (offset, length) = (table.offset(ofPart: index), table.length(ofPart: index))
      do {
        let (tag, digest) = try await calls.put(source, at: offset, count: length, to: url)
        return .stored(index, tag: tag, digest: digest)
      } catch let error as OstiaryError where error.code == .partRefused && !hasRefreshed.withLock({ $0 }) {
        hasRefreshed.withLock { $0 = true }
        guard try await refresh(index, url) else { return .noAddress(Self.gone) }
        throw error
      }
    }
  }

  /// Gets new addresses for the parts, unless that has happened since `url` was read.
  /// - Returns: whether the server can be asked for addresses.
  private func refresh(_ index: Int, _ url: Secret) async throws -> Bool {
    try await refreshing.run { [self] in
      guard let table, table.parts[index].url == url else { return true }
      switch try await calls.find(table) {
      case .unfinished(let known):
        control.withLock { $0.machine.readdress(known) }
        return true
      case .unsupported: return false
      case .finished, .different, .unknown: throw Self.gone
      }
    }
  }

  private static var gone: OstiaryError {
    OstiaryError(
      .newzuluRefused, "The server does not know the upload any more.", advice: "Start the upload anew.",
      disposition: .misuse)
  }

  // MARK: Ending

  /// Completes the upload. Once an answer was lost, the server is asked whether it has completed it before it is told again:
  /// it refuses to complete what is complete.
  private func complete(_ table: NewzuluUploadState) async throws -> NewzuluFile {
    let mayBeComplete = Locked(false)
    return try await retrying { [self] in
      if mayBeComplete.withLock({ $0 }), let file = try await completed(table) { return file }
      do {
        return try await calls.complete(table)
      } catch let error as OstiaryError {
        if mayBeComplete.withLock({ $0 }), !error.isTransient, let file = try await completed(table) { return file }
        if error.isTransient, error.requestMayHaveExecuted { mayBeComplete.withLock { $0 = true } }
        throw error
      }
    }
  }

  /// The item, if the server has completed the upload.
  private func completed(_ table: NewzuluUploadState) async throws -> NewzuluFile? {
    switch try await find(table) {
    case .finished: return try await info(table)
    case .unfinished, .different: return nil
    case .unknown, .unsupported:
      do {
        let file = try await info(table)
        return file.status == .incomplete ? nil : file
      } catch let error as OstiaryError where error.code == .newzuluRefused {
        return nil
      }
    }
  }

  private func info(_ table: NewzuluUploadState) async throws -> NewzuluFile {
    try await retrying { [self] in try await client.getFileInfo(id: table.id, of: calls.account) }
  }

  private func isAboutParts(_ error: OstiaryError) -> Bool {
    guard error.code == .newzuluRefused, let refusal = error.underlying as? NewzuluRefusal else { return false }
    return refusal.number == client.configuration.missingPartsNumber
  }

  /// Tries again what failed for a reason that may pass.
  /// - Parameter onlyIfUnheard: Whether it is tried again only if the server can't have done it.
  private func retrying<Result: Sendable>(
    onlyIfUnheard: Bool = false, _ work: @Sendable () async throws -> Result
  ) async throws -> Result {
    var failures = 0
    while true {
      do {
        return try await work()
      } catch let error as OstiaryError where error.isTransient && failures < options.attempts {
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
