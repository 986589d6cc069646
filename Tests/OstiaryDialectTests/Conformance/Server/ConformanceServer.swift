import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport

/// A server over real HTTP of the API that a document describes, made from the document and from what its vendor publishes of answers.
final class ConformanceServer: Sendable {
  static let ann = "ann@example.com"
  /// Where the processes wait until all are there.
  static let barrierPath = "/conformance-barrier"
  static let lifetime = 3600.0
  /// The right code of every second factor.
  static let code = "planted-code-123456"

  let document: WireDocument
  let clock: ShiftedClock
  let barrier: Gate
  private let state: Locked<WireState>
  private let socket: LoopbackServer

  init(_ document: WireDocument) throws {
    self.document = document
    let state = Locked(WireState())
    self.state = state
    let responder = ConformanceResponder(document: document, accounts: [Self.account(of: document)])
    let (clock, barrier) = (ShiftedClock(), Gate())
    (self.clock, self.barrier) = (clock, barrier)
    socket = try LoopbackServer { request in
      if request.path == Self.barrierPath { return [.wait(barrier), .response(200)] }
      return state.withLock { responder.respond(to: request, &$0, now: clock.now) }
    }
  }

  deinit { socket.stop() }

  /// The address, without a slash at its end.
  var url: URL { URL(string: "http://\(socket.host):\(socket.port)") ?? socket.url() }

  /// The user. Characters that JSON, forms and Basic escape are in the password, unless it is one that a server has made.
  static func account(of document: WireDocument) -> WireAccount {
    let password =
      document.takesApplicationPassword ? "planted-AbCd-EfGh-1234-IjKl" : "planted {\"p\\w&=+%é?}/#€: ü' 🔑"
    return WireAccount(name: ann, password: password, id: 4711, displayName: "Ann Avery")
  }

  var account: WireAccount { Self.account(of: document) }

  var counts: WireState.Counts { state.withLock { $0.counts } }
  /// What a client has done that none must, in words.
  var broken: [String] { state.withLock { $0.broken } }
  /// How many sign-ins there are now.
  var logins: Int { state.withLock { $0.logins.count } }
  /// How many requests have come.
  var requestCount: Int { socket.requests.count }

  func expireTokens() { state.withLock { $0.expireTokens() } }
  func dropLogins() { state.withLock { $0.dropLogins() } }
  /// Loses the answers to the next renewals: the server acts, and the connection is closed.
  func loseAnswers(_ count: Int = 1) { state.withLock { $0.lostAnswers = count } }

  /// Wants a second factor of a kind at the next sign-in.
  func wants(factor kind: String) { state.withLock { $0.wantedFactor = kind } }

  /// Lets another host answer calls of a step, or the app's requests (`request`); `nil` lets the server answer again.
  func answers(_ step: String, _ answer: WireAnswer?) { state.withLock { $0.disguise = answer.map { (step, $0) } } }

  /// Answers every request with 503, or no longer.
  func fails(_ fails: Bool) { state.withLock { $0.isFailing = fails } }

  /// How long a token is good, in seconds.
  var lifetime: Double { ConformanceResponder(document: document, accounts: []).lifetime }

  /// What the settings of the document are here. What is planted in one must be seen nowhere.
  var settings: [String: String] { ConformanceResponder.settings(of: document) }

  /// The address of a thing of the app's.
  var thing: URL { url.appending(path: document.proof.path).appending(path: "conformance-thing") }

  /// A request of the app's that needs a session.
  func request() throws -> TransportRequest {
    guard document.proof.isInBody else { return try .get(thing) }
    return try .post(thing, body: Data("{}".utf8), contentType: "application/json")
  }
}
