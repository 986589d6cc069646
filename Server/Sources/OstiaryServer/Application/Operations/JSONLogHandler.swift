import Foundation
package import Logging
import OstiaryCore

/// Writes each message of a log as one line of JSON: `time`, `level`, `label`, `message`, `node`, `request_id` where a request
/// is being answered, `trace_id` where it is traced, and everything else in `metadata`.
///
/// It is about the log alone: what `ostiary serve` says to people on standard error remains plain text.
///
/// No text can begin another line: characters that are not printable are escaped.
package struct JSONLogHandler: LogHandler {
  private let label: String
  private let node: String
  private let write: @Sendable (String) -> Void

  package var logLevel: Logger.Level
  package var metadata: Logger.Metadata = [:]
  package var metadataProvider: Logger.MetadataProvider?

  /// - Parameters:
  ///   - label: The logger's label.
  ///   - node: The name of this server among others.
  ///   - level: The lowest level that is written.
  ///   - write: Writes a line, without its end.
  package init(label: String, node: String, level: Logger.Level = .info, write: @escaping @Sendable (String) -> Void) {
    self.label = label
    self.node = node
    self.write = write
    logLevel = level
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    var all = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(event.metadata ?? [:]) { $1 }
    let named = [all.removeValue(forKey: "hb.request.id"), all.removeValue(forKey: "request_id")].compactMap { $0 }
    let request = named.last?.description ?? AuditOrigin.current.requestID
    var members: [String: JSONValue] = [
      "time": .string(Date().formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true))),
      "level": .string(event.level.rawValue), "label": .string(label), "node": .string(node),
      "message": .string(Self.printable("\(event.message)")),
    ]
    if let request, request != "-" { members["request_id"] = .string(Self.printable(request)) }
    if let trace = TraceSpan.current?.traceID { members["trace_id"] = .string(trace) }
    if !all.isEmpty { members["metadata"] = .object(all.mapValues(Self.value)) }
    // It has no number that JSON can't write.
    guard let text = try? JSONText(.object(members)) else { return }
    write(String(decoding: text.bytes, as: UTF8.self))
  }

  private static func value(_ value: Logger.Metadata.Value) -> JSONValue {
    switch value {
    case .string(let text): .string(printable(text))
    case .stringConvertible(let text): .string(printable(text.description))
    case .array(let values): .array(values.map(Self.value))
    case .dictionary(let values): .object(values.mapValues(Self.value))
    }
  }

  /// A terminal must not be told anything by a log either.
  private static func printable(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      if scalar.isUnprintable {
        shown += "\\u{" + String(scalar.value, radix: 16) + "}"
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}
