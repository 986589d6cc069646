internal import OstiaryCore

#if canImport(FoundationNetworking)
  internal import Foundation
  internal import FoundationNetworking
#else
  internal import Foundation
#endif

/// Hands what URLSession reports to the exchange it belongs to, and declines everything that URLSession offers to do.
final class URLSessionTransportDelegate: NSObject, URLSessionDataDelegate, Sendable {
  private let exchanges = Locked<[Int: URLSessionExchange]>([:])

  func add(_ exchange: URLSessionExchange) {
    exchanges.withLock { $0[exchange.task.taskIdentifier] = exchange }
  }

  private func exchange(of task: URLSessionTask) -> URLSessionExchange? {
    exchanges.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    // The system judges certificates. Every other challenge is the authenticator's: the next method is tried, and after
    // the last one the response is delivered.
    switch challenge.protectionSpace.authenticationMethod {
    case "NSURLAuthenticationMethodServerTrust", "NSURLAuthenticationMethodClientCertificate":
      completionHandler(.performDefaultHandling, nil)
    default:
      completionHandler(.rejectProtectionSpace, nil)
    }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    exchange(of: dataTask)?.receive(response)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    exchange(of: dataTask)?.receive(data)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.finish(error)
  }

  #if canImport(Darwin)
    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
      completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
      completionHandler(nil)
    }
  #endif
}
