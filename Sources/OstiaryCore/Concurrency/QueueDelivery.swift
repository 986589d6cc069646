package import Dispatch

/// Hands outcomes to the app's code on a queue that the app has named.
package enum QueueDelivery {
  /// Calls the app's code on a queue, in the order of these calls; the caller does not wait.
  package static func post(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    queue.async(execute: body)
  }
}
