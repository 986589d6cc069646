internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// Events on their way, and what a server's answer means for them.
struct EventBatch: Sendable {
  let items: [EventQueue.Item]

  var ids: Set<String> { Set(items.map(\.event.id)) }

  /// The batch as a request.
  /// - Throws: ``OstiaryError`` `invalidRequest` for an address that HTTP can't reach.
  func request(_ configuration: EventConfiguration, to address: URL) throws -> TransportRequest {
    let body = EventRules.encoded(.object(["batch": .array(items.map(\.event.json))]))
    var request = try TransportRequest.post(address, body: body, contentType: "application/json")
    for field in configuration.headerFields { request.head.headerFields.append(field) }
    request.timeout = configuration.timeout
    request.responseBodyLimit = 64 * 1024
    return request
  }

  static func size(of event: UserEvent) -> Int { EventRules.size(of: event.json) }

  /// What a server's answer means.
  enum Verdict: Equatable {
    /// The server has them.
    case delivered
    /// Try again, not before this long.
    case later(Duration?)
    /// The server will not take these events together: fewer may do.
    case refused(Int)
  }

  /// Judges an answer by its head alone. What follows it is of no interest, and must not turn a delivery into a failure.
  ///
  /// What is about the client as a whole (a wrong key, a path that is not there yet) is no word about the events, which
  /// wait. What is about the content is: one event that can't be taken must not stop all that come after it.
  static func verdict(of head: HTTPResponse, now: Date) -> Verdict {
    let status = head.status.code
    switch status {
    case 200..<300: return .delivered
    case 400, 413, 422: return .refused(status)
    default:
      let skew = head.clockSkew(at: now) ?? 0
      return .later(
        head.headerFields[.retryAfter].flatMap {
          RetryAfter.parse($0, now: now.addingTimeInterval(skew))
        })
    }
  }
}
