#if !canImport(FoundationNetworking)
  internal import Foundation

  // The methods of Apple's protocol are optional: a delegate need not have them.
  extension DelegateListener {
    func begin(_ head: HTTPURLResponse, then goOn: @escaping @Sendable (Bool) -> Void) {
      guard
        delegate.urlSession?(
          session, dataTask: task, didReceive: head, completionHandler: { goOn($0 != .cancel) }) != nil
      else { return goOn(true) }
    }

    func receive(_ body: Data) {
      delegate.urlSession?(session, dataTask: task, didReceive: body)
    }

    func end(_ error: (any Error)?) {
      delegate.urlSession?(session, task: task, didCompleteWithError: error)
      session.invalidateAndCancel()
    }
  }
#endif
