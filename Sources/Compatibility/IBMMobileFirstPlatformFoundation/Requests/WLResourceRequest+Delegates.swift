public import Dispatch
public import Foundation
internal import HTTPTypes
internal import Ostiary
#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

// The delegate is one of URLSession's, for data and tasks: it hears of the final response, of its body in one piece, and of
// the end, once each, on the main queue or the one that is named. The session and the task that it is given stand for the
// request, which does not go through URLSession everywhere: they are never started, and have no response of their own.
extension WLResourceRequest {
  /// Sends the request without a body.
  /// - Parameter delegate: a `URLSessionDataDelegate`.
  public func send(withDelegate delegate: Any!) {
    send(.nothing, on: nil, telling: delegate)
  }

  /// Sends the request without a body, and calls the delegate on a queue.
  /// - Parameter delegate: a `URLSessionDataDelegate`.
  public func send(withDelegate delegate: Any!, responseQueue queue: DispatchQueue!) {
    send(.nothing, on: queue, telling: delegate)
  }

  /// Sends the request with a text; methods other than `POST` and `PUT` leave it out.
  /// - Parameter delegate: a `URLSessionDataDelegate`.
  public func send(withBody body: String!, delegate: Any!) {
    send(.text(body), on: nil, telling: delegate)
  }

  /// Sends the request with a text, and calls the delegate on a queue; methods other than `POST` and `PUT` leave the text
  /// out.
  /// - Parameter delegate: a `URLSessionDataDelegate`.
  public func send(withBody body: String!, delegate: Any!, responseQueue queue: DispatchQueue!) {
    send(.text(body), on: queue, telling: delegate)
  }

  /// Sends the request with a form; methods other than `POST` and `PUT` leave it out.
  /// - Parameter delegate: a `URLSessionDataDelegate`.
  public func send(withFormParameters formParameters: [AnyHashable: Any]!, delegate: Any!) {
    send(.form(formParameters), on: nil, telling: delegate)
  }

  /// Sends the request with a form, and calls the delegate on a queue; methods other than `POST` and `PUT` leave the form
  /// out.
  /// - Parameter delegate: a `URLSessionDataDelegate`.
  public func send(
    withFormParameters formParameters: [AnyHashable: Any]!, delegate: Any!, responseQueue queue: DispatchQueue!
  ) {
    send(.form(formParameters), on: queue, telling: delegate)
  }

  /// Sends the request with a JSON object; methods other than `POST` and `PUT` leave it out.
  /// - Parameter delegate: a `URLSessionDataDelegate`.
  public func send(withJSON json: [AnyHashable: Any]!, delegate: Any!) {
    send(.json(json), on: nil, telling: delegate)
  }

  /// Sends the request with a JSON object, and calls the delegate on a queue; methods other than `POST` and `PUT` leave the
  /// object out.
  /// - Parameter delegate: a `URLSessionDataDelegate`.
  public func send(withJSON json: [AnyHashable: Any]!, delegate: Any!, responseQueue queue: DispatchQueue!) {
    send(.json(json), on: queue, telling: delegate)
  }

  /// Sends the request with data; methods other than `POST` and `PUT` leave them out.
  /// - Parameter delegate: a `URLSessionDataDelegate`.
  public func send(with data: Data!, delegate: Any!) {
    send(.data(data), on: nil, telling: delegate)
  }

  /// Sends the request with data, and calls the delegate on a queue; methods other than `POST` and `PUT` leave the data out.
  /// - Parameter delegate: a `URLSessionDataDelegate`.
  public func send(with data: Data!, delegate: Any!, responseQueue queue: DispatchQueue!) {
    send(.data(data), on: queue, telling: delegate)
  }

  private func send(_ content: RequestContent, on queue: DispatchQueue?, telling delegate: Any?) {
    let queue = queue ?? .main
    let listener = (delegate as? any URLSessionDataDelegate).map {
      DelegateListener($0, address: url, method: httpMethod)
    }
    send(content) { outcome in
      QueueDelivery.post(on: queue) { listener?.tell(outcome) }
    }
  }
}
