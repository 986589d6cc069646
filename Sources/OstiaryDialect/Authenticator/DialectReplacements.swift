public import Foundation
public import HTTPTypes
public import OstiaryCore

/// Parts of a dialect that closures take over, where data can't say it. Each is asked in the place of the document's own part, and may
/// leave a case to it.
///
/// A closure must be pure and quick unless it says otherwise; it gets secrets, and must not keep or show them.
public struct DialectReplacements: Sendable {
  /// Has the last look at each of the dialect's own requests, before it is sent: a longer time-out, a signature.
  public var prepare: (@Sendable (inout TransportRequest, DialectStep) -> Void)?
  /// Reads the session's token of a successful answer; `nil` leaves it to the document.
  public var readToken: (@Sendable (TransportResponse, DialectStep) -> Secret?)?
  /// Changes what was read of a successful answer, which it gets as JSON. What it throws is the error of the step.
  public var grant: (@Sendable (SessionGrant, JSONValue?, DialectStep) throws -> SessionGrant)?
  /// Gives an answer that is no success and has no meaning, or that can't be read, other words, another code or another disposition.
  /// It is called once for each such error, and not for what the document names.
  public var explain: (@Sendable (OstiaryError, DialectFailure) -> OstiaryError)?
  /// Says what a response to a request of the session means; `nil` leaves it to the document.
  public var judge: (@Sendable (TransportResponse, TransportRequest) -> Verdict?)?
  /// Says how many bytes of a streamed response ``judge`` has to see, at least.
  public var bodyNeeded: (@Sendable (StreamingResponse, TransportRequest) -> Int)?
  /// Makes what requests carry, once for each version of the session; `nil` leaves it to the document.
  public var attachment: (@Sendable (Session) -> ProofAttachment?)?

  /// Replaces nothing.
  public init() {}
}

/// An answer that has no meaning or can't be read, for a closure that explains it.
public struct DialectFailure: Sendable {
  /// What the call was for.
  public let step: DialectStep
  /// What was asked, without its body.
  public let request: HTTPRequest
  /// What the server answered.
  public let response: TransportResponse
  /// When the answer came, by this device's clock.
  public let now: Date
  /// What no text may repeat: the password, the code, tokens, and secret settings.
  public let secrets: [Secret]

  /// Describes a failure.
  public init(step: DialectStep, request: HTTPRequest, response: TransportResponse, now: Date, secrets: [Secret]) {
    self.step = step
    self.request = request
    self.response = response
    self.now = now
    self.secrets = secrets
  }
}

extension DialectFailure: Redacted {
  /// The step and the status. Request and answer may hold secrets.
  public var description: String { "\(step.rawValue): \(response)" }
}
