public import Dispatch
public import Foundation
internal import Ostiary

// Every request is completed exactly once, on the main queue or the one that is named: with the response, and with an error
// when there is none or its status is not from 200 to 299. The response is a `WLFailResponse` then.
extension WLResourceRequest {
  /// Sends the request without a body.
  @preconcurrency
  public func send(completionHandler: (@Sendable (WLResponse?, (any Error)?) -> Void)!) {
    send(.nothing, on: nil, completionHandler)
  }

  /// Sends the request without a body, and completes on a queue.
  @preconcurrency
  public func send(
    completionHandler queue: DispatchQueue!, completionHandler: (@Sendable (WLResponse?, (any Error)?) -> Void)!
  ) {
    send(.nothing, on: queue, completionHandler)
  }

  /// Sends the request with a text; methods other than `POST` and `PUT` leave it out.
  @preconcurrency
  public func send(withBody body: String!, completionHandler: (@Sendable (WLResponse?, (any Error)?) -> Void)!) {
    send(.text(body), on: nil, completionHandler)
  }

  /// Sends the request with a text, and completes on a queue; methods other than `POST` and `PUT` leave the text out.
  @preconcurrency
  public func send(
    withBody body: String!, responseQueue queue: DispatchQueue!,
    completionHandler: (@Sendable (WLResponse?, (any Error)?) -> Void)!
  ) {
    send(.text(body), on: queue, completionHandler)
  }

  /// Sends the request with a form; methods other than `POST` and `PUT` leave it out.
  @preconcurrency
  public func send(
    withFormParameters formParameters: [AnyHashable: Any]!,
    completionHandler: (@Sendable (WLResponse?, (any Error)?) -> Void)!
  ) {
    send(.form(formParameters), on: nil, completionHandler)
  }

  /// Sends the request with a form, and completes on a queue; methods other than `POST` and `PUT` leave the form out.
  @preconcurrency
  public func send(
    withFormParameters formParameters: [AnyHashable: Any]!, responseQueue queue: DispatchQueue!,
    completionHandler: (@Sendable (WLResponse?, (any Error)?) -> Void)!
  ) {
    send(.form(formParameters), on: queue, completionHandler)
  }

  /// Sends the request with a JSON object; methods other than `POST` and `PUT` leave it out.
  @preconcurrency
  public func send(
    withJSON json: [AnyHashable: Any]!, completionHandler: (@Sendable (WLResponse?, (any Error)?) -> Void)!
  ) {
    send(.json(json), on: nil, completionHandler)
  }

  /// Sends the request with a JSON object, and completes on a queue; methods other than `POST` and `PUT` leave the object
  /// out.
  @preconcurrency
  public func send(
    withJSON json: [AnyHashable: Any]!, responseQueue queue: DispatchQueue!,
    completionHandler: (@Sendable (WLResponse?, (any Error)?) -> Void)!
  ) {
    send(.json(json), on: queue, completionHandler)
  }

  /// Sends the request with data; methods other than `POST` and `PUT` leave them out.
  @preconcurrency
  public func send(with data: Data!, completionHandler: (@Sendable (WLResponse?, (any Error)?) -> Void)!) {
    send(.data(data), on: nil, completionHandler)
  }

  /// Sends the request with data, and completes on a queue; methods other than `POST` and `PUT` leave the data out.
  @preconcurrency
  public func send(
    with data: Data!, responseQueue queue: DispatchQueue!,
    completionHandler: (@Sendable (WLResponse?, (any Error)?) -> Void)!
  ) {
    send(.data(data), on: queue, completionHandler)
  }

  private func send(
    _ content: RequestContent, on queue: DispatchQueue?,
    _ completion: (@Sendable (WLResponse?, (any Error)?) -> Void)?
  ) {
    let queue = queue ?? .main
    send(content) { outcome in
      QueueDelivery.post(on: queue) {
        let (response, error) = outcome.forCompletion
        completion?(response, error)
      }
    }
  }
}
