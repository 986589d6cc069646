// The vendor's headers say nothing about nil, and Swift has imported them so.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Dispatch
internal import HTTPTypes
internal import Ostiary
#if canImport(FoundationNetworking)
  internal import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

// A request of Foundation's goes the way of a resource request: with the client's cookies and fields, and the handlers are asked.
extension WLClient {
  /// Sends a request, and tells a delegate on the main queue.
  /// - Parameter delegate: a `URLSessionDataDelegate`.
  public func sendUrlRequest(_ request: URLRequest!, delegate: Any!) {
    sendUrlRequest(request, delegate: delegate, responseQueue: nil)
  }

  /// Sends a request, and tells a delegate on a queue.
  /// - Parameter delegate: a `URLSessionDataDelegate`.
  public func sendUrlRequest(_ request: URLRequest!, delegate: Any!, responseQueue: DispatchQueue!) {
    let queue = responseQueue ?? DispatchQueue.main
    let listener = (delegate as? any URLSessionDataDelegate).map {
      DelegateListener($0, address: request?.url, method: request?.httpMethod)
    }
    fetch(try Self.draft(request)) { outcome in
      QueueDelivery.post(on: queue) { listener?.tell(outcome) }
    }
  }

  /// ``sendUrlRequest(_:delegate:)`` as Swift 3 and later call it, which drop what the type of the parameter says.
  public func send(_ request: URLRequest!, delegate: Any!) { sendUrlRequest(request, delegate: delegate) }

  /// ``sendUrlRequest(_:delegate:responseQueue:)`` as Swift 3 and later call it, which drop what the type of the parameter says.
  public func send(_ request: URLRequest!, delegate: Any!, responseQueue: DispatchQueue!) {
    sendUrlRequest(request, delegate: delegate, responseQueue: responseQueue)
  }

  private static func draft(_ request: URLRequest?) throws -> RequestDraft {
    guard let request, let url = request.url, let method = HTTPRequest.Method(request.httpMethod ?? "GET") else {
      throw OstiaryError(
        .invalidRequest, "The request has no address, or a method that HTTP does not know.",
        requestMayHaveExecuted: false)
    }
    var draft = RequestDraft(
      method: method, address: url.absoluteString,
      fields: (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }.map {
        RequestDraft.FieldChoice(name: $0.key, value: $0.value)
      },
      timeout: .seconds(min(max(request.timeoutInterval, 1), 86_400)))
    draft.body = request.httpBody
    return draft
  }
}
