import Foundation
internal import Logging

/// Writes one structured record for every outcome of an authentication.
///
/// A record has the time, pathway, target (the name that was given), address, result and request id. Control characters
/// are encoded, so that nobody can forge a line by choosing a name. A password, hash or session id is never part of it.
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

  /// At most 256 characters, with everything that is not plainly printable written as `\u{…}`.
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
