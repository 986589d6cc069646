package import OstiaryCore

/// The named values that templates are filled with. Each stays a ``/OstiaryCore/Secret``.
package struct DialectValues: Sendable, Hashable {
  private var values: [String: Secret]

  /// Takes values by their names.
  package init(_ values: [String: Secret] = [:]) {
    self.values = values
  }

  /// A value; `nil` where it is absent.
  package subscript(name: String) -> Secret? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// The values, of which the other's count where both have one of a name.
  package func merging(_ other: [String: Secret]) -> DialectValues {
    DialectValues(values.merging(other) { _, new in new })
  }

  /// The names of the values that are there.
  package var names: Set<String> { Set(values.keys) }

  /// Everything that must not be shown.
  package var secrets: [Secret] { Array(values.values) }

  /// Fills a template, with the escaping of the place. Nothing that a value holds can leave the place.
  /// - Returns: `nil` where a value that may be absent is.
  /// - Throws: `invalidInput`, which names the value and the place, where a value is absent or can't stand there.
  package func fill(
    _ template: DialectTemplate, in place: TemplatePlace
  ) throws(OstiaryError) -> Secret? {
    guard template.fault == nil else { throw DialectValueRefusal.malformed.error }
    if place == .path { return try fillPath(template) }
    guard let text = try joined(template, in: place) else { return nil }
    switch place {
    case .query: return Secret(PercentEncoding.encode(text))
    case .header: try Self.checkField(text, of: template)
    case .cookie: try Self.checkCookie(text, of: template)
    case .path, .json, .form, .basic, .text: break
    }
    return Secret(text)
  }

  /// The literals and values of a template in one text.
  private func joined(_ template: DialectTemplate, in place: TemplatePlace) throws(OstiaryError) -> String? {
    var text = ""
    for piece in template.pieces {
      switch piece {
      case .literal(let literal): text += literal
      case .value(let value):
        guard value.kind == .text else { throw DialectValueRefusal.typed(value.name, place).error }
        guard let filled = try self.value(value, in: place) else { return nil }
        text += filled
      }
    }
    return text
  }

  /// A value of a template, as it is.
  func value(_ value: DialectTemplate.Value, in place: TemplatePlace) throws(OstiaryError) -> String? {
    if DialectName.passwords.contains(value.name), !place.admitsPassword {
      throw DialectValueRefusal.password(value.name, place).error
    }
    if let secret = values[value.name] { return secret.reveal() }
    guard value.isOptional else { throw DialectValueRefusal.absent(value.name, place).error }
    return nil
  }

  // MARK: Paths

  /// Literals stay as they are; a value is escaped, and no segment with a value in it may be empty or a dot segment.
  private func fillPath(_ template: DialectTemplate) throws(OstiaryError) -> Secret? {
    var segments = [(text: "", hasValue: false)]
    for piece in template.pieces {
      switch piece {
      case .literal(let literal):
        guard literal.utf8.allSatisfy(DialectPath.isPathByte) else { throw DialectValueRefusal.malformed.error }
        for (index, part) in literal.split(separator: "/", omittingEmptySubsequences: false).enumerated() {
          if index > 0 { segments.append(("", false)) }
          segments[segments.count - 1].text += part
        }
      case .value(let value):
        guard value.kind == .text else { throw DialectValueRefusal.typed(value.name, .path).error }
        guard let filled = try self.value(value, in: .path) else { return nil }
        segments[segments.count - 1].text += PercentEncoding.encode(filled)
        segments[segments.count - 1].hasValue = true
      }
    }
    for segment in segments where segment.hasValue || !segment.text.isEmpty {
      guard DialectPath.staysInPlace(segment.text) else { throw DialectValueRefusal.segment(template.names).error }
    }
    // Two slashes at the beginning would be another host's name.
    guard segments.count > 1, segments[0].text.isEmpty, segments.count == 2 || !segments[1].text.isEmpty else {
      throw DialectValueRefusal.malformed.error
    }
    return Secret(segments.map(\.text).joined(separator: "/"))
  }

  // MARK: Fields and cookies

  private static func checkField(_ text: String, of template: DialectTemplate) throws(OstiaryError) {
    guard DialectName.isFieldValue(text) else { throw DialectValueRefusal.characters(template.names, .header).error }
  }

  private static func checkCookie(_ text: String, of template: DialectTemplate) throws(OstiaryError) {
    guard !text.isEmpty, text.utf8.allSatisfy(DialectName.isCookieByte) else {
      throw DialectValueRefusal.characters(template.names, .cookie).error
    }
  }
}

extension DialectValues: Redacted {
  /// The names of the values.
  package var description: String { "values(\(values.keys.sorted().joined(separator: ", ")))" }
}
