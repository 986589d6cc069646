import Foundation
import HTTPTypes
import OstiaryCore

/// The outcome of a call, for pages, the JSON interface and challenges.
struct FlowOutcome: Sendable {
  var status: HTTPResponse.Status
  var document: FlowDocument
  /// The problem, if there was one.
  var problem: FlowIssue.Code?
  /// The user who signs in.
  var signedIn: User?
  /// Their session, at an interface that has sessions.
  var session: FlowSession?
  /// The address to which the client wanted to go in the end.
  var returnTo: String?
  var retryAfter: Duration?

  init(_ document: FlowDocument, returnTo: String? = nil) {
    status = .ok
    self.document = document
    self.returnTo = returnTo
  }

  init(_ problem: FlowIssue.Code, _ status: HTTPResponse.Status, _ document: FlowDocument) {
    self.status = status
    self.document = document
    self.problem = problem
  }
}

/// A session that a flow has begun, in the transaction of its last step.
struct FlowSession: Sendable {
  let user: User
  /// What the client shows from now on.
  let proof: Secret
  let endsAt: Date
  /// Whether this answers a submission that is sent again, whose first time may have ended the session of another user.
  var mayHaveReplaced = false
}

/// The sessions of an interface to the flows.
struct FlowSessions: Sendable {
  let sessions: ServerSessions
  /// The id of the session that a proof proves at this interface.
  let id: @Sendable (_ proof: Secret) -> Secret
}

/// The client that submits a flow.
struct FlowClient: Sendable {
  /// The browser's number; nil for the JSON interface.
  let browser: String?
  /// The user who is signed in.
  var user: User?
  /// For limits and the log.
  var address: String
  let requestID: String
  /// What the reader understands, the best first (BCP 47).
  var languages: [String] = []
  /// The browser, if it has signed in here before.
  var device: KnownDevice?
  /// The page that the person is on, if it isn't that of the flow which is submitted.
  var page: String?
  /// Where its session begins; nil at an interface that has none.
  var sessions: FlowSessions?

  var source: GuessSource { GuessSource(address: ClientAddress(address), device: device) }
}
