internal import Foundation
internal import Ostiary

/// Recognises and answers the challenges of one gateway. To be subclassed.
///
/// A drop-in for the class of this name in IBM's MobileFirst SDK 8.0; the vendor's page "GatewayChallengeHandler Class
/// Reference" tells how it is meant.
///
/// - **Recognising**: ``canHandleResponse(_:)`` is called for responses of any status, on any thread, perhaps several
///   times for one response, and must only look at its argument.
/// - **Answering**: ``handleChallenge(_:)``, ``onSuccess(_:)`` and ``onFailure(_:)`` are called on the main actor, one
///   challenge at a time. While it is being answered, every other request that is challenged waits.
/// - **Ending**: ``submitSuccess(_:)`` sends the challenged requests again, ``BaseChallengeHandler/cancel()`` lets them fail.
///   Both, and ``submitLoginForm(_:requestParameters:requestHeaders:requestTimeoutInMilliSeconds:requestMethod:)``, may be
///   called by any thread, from within ``handleChallenge(_:)``, without a challenge, and more often than needed.
/// - A handler that is released while it has a challenge in hand lets the requests that wait fail.
@preconcurrency @MainActor
open class GatewayChallengeHandler: BaseChallengeHandler, WLDelegate {
  /// Hears of the responses to login forms; without a delegate the handler itself does. The reference is weak.
  public weak var submitLoginFormDelegate: (any WLDelegate)?

  /// Makes a handler without a name.
  nonisolated public override init() { super.init() }

  /// Makes a handler.
  /// - Parameter name: any name; a client keeps one handler of a name.
  nonisolated public override init!(name: String!) { super.init(name: name) }

  /// Makes a handler, as version 7.1 named it.
  /// - Parameter realm: any name; a client keeps one handler of a name.
  nonisolated public override init!(realm: String!) { super.init(realm: realm) }

  /// Makes a handler for a gateway.
  /// - Parameter gatewayName: any name; a client keeps one handler of a name. It is not used for recognising.
  nonisolated public init!(gatewayName: String!) { super.init(name: gatewayName) }

  /// Whether a response is a challenge of this gateway. To be overridden; `false` unless ``canHandle(_:)`` is.
  ///
  /// Called for almost every response, with any status, on any thread. It must only look at the response.
  nonisolated open func canHandleResponse(_ response: WLResponse!) -> Bool { canHandle(response) }

  /// `canHandleResponse(_:)` as Swift called it while the vendor's header did not name it.
  nonisolated open func canHandle(_ response: WLResponse!) -> Bool { false }

  /// Answers a challenge: shows a login screen, for example. To be overridden, and to end in ``submitSuccess(_:)`` or
  /// ``BaseChallengeHandler/cancel()``, now or later. A handler that does not override it cancels.
  open func handleChallenge(_ response: WLResponse!) { cancel() }

  /// Tells that the challenge is answered: every request that waits is sent again.
  ///
  /// With the very response that ``handleChallenge(_:)`` got, and if nothing has happened since (no login form submitted,
  /// no cookie changed), it tells that the response is no challenge after all: it is then handed over like any other,
  /// and nothing is sent twice.
  nonisolated open func submitSuccess(_ response: WLResponse!) {
    challenges.end(with: response?.identity)
  }

  /// Sends a login form. What comes of it is told to ``onSuccess(_:)`` or ``onFailure(_:)``, once; no handler is asked
  /// whether it is a challenge.
  ///
  /// One challenge may take twenty forms. The next is not sent, and all waiting requests get
  /// ``WLErrorCode/authorizationFailure``: a handler that repeats a password by itself would go on for ever.
  /// - Parameters:
  ///   - requestUrl: an address that begins with `http://` or `https://`, or one relative to the `api/` of the server:
  ///     a leading slash is not the host's root, and `../` leads no further up than that.
  ///   - parameters: the form's fields; a value that is an array is sent as so many fields.
  ///   - headers: fields, which replace others of their names.
  ///   - timeout: in milliseconds; 0 and less mean ``WLClient/defaultLoginFormTimeoutInterval``, which is 10,000.
  ///   - method: `GET` or `POST`, in any case; everything else means `POST`.
  nonisolated open func submitLoginForm(
    _ requestUrl: String!, requestParameters parameters: [AnyHashable: Any]!,
    requestHeaders headers: [AnyHashable: Any]!, requestTimeoutInMilliSeconds timeout: Int32,
    requestMethod method: String!
  ) {
    guard challenges.noteForm() else {
      let error = OstiaryError(
        .challengedAgain, "The challenge has taken too many login forms; this one was not sent.",
        requestMayHaveExecuted: false)
      MainActorDelivery.deliver { self.deliver(.failure(error)) }
      return
    }
    let form = LoginForm(
      address: requestUrl, parameters: parameters, fields: headers, milliseconds: timeout, method: method)
    // The handler stays until it has heard.
    challenges.client.submit(form) { outcome in await self.deliver(outcome) }
  }

  /// A login form was answered with a status from 200 to 299, after redirects. To be overridden: a page with status 200
  /// may well say that the password is wrong. By default a response that is a challenge is handled as one, and any other
  /// submitted as success.
  open func onSuccess(_ response: WLResponse!) {
    canHandleResponse(response) ? handleChallenge(response) : submitSuccess(response)
  }

  /// A login form was answered with another status, or not at all. To be overridden: with some gateways a 401 is part of
  /// the conversation. By default a response that is a challenge is handled as one; otherwise the challenge is
  /// cancelled.
  open func onFailure(_ response: WLFailResponse!) {
    canHandleResponse(response) ? handleChallenge(response) : cancel()
  }

  private func deliver(_ outcome: Outcome) { outcome.hand(to: submitLoginFormDelegate ?? self) }
}
