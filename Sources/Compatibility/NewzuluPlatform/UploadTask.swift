/// An upload under way.
public struct UploadTask: Sendable {
  private let task: Task<Void, Never>

  init(_ task: Task<Void, Never>) {
    self.task = task
  }

  /// Stops the upload. Its `onError` gets ``/NewzuluCore/NewzuluError/Reason-swift.enum/unknown`` and the state to resume from.
  public func cancel() { task.cancel() }
}
