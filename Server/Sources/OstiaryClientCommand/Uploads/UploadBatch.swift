internal import Foundation
internal import OstiaryCore
internal import OstiaryNewzulu

/// Several uploads, some at a time. What the server has of each is kept in a journal, so that the next process sends only the rest.
final class UploadBatch: Sendable {
  /// What is said of the files.
  struct Description: Sendable {
    /// The title; without one each file's name.
    var title: String?
    var message = ""
    /// The media type; without one what the name usually means.
    var contentType: String?
  }

  /// What became of one file.
  struct Outcome: Sendable {
    let file: UploadFile
    let result: Result<NewzuluFile, any Error>
    /// How many bytes the server had when the upload began; `nil` if it did not begin.
    let resumedFrom: Int64?
    /// How many bytes the server has now.
    let sent: Int64
  }

  private struct State {
    var sent: [Int64]
    /// How many bytes the server had of each at its beginning; `nil` before that.
    var starts: [Int64?]
    var tasks: [Int: Task<NewzuluFile, any Error>] = [:]
    var finished = 0
    var isStopping = false
    var began: ContinuousClock.Instant?
  }

  private let files: [UploadFile]
  private let description: Description
  private let client: NewzuluClient
  private let journal: any SessionStore
  private let state: Locked<State>

  init(_ files: [UploadFile], _ description: Description, _ client: NewzuluClient, journal: any SessionStore) {
    self.files = files
    self.description = description
    self.client = client
    self.journal = journal
    state = Locked(State(sent: files.map { _ in 0 }, starts: files.map { _ in nil }))
  }

  /// Uploads them.
  /// - Parameters:
  ///   - parallel: how many at a time.
  ///   - onResumed: is called for each file of which the server had something already.
  ///   - onOutcome: is called with what became of each, as it ends.
  /// - Returns: the same in the order of the files.
  func run(
    parallel: Int, onResumed: @escaping @Sendable (UploadFile, Int64) -> Void,
    onOutcome: @escaping @Sendable (Outcome) -> Void
  ) async -> [Outcome] {
    state.withLock { $0.began = .now }
    return await withTaskGroup(of: (Int, Outcome).self) { group in
      var outcomes: [Int: Outcome] = [:]
      var next = 0
      func begin() {
        guard next < files.count else { return }
        group.addTask { [next] in (next, await self.upload(next, onResumed)) }
        next += 1
      }
      for _ in 0..<max(1, parallel) { begin() }
      while let (index, outcome) = await group.next() {
        outcomes[index] = outcome
        onOutcome(outcome)
        begin()
      }
      return files.indices.compactMap { outcomes[$0] }
    }
  }

  /// How long a call that begins an upload is waited for after ``stop()``.
  private static let patience = Duration.seconds(5)

  /// Stops the uploads. What has begun is known by the server and the journal then; what is about to begin gets a moment for that.
  func stop() {
    let ready = state.withLock { state in
      state.isStopping = true
      return state.tasks.filter { state.starts[$0.key] != nil }.map(\.value)
    }
    for task in ready { task.cancel() }
    Task {
      try await Task.sleep(for: Self.patience)
      for task in state.withLock({ Array($0.tasks.values) }) { task.cancel() }
    }
  }

  /// How far they have come.
  var position: ProgressBar.Position {
    state.withLock { state in
      let done = state.sent.reduce(0, +)
      let moved = zip(state.sent, state.starts).reduce(0) { $0 + $1.0 - ($1.1 ?? 0) }
      let seconds = state.began.map { (ContinuousClock.now - $0).components.seconds } ?? 0
      let label = files.count == 1 ? files[0].path : "\(state.finished) of \(files.count) files"
      return ProgressBar.Position(
        label: label, done: done, total: files.reduce(0) { $0 + $1.size },
        rate: moved > 0 && seconds > 0 ? moved / seconds : nil)
    }
  }

  private func upload(_ index: Int, _ onResumed: @escaping @Sendable (UploadFile, Int64) -> Void) async -> Outcome {
    let file = files[index]
    let result: Result<NewzuluFile, any Error>
    if let task = start(index, onResumed) {
      result = await task.result
    } else {
      result = .failure(CancellationError())
    }
    return state.withLock { state in
      state.tasks[index] = nil
      state.finished += 1
      if case .success = result { state.sent[index] = file.size }
      return Outcome(file: file, result: result, resumedFrom: state.starts[index], sent: state.sent[index])
    }
  }

  /// - Returns: `nil` when no upload is to begin any more.
  private func start(
    _ index: Int, _ onResumed: @escaping @Sendable (UploadFile, Int64) -> Void
  ) -> Task<NewzuluFile, any Error>? {
    let file = files[index]
    let upload = NewzuluUpload(
      file: file.url, title: description.title ?? file.url.lastPathComponent, message: description.message,
      contentType: description.contentType)
    return state.withLock { state in
      guard !state.isStopping else { return nil }
      let task = Task { [client, journal] in
        try await client.startUpload(upload, journal: journal) { [weak self] progress in
          self?.note(progress, of: index, onResumed)
        }
      }
      state.tasks[index] = task
      return task
    }
  }

  private func note(
    _ progress: NewzuluUploadProgress, of index: Int, _ onResumed: (UploadFile, Int64) -> Void
  ) {
    let (isFirst, stopped) = state.withLock { state in
      let isFirst = state.starts[index] == nil
      if isFirst { state.starts[index] = progress.uploadedBytes }
      state.sent[index] = progress.uploadedBytes
      return (isFirst, state.isStopping ? state.tasks[index] : nil)
    }
    if isFirst, progress.uploadedBytes > 0 { onResumed(files[index], progress.uploadedBytes) }
    stopped?.cancel()
  }
}
