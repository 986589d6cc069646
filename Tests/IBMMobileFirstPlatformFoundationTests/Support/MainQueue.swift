import Dispatch

/// Tells whether code runs on the main queue. That is not always the main thread: on Linux an `async` main gives that
/// thread up, and others serve the queue.
enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
}
