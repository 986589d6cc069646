internal import Dispatch
public import NewzuluCore
internal import Ostiary
internal import OstiaryNewzulu

extension PlatformClient {
  /// Starts an upload.
  /// - Parameters:
  ///   - upload: what to upload.
  ///   - onProgress: gets how many bytes are uploaded, and how many there are.
  ///   - onSuccess: is called when the upload is complete.
  ///   - onError: gets what went wrong, and how far the upload has come; ``resumeUpload(_:onProgress:onSuccess:onError:)``
  ///     goes on from there.
  /// - Returns: what cancels it.
  @preconcurrency @discardableResult
  public func startUpload(
    _ upload: Upload, onProgress: @escaping @Sendable (_ uploadedBytes: Int64, _ totalBytes: Int64) -> Void,
    onSuccess: @escaping @Sendable () -> Void,
    onError: @escaping @Sendable (_ error: NewzuluError, _ uploadState: UploadState) -> Void
  ) -> UploadTask {
    run(UploadState(upload: upload), onProgress, onSuccess, onError)
  }

  /// Goes on with an upload that failed or was cancelled. (The vendor's page has the state, but not this call's name.)
  @preconcurrency @discardableResult
  public func resumeUpload(
    _ state: UploadState, onProgress: @escaping @Sendable (_ uploadedBytes: Int64, _ totalBytes: Int64) -> Void,
    onSuccess: @escaping @Sendable () -> Void,
    onError: @escaping @Sendable (_ error: NewzuluError, _ uploadState: UploadState) -> Void
  ) -> UploadTask {
    run(state, onProgress, onSuccess, onError)
  }

  private func run(
    _ start: UploadState, _ onProgress: @escaping @Sendable (Int64, Int64) -> Void,
    _ onSuccess: @escaping @Sendable () -> Void, _ onError: @escaping @Sendable (NewzuluError, UploadState) -> Void
  ) -> UploadTask {
    let queue = completionQueue
    let reached = Locked(start)
    let task = perform { client in
      let upload = try start.upload.translated
      try client.checkUpload(begunBy: start.owner)
      reached.withLock { $0.owner = client.uploadOwner }
      _ = try await client.startUpload(upload, resuming: start.state, journal: client.sessionStore) { progress in
        reached.withLock { $0.state = progress.state }
        queue.async { onProgress(progress.uploadedBytes, progress.totalBytes) }
      }
    } completion: { result in
      switch result {
      case .success: onSuccess()
      case .failure(let error): onError(error, reached.withLock { $0 })
      }
    }
    return UploadTask(task)
  }
}
