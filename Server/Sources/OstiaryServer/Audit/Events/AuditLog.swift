import Foundation
internal import Logging

/// Writes one structured record for every outcome of an authentication.
///
/// A record has the time, pathway, target (the given name), address, result and request id. Control characters are
/// encoded: a client can't forge a line by choosing a name. A record never contains a password, a hash or a session id.
struct AuditLog: Sendable {
  let logger: Logger

  func record(
    _ result: String, pathway: Pathway, target: String, address: ClientAddress?, requestID: String?, at time: Date,
    error: ServerError? = nil
  ) {
    var metadata: Logger.Metadata = [
      "event": "authentication",
      "time": "\(time.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true)))",
      "pathway": "\(Self.encoded(pathway.rawValue))",
      "target": "\(Self.encoded(target))",
      "address": "\(address?.description ?? "-")",
      "result": "\(result)",
      "request_id": "\(Self.encoded(requestID ?? "-"))",
    ]
    if let error { metadata["error"] = "\(error.code)" }
    logger.log(level: error == nil ? .info : .error, "authentication \(result)", metadata: metadata)
  }

  /// At most 256 characters; every character that is not plainly printable is written as `\u{…}`.
  static func encoded(_ text: String) -> String {
    var result = ""
    var count = 0
    for scalar in text.unicodeScalars {
      guard count < 256 else { return result + "…" }
      count += 1
      if scalar.isUnprintable || scalar == "\\" {
        result += "\\u{" + String(scalar.value, radix: 16) + "}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
