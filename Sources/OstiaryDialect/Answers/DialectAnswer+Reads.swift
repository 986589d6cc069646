internal import Foundation
internal import HTTPTypes
internal import OstiaryHTML
package import OstiaryCore

extension DialectAnswer {
  /// What of an answer is read.
  package enum Part: Sendable, Hashable {
    /// Everything that the call names.
    case everything
    /// Everything but tokens: of an answer that demands more before the server gives them.
    case allButTokens
    /// Everything but the renewal token: of an answer to a renewal whose new one can't be used.
    case allButRenewalToken
    /// The renewal token alone: of an answer to a renewal that can't be used otherwise. What was shown is spent.
    case renewalToken
  }

  /// Reads what the call names.
  /// - Parameter values: the values so far, for templates and claims.
  /// - Throws: `unusableToken` for a token that no request can carry; its ``DialectPlace`` names where it was.
  package func findings(_ values: DialectValues, _ part: Part = .everything) throws(OstiaryError) -> DialectFindings {
    var reads = site.call.reads
    switch part {
    case .everything: break
    case .allButTokens: (reads.token, reads.renewalToken, reads.expiry, reads.renewalExpiry) = ([], [], [], [])
    case .allButRenewalToken: (reads.renewalToken, reads.renewalExpiry) = ([], [])
    case .renewalToken: reads = DialectReads(renewalToken: reads.renewalToken, renewalExpiry: reads.renewalExpiry)
    }
    var values = values
    var findings = DialectFindings()
    // A token may be made of values of the same answer, and a value may be a claim of the token: twice is enough for both.
    for round in 0...1 {
      if findings.token == nil, let found = try token(reads.token, "token", values) {
        findings.token = found.secret
        values["token"] = found.secret
        findings.found.append(found)
      }
      if findings.renewalToken == nil, let found = try token(reads.renewalToken, "renewalToken", values) {
        findings.renewalToken = found.secret
        values["renewalToken"] = found.secret
        findings.found.append(found)
      }
      if round == 0, let found = text(reads.kind, "kind", values) {
        findings.kind = found.value.string
        values["kind"] = found.secret
        findings.found.append(found)
      }
      for named in reads.values where findings.values[named.name] == nil {
        guard let found = text(named.reads, "values/\(DialectPointer.escape(named.name))", values) else { continue }
        findings.values[named.name] = found.secret
        values[named.name] = found.secret
        findings.found.append(found)
      }
    }
    if let found = self.name(reads.userID, "userID", values) {
      findings.userID = found.value.string
      values["userID"] = found.secret
      findings.found.append(found)
    }
    if let found = self.name(reads.userName, "userName", values) {
      findings.userName = found.value.string
      findings.found.append(found)
    }
    for named in reads.attributes {
      guard let found = find(named.reads, "attributes/\(DialectPointer.escape(named.name))", values) else { continue }
      findings.attributes[named.name] = found.value
      findings.found.append(found)
    }
    if let (date, found) = self.date(reads.expiry, "expiry", values) {
      findings.expiresAt = date
      findings.found.append(found)
    }
    if let (date, found) = self.date(reads.renewalExpiry, "renewalExpiry", values) {
      findings.renewalExpiresAt = date
      findings.found.append(found)
    }
    return findings
  }

  /// A text at the first of several places that has one.
  /// - Parameter name: the read's name below `reads`, or its place below the call where it begins with `/`.
  package func text(_ reads: [DialectRead], _ name: String, _ values: DialectValues) -> DialectFound? {
    for (index, read) in reads.enumerated() {
      guard let text = self.value(of: read, values)?.scalarText, !text.isEmpty,
        text.utf8.count <= Self.maximumTextSize
      else { continue }
      return found(.string(text), read, name, index, reads.count)
    }
    return nil
  }

  /// A name of a person or thing, without white space around it.
  private func name(_ reads: [DialectRead], _ name: String, _ values: DialectValues) -> DialectFound? {
    for (index, read) in reads.enumerated() {
      // A number with a fraction names no user; another one than the session's would end the session.
      guard let value = self.value(of: read, values), !value.hasFraction,
        let text = value.scalarText?.withoutWhiteSpaceAround, !text.isEmpty,
        text.utf8.count <= 1024
      else { continue }
      return found(.string(text), read, name, index, reads.count)
    }
    return nil
  }

  /// Any value at the first of several places that has one.
  func find(_ reads: [DialectRead], _ name: String, _ values: DialectValues) -> DialectFound? {
    for (index, read) in reads.enumerated() {
      guard let value = self.value(of: read, values), value != .null else { continue }
      return found(value, read, name, index, reads.count)
    }
    return nil
  }

