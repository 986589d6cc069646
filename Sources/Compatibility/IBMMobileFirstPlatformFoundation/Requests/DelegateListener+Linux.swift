#if canImport(FoundationNetworking)
  internal import Foundation
  internal import FoundationNetworking

  extension DelegateListener {
    func begin(_ head: HTTPURLResponse, then goOn: @escaping @Sendable (Bool) -> Void) {
      delegate.urlSession(session, dataTask: task, didReceive: head, completionHandler: { goOn($0 != .cancel) })
    }

    func receive(_ body: Data) {
      delegate.urlSession(session, dataTask: task, didReceive: body)
    }

    func end(_ error: (any Error)?) {
      delegate.urlSession(session, task: task, didCompleteWithError: error)
      session.invalidateAndCancel()
    }
  }
#endif
