internal import OstiaryCore

extension DialectCheck {
  /// A template, its names, and what of it is sent as it is.
  mutating func check(
    _ template: DialectTemplate, in use: TemplatePlace, _ scope: DialectScope, at place: [String]
  ) {
    if let fault = template.fault {
      return add(place, "The template \(fault).", "A value is written {name}; {{ and }} are braces.")
    }
    for value in template.values { check(value, of: template, in: use, scope, at: place) }
    switch use {
    case .path: checkPath(template, at: place)
    case .header:
      let sample = template.pieces.map { if case .literal(let text) = $0 { text } else { "x" } }.joined()
      if checkLiterals(template, DialectName.isFieldLiteral, at: place), !DialectName.isFieldValue(sample) {
        add(place, "The text is none that a field carries.", "Remove blanks at its ends, or write something.")
      }
    case .cookie: _ = checkLiterals(template, { $0.utf8.allSatisfy(DialectName.isCookieByte) }, at: place)
    case .query, .json, .form, .basic, .text: break
    }
  }

  private mutating func check(
    _ value: DialectTemplate.Value, of template: DialectTemplate, in use: TemplatePlace, _ scope: DialectScope,
    at place: [String]
  ) {
    if DialectName.passwords.contains(value.name) {
      if !scope.signsIn {
        add(
          place, "\(value.name) stands outside of signIn and continue.",
          "Passwords and codes are sent in a sign-in only: remove it.")
      } else if !use.admitsPassword {
        add(
          place, "\(value.name) stands in \(use.name), where it would be logged.",
          "Write it into a JSON body, a form or Basic credentials.")
      }
    } else if !scope.names.contains(value.name) {
      add(
        place, "Nothing gives \(value.name) a value before it is used here.",
        "Add it to settings or to the reads of an earlier call, or use one of "
          + "\(DialectFinding.list(scope.names.sorted())).", kind: .unknownName)
    }
    if value.kind != .text, use != .json || template.onlyValue == nil {
      add(
        place, "Only a whole text of a JSON body can be a \(value.kind == .number ? "number" : "flag").",
        "Write {\(value.name)}, or let the value be the whole text.")
    }
    if value.isOptional, use == .path || use == .cookie {
      add(place, "A value of \(use.name) can't be absent.", "Write {\(value.name)} without the question mark.")
    }
  }

  private mutating func checkLiterals(
    _ template: DialectTemplate, _ isAllowed: (String) -> Bool, at place: [String]
  ) -> Bool {
    let allowed = template.pieces.allSatisfy { piece in
      if case .literal(let text) = piece { isAllowed(text) } else { true }
    }
    if !allowed {
      add(place, "The text has characters that can't be sent there.", "Write visible ASCII characters only.")
    }
    return allowed
  }

  /// A path stays below its origin with any values.
  private mutating func checkPath(_ template: DialectTemplate, at place: [String]) {
    // Each value is at least one character that is no dot; those that aren't are refused when they are there.
    var text = ""
    for piece in template.pieces {
      switch piece {
      case .literal(let literal): text += literal
      case .value: text += "x"
      }
    }
    guard text.utf8.allSatisfy(DialectPath.isPathByte) else {
      return add(
        place, "The path has characters that can't stand there.",
        "Escape them with a percent sign; a query is a member of its own.")
    }
    checkPathShape(text, at: place)
  }

  mutating func checkPathShape(_ text: String, at place: [String]) {
    let segments = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard segments.count > 1, segments[0].isEmpty else {
      return add(place, "The path does not begin with /.", "Write a path of the origin: /api/login.")
    }
    if segments.count > 2, segments[1].isEmpty {
      return add(place, "The path begins with two slashes, which is another host's name.", "Write one.")
    }
    for segment in segments where !segment.isEmpty && !DialectPath.staysInPlace(String(Substring(segment))) {
      return add(
        place, "A segment of the path is made of dots, or has an escape that is none.",
        "Write the path that it leads to.")
    }
  }
}