  /// A token: a text, never a number.
  private func token(
    _ reads: [DialectRead], _ name: String, _ values: DialectValues
  ) throws(OstiaryError) -> DialectFound? {
    for (index, read) in reads.enumerated() {
      if case .applicationPassword = read.source {
        guard let password = values["password"] else { continue }
        return found(.string(password.reveal()), read, name, index, reads.count)
      }
      guard let value = self.value(of: read, values), value != .null else { continue }
      // Servers write an empty text where they give none.
      if name == "renewalToken", value.string?.isEmpty == true { continue }
      let found = self.found(value, read, name, index, reads.count)
      if let problem = Self.problem(ofToken: value) {
        throw OstiaryError(
          .unusableToken,
          "The server gave a \(name) that \(problem): \(found.placeInAnswer) of its answer, which “\(found.placeInDocument)” of the dialect names.",
          advice: "Check the place that the dialect names, and what the server sends there.", disposition: .misuse,
          request: request, underlying: place("/reads/\(name)", inAnswer: found.placeInAnswer))
      }
      return found
    }
    return nil
  }

  /// Why a value is no token; `nil` for one that is.
  static func problem(ofToken value: JSONValue) -> String? {
    guard let text = value.string else { return "is no text" }
    if text.isEmpty { return "is empty" }
    if text.utf8.count > maximumTokenSize { return "is longer than 16 KiB" }
    // What can't stand in a field was never a token. devpi's have blanks in them, and stand in a password's place.
    guard text.hasOnlyBytes(where: { $0 >= 0x20 && $0 < 0x7F }), text.utf8.first != 0x20, text.utf8.last != 0x20 else {
      return "has characters that no token has"
    }
    return nil
  }

  private func found(
    _ value: JSONValue, _ read: DialectRead, _ name: String, _ index: Int, _ count: Int
  ) -> DialectFound {
    DialectFound(name: name, value: value, site: site.place, index: count > 1 ? index : nil, read: read)
  }

  // MARK: One read

  /// The value that a read names; `nil` where there is none.
  private func value(of read: DialectRead, _ values: DialectValues) -> JSONValue? {
    guard let value = source(read.source, values) else { return nil }
    guard read.prefix != nil || read.isPercentDecoded else { return value }
    guard var text = value.scalarText else { return nil }
    if read.isPercentDecoded {
      guard let decoded = PercentEncoding.decode(text) else { return nil }
      text = decoded
    }
    if let prefix = read.prefix {
      guard text.utf8.starts(with: prefix.utf8) else { return nil }
      text = String(decoding: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }
    return .string(text)
  }

  private func source(_ source: DialectRead.Source, _ values: DialectValues) -> JSONValue? {
    switch source {
    case .pointer(let pointer): return json?.value(at: pointer)
    case .body: return wholeText.map { .string($0) }
    case .header(let name):
      let field = HTTPField.Name(name).flatMap { response.head.headerFields[values: $0].first }
      return field.map { .string(String(decoding: ASCII.trimmed(Array($0.utf8)), as: UTF8.self)) }
    case .cookie(let name):
      let cookie = jar.cookie(named: name, for: request, now: now) ?? jar.cookies.last { $0.name == name }
      return cookie.map { .string($0.value.reveal()) }
    case .formField(let name):
      return page.forms.lazy.compactMap { $0.field(named: name)?.value }.first.map { .string($0.reveal()) }
    case .meta(let name): return page.content(ofMeta: name).map { .string($0) }
    case .claim(let name, let pointer):
      return values[name].flatMap(UnverifiedClaims.claims)?.value(at: pointer)
    case .template(let template):
      guard let text = try? values.fill(template, in: .text) else { return nil }
      return .string(text.reveal())
    case .applicationPassword: return nil
    }
  }
}

extension DialectAnswer {
  /// The body as one word, without white space around it; `nil` for one that is empty, longer than a token, or not UTF-8.
  fileprivate var wholeText: String? {
    guard response.body.count <= Self.maximumTokenSize, let text = String(data: response.body, encoding: .utf8) else {
      return nil
    }
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    // A page of a host in between is none; the type does not tell, for servers send a token as HTML.
    guard let first = trimmed.utf8.first, first != UInt8(ascii: "<") else { return nil }
    return trimmed.contains(where: \.isWhitespace) ? nil : trimmed
  }
}

extension String {
  /// The text without white space at its ends; most texts have none there.
  fileprivate var withoutWhiteSpaceAround: String {
    guard let first = utf8.first, let last = utf8.last, !(0x21..<0x7F).contains(first) || !(0x21..<0x7F).contains(last)
    else { return self }
    return trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

extension DialectFound {
  /// The value as a text that must not be shown.
  package var secret: Secret { Secret(value.scalarText ?? "") }
}

extension DialectRead {
  /// The place in an answer that it names, in words.
  package var placeInAnswer: String {
    switch source {
    case .pointer(let pointer): pointer.parts.isEmpty ? "the whole JSON" : "“\(pointer)” of the JSON"
    case .body: "the whole body"
    case .header(let name): "the field “\(name)”"
    case .cookie(let name): "the cookie “\(name)”"
    case .formField(let name): "the form's field “\(name)”"
    case .meta(let name): "the meta element “\(name)”"
    case .claim(let name, let pointer): "“\(pointer)” of the claims of \(name)"
    case .template: "a text of values"
    case .applicationPassword: "the password that was given"
    }
  }
}
