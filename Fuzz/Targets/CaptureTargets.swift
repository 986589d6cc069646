import Foundation
import OstiaryCore
import OstiaryDialect

extension FuzzTarget {
  /// A line of curl.
  static let dialectCurl = FuzzTarget(name: "dialect-curl") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    if let words = try? ShellWords.split(text) {
      try require(words.count <= ShellWords.maximumWords, "words are bounded")
      // What each word is written as comes back as it.
      let quoted = words.map { CaptureProperties.quoted($0) }.joined(separator: " ")
      if quoted.utf8.count <= ShellWords.maximumBytes {
        try require((try? ShellWords.split(quoted)) == words, "words come back from their quotations")
      }
    }
    for line in [text, "curl \(text)"] {
      guard let call = try? CurlLine.call(line) else { continue }
      try require(Origin(call.url) != nil && call.url.user() == nil, "a call goes to an origin")
      try CaptureProperties.check(call)
    }
  }

  /// A HAR file.
  static let dialectHAR = FuzzTarget(name: "dialect-har") { bytes in
    guard let calls = try? HARFile.calls(Data(bytes)) else { return }
    try require(calls.count <= HARFile.maximumCalls, "calls are bounded")
    guard let index = try? HARFile.login(in: calls) else { return }
    let login = calls[index]
    guard let answer = login.answer else { return }
    var proposal = DialectProposal(login, answer: answer, name: "draft", title: "Draft")
    proposal.follow(Array(calls[(index + 1)...]), answer: answer)
    try CaptureProperties.check(login, proposal, answer)
  }
}

/// What holds for each call that was captured, and for the draft that is made of it.
private enum CaptureProperties {
  /// A word in single quotation marks, by bytes: a mark with a combining character after it is another character.
  static func quoted(_ word: String) -> String {
    let bytes = word.utf8.flatMap { $0 == UInt8(ascii: "'") ? Array("'\\''".utf8) : [$0] }
    return "'" + String(decoding: bytes, as: UTF8.self) + "'"
  }

  static func check(_ call: OstiaryDialect.CapturedCall) throws {
    let answer = CapturedAnswer(
      status: 200, body: Data(#"{"token":"a1b2c3d4e5f6a7b8","expires_in":60,"user":{"id":7}}"#.utf8))
    try check(call, DialectProposal(call, answer: answer, name: "draft", title: "Draft"), answer)
  }

  static func check(_ call: OstiaryDialect.CapturedCall, _ proposal: DialectProposal, _ answer: CapturedAnswer) throws {
    try require(call.inputs.count <= OstiaryDialect.CapturedCall.maximumInputs, "inputs are bounded")
    let finder = AnswerFinder(answer, to: call)
    let findings = finder.findings
    try require(findings.count <= AnswerFinder.maximumFindings, "findings are bounded")
    for finding in findings {
      try require(finder.value(of: finding) != nil, "a finding has a value")
    }
    let document = proposal.document()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    let text = try encoder.encode(document)
    // A draft may lack something, and then its check says what.
    if let dialect = try? Dialect(json: text) {
      try require((try? Dialect(json: dialect.json())) == dialect, "a draft comes back from its document")
    }
    // A long value that was found is nowhere in it: names of members and places come from elsewhere.
    for finding in findings where finding.likeness == .token || finding.likeness == .renewalToken {
      guard let value = finder.value(of: finding)?.reveal(), value.utf8.count >= 24 else { continue }
      let sent = call.url.absoluteString + String(decoding: call.body ?? Data(), as: UTF8.self)
      let stands = sent.contains(value) || call.fields.contains { $0.name.contains(value) }
      let isName = findings.contains { $0.name.contains(value) } || call.inputs.contains { $0.name.contains(value) }
      guard !stands, !isName else { continue }
      try require(!String(decoding: text, as: UTF8.self).contains(value), "no token is in a draft")
    }
  }
}
