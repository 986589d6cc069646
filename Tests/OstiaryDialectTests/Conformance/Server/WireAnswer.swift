import Foundation
import OstiaryCore
import OstiaryTesting

/// An answer that is being written: a published example, or nothing, to which values are added at the places that a document names.
struct WireAnswer: Sendable {
  var status = 200
  /// Names and values.
  var fields: [(String, String)] = []
  var body: JSONValue?
  /// A page, where a value stands in one.
  var page = ""
  /// A text that is the whole body.
  var text: String?

  var action: LoopbackServer.Action {
    if let text { return .response(status, text.isEmpty ? fields : typed("text/plain"), body: text) }
    if page.isEmpty {
      guard let body, let data = try? JSONEncoder().encode(body) else { return .response(status, fields) }
      return .response(status, typed("application/json"), body: String(decoding: data, as: UTF8.self))
    }
    return .response(status, typed("text/html"), body: "<html><head></head><body>\(page)</body></html>")
  }

  private func typed(_ type: String) -> [(String, String)] {
    let isThere = fields.contains { $0.0.lowercased() == "content-type" }
    return fields + (isThere ? [] : [("Content-Type", type)])
  }

  mutating func set(_ name: String, _ value: String) {
    fields.removeAll { $0.0.lowercased() == name.lowercased() }
    fields.append((name, value))
  }

  mutating func set(_ value: JSONValue, at pointer: String) {
    let place = WirePointer(pointer)
    let present = body.flatMap { place.value(in: $0) }
    text = nil
    body = place.setting(value.spelled(like: present), in: body)
  }

  // MARK: Reads

  /// Writes a value where a read of the document looks for it.
  /// - Returns: whether it could be written: a claim of a token stands in the token.
  @discardableResult
  mutating func write(_ value: JSONValue, for reads: JSONValue?) -> Bool {
    for read in reads?.array ?? [reads ?? .null] {
      if let pointer = read.string {
        set(value, at: pointer)
        return true
      }
      guard let text = value.wireText else { continue }
      let spelled =
        (read["after"]?.string ?? "") + (read["as"] == "percentDecoded" ? PercentEncoding.encode(text) : text)
      // A claim stands in the token.
      if read["jwt"] != nil || read["text"] != nil { continue }
      if let pointer = read["pointer"]?.string {
        set(read["after"] == nil && read["as"] == nil ? value : .string(spelled), at: pointer)
        return true
      }
      if let name = read["header"]?.string {
        set(name, spelled)
        return true
      }
      if let name = read["cookie"]?.string {
        fields.append(("Set-Cookie", "\(name)=\(spelled); Path=/"))
        return true
      }
      if read["body"] == true {
        self.text = spelled
        return true
      }
      if let name = read["formField"]?.string {
        page += "<form method=\"post\"><input type=\"hidden\" name=\"\(name)\" value=\"\(spelled)\"></form>"
        return true
      }
      if let name = read["meta"]?.string {
        page += "<meta name=\"\(name)\" content=\"\(spelled)\">"
        return true
      }
    }
    return false
  }

  /// Writes when a token is over, where the document reads it.
  mutating func write(expiry: Date, now: Date, for reads: JSONValue?) {
    for read in reads?.array ?? [reads ?? .null] {
      if let place = read["in"], place.double == nil {
        let seconds = expiry.timeIntervalSince(now)
        let isThousandths = read["unit"] == "milliseconds"
        write(.integer(Int64((isThousandths ? seconds * 1000 : seconds).rounded())), for: place)
        return
      }
      if let place = read["at"] {
        write(Self.text(of: expiry, as: read["as"]?.string ?? "rfc3339", zone: read["zone"]?.string), for: place)
        return
      }
    }
  }

  private static func text(of date: Date, as form: String, zone: String?) -> JSONValue {
    switch form {
    case "http": return .string(HTTPDate.format(date))
    case "epoch": return .integer(Int64(date.timeIntervalSince1970))
    case "epochMilliseconds": return .integer(Int64(date.timeIntervalSince1970 * 1000))
    default: break
    }
    var offset = 0.0
    if let zone, let hours = Double(zone.dropFirst().prefix(2)), let minutes = Double(zone.suffix(2)) {
      offset = (hours * 60 + minutes) * (zone.hasPrefix("-") ? -60 : 60)
    }
    let text = date.addingTimeInterval(offset).formatted(.iso8601)
    switch form {
    case "iso8601NoZone": return .string(text.replacing("Z", with: ""))
    case "sql": return .string(text.replacing("Z", with: "").replacing("T", with: " "))
    default: return .string(text)
    }
  }

  // MARK: Conditions

  /// Makes the answer one that a condition is true of, as far as a condition says what there must be.
  mutating func satisfy(_ condition: JSONValue) {
    for part in condition["all"]?.array ?? [] { satisfy(part) }
    if let first = condition["any"]?.array?.first { satisfy(first) }
    if let status = condition["status"] {
      let number = status.double ?? status.array?.first?.double ?? status["from"]?.double
      self.status = number.map { Int($0) } ?? self.status
    }
    if let name = condition["header"]?.string, condition["exists"] != false {
      set(name, condition["is"]?.string ?? condition["contains"]?.string ?? "there")
    }
    if let pointer = condition["pointer"]?.string, condition["exists"] != false {
      let value = condition["is"] ?? condition["isOneOf"]?.array?.first ?? condition["contains"] ?? "there"
      let place = WirePointer(pointer)
      let present = body.flatMap { place.value(in: $0) }
      let isThere = condition["exists"] == true && present != nil
      if !isThere {
        text = nil
        body = place.setting(value, in: body)
      }
    }
    if let text = condition["body"]?["contains"]?.string {
      if body == nil { body = .object([:]) }
      let isThere = body.flatMap { try? JSONEncoder().encode($0) }
        .map { String(decoding: $0, as: UTF8.self).lowercased().contains(text.lowercased()) }
      if isThere != true { set(.string(text), at: "/conformance_message") }
    }
  }
}
