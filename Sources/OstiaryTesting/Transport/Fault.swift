import Foundation
public import HTTPTypes
public import OstiaryCore

/// Something that goes wrong, or takes its time, between a client and a server.
public enum Fault: Sendable {
  // MARK: On the way to the server

  /// The request takes so long to arrive, by the transport's clock. Longer than its time-out, it times out.
  case delay(Duration)
  /// The request waits at a gate, before the server acts.
  case hold(Gate)
  /// No connection: the server has not seen the request, and the client knows.
  case refuseConnection
  /// The connection breaks before the server acts. The client can't know that it hasn't.
  case dropBeforeServerActs
  /// Nothing happens until the request's time-out, by the transport's clock. The server has not acted.
  case hang

  // MARK: Instead of the server

  /// An intermediary answers; the server has not acted.
  case respond(TransportResponse)

  // MARK: On the way back

  /// The server has acted; its response waits at a gate.
  case holdResponse(Gate)
  /// The server has acted; its response is lost.
  case dropAfterServerActed
  /// The server has acted; its response head arrives, and so many bytes of the body before the connection breaks.
  case truncate(at: Int)
  /// The server has acted; what arrives is not HTTP.
  case garbage
  /// The server has acted; its body arrives as noise of the same length.
  case garble(seed: UInt64)
  /// The server has acted; its response announces so many bytes.
  case announce(bytes: Int64)
  /// The server has acted; its response never ends.
  case endless
}

extension Fault {
  /// The server has acted; its response head arrives and then the connection is reset.
  public static var reset: Fault { .truncate(at: 0) }

  /// An intermediary answers with this status and an empty body; the server has not acted.
  public static func status(_ status: HTTPResponse.Status, headerFields: HTTPFields = [:]) -> Fault {
    .respond(TransportResponse(HTTPResponse(status: status, headerFields: headerFields)))
  }

  /// An intermediary redirects; the server has not acted. A captive portal does that.
  public static func redirect(to location: String, status: HTTPResponse.Status = .found) -> Fault {
    .status(status, headerFields: [.location: location])
  }

  /// An intermediary answers 200 with a page; the server has not acted.
  public static func page(_ html: String) -> Fault {
    let head = HTTPResponse(status: .ok, headerFields: [.contentType: "text/html; charset=utf-8"])
    return .respond(TransportResponse(head, body: Data(html.utf8)))
  }
}

/// Which faults befall which requests.
public struct FaultPlan: Sendable {
  private struct Rule: Sendable {
    let faults: [Fault]
    let match: RequestMatch
    let occurrence: Occurrence
    var seen = 0
  }

  private var rules: [Rule] = []

  /// Makes a plan in which nothing goes wrong.
  public init() {}

  /// Adds faults for some of the requests that match. Each rule counts its own matches; all rules that apply, apply in
  /// the order they were added.
  public mutating func inject(_ faults: Fault..., into match: RequestMatch = .any, at occurrence: Occurrence = .every) {
    rules.append(Rule(faults: faults, match: match, occurrence: occurrence))
  }

  /// The faults for the next request.
  mutating func faults(for request: TransportRequest) -> [Fault] {
    var faults: [Fault] = []
    for index in rules.indices where rules[index].match.includes(request) {
      rules[index].seen += 1
      if rules[index].occurrence.includes(rules[index].seen) { faults += rules[index].faults }
    }
    return faults
  }
}
