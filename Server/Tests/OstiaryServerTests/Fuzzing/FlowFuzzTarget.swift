import Foundation
import OstiaryCore

@testable import OstiaryServer

/// One reader of what clients of the self-service flows send, as a function of bytes that must neither trap nor take long
/// for any of them.
///
/// `make fuzz` lets libFuzzer look for bytes that break it; `Server/Fuzz/Corpus/NAME` keeps those it started from and those it
/// found, and the tests run them all.
struct FlowFuzzTarget: Sendable {
  /// The name of its folder in the corpus.
  let name: String
  /// Throws ``PropertyBroken`` when the reader does, but answers what it must not.
  let run: @Sendable ([UInt8]) throws -> Void

  /// All of them.
  static let all = [form, json, token, mail]

  /// Something that has to hold for all input does not.
  struct PropertyBroken: Error {
    let property: String
  }

  private static func require(_ condition: Bool, _ property: String) throws {
    guard condition else { throw PropertyBroken(property: property) }
  }

  // MARK: What is submitted

  /// The form of a page.
  private static let form = FlowFuzzTarget(name: "flow-form") { bytes in
    guard let form = FormFields(encoded: bytes) else { return }
    try judge(FlowSubmission(form: form))
  }

  /// What programs send.
  private static let json = FlowFuzzTarget(name: "flow-json") { bytes in
    guard let submission = FlowSubmission(json: bytes) else { return }
    try judge(submission)
  }

  private static let forms = FlowForms(minimumPassword: 15, hasMail: true, offersSignUp: true)
  private static let tags: Set<String> = [
    "!", "html", "head", "meta", "title", "style", "body", "main", "h1", "p", "a", "form", "input",
    "label", "span", "button",
    "div", "strong", "ul", "li",
  ]

  /// Submits it to every call of every step: each takes its own fields and no others, and what comes back holds no secret and
  /// no markup that was sent.
  private static func judge(_ submission: FlowSubmission) throws {
    for (kind, steps) in FlowModel.calls {
      for (step, calls) in steps {
        for call in calls { try judge(submission, as: call, of: kind, at: step) }
      }
    }
  }

  private static func judge(
    _ submission: FlowSubmission, as call: FlowCall, of kind: FlowKind, at step: FlowStep
  ) throws {
    let fields = forms.fields(kind, step)
    let names = FlowForms.names(of: call)
    let checked = FlowValidator(policy: .standard, fields: fields).check(call, submission.fields)
    try require(Set(checked.values.keys).isSubset(of: names), "a call takes its own fields")
    if checked.problems.isEmpty {
      for field in fields where names.contains(field.name) {
        let value = checked.values[field.name] ?? ""
        try require(!field.isRequired || !value.isEmpty, "what must be filled in is")
        try require(
          value.unicodeScalars.count <= field.maximumLength, "nothing is longer than allowed")
      }
      try require(submission.fields.count <= names.count, "nothing is sent twice")
    }
    var document = FlowDocument(
      id: "id", kind: kind, step: step, expiresAt: Date(timeIntervalSince1970: 0))
    document.fields = fields
    document.buttons = forms.buttons(kind, step, resendAt: nil)
    document.add(checked.problems)
    document.keep(checked.values)
    try require(
      document.fields.allSatisfy { !$0.kind.isSecret || $0.value == nil }, "secrets never come back"
    )
    let page = FlowPage(service: "Acme").page(document).html.source
    let found = page.components(separatedBy: "<").dropFirst().map { piece in
      piece.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber || $0 == "!" }.lowercased()
    }
    try require(
      Set(found.map { $0.hasPrefix("!") ? "!" : $0 }).isSubset(of: tags),
      "nothing that was sent is markup")
    let json = document.json()
    try require(JSONValue(json: try JSONEncoder().encode(json)) == json, "the document is JSON")
  }

  // MARK: What is carried

  /// The text of a token, the parts of one, and a place to change it in.
  private static let token = FlowFuzzTarget(name: "flow-token") { bytes in
    let seal = FlowSeal(.temporary())
    try require(seal.open(String(decoding: bytes, as: UTF8.self)) == nil, "nobody can make a token")
    let parts = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n")
    func part(_ index: Int) -> String? {
      parts.count > index && !parts[index].isEmpty ? parts[index] : nil
    }
    let token = FlowToken(
      kind: FlowKind.allCases[bytes.count % FlowKind.allCases.count], number: parts[0],
      browser: part(1), userID: part(2),
      returnTo: part(3), expiresAt: Date(timeIntervalSince1970: 1_800_000_000))
    let text = try seal.seal(token)
    // One with the sign in it that keeps its parts apart, or of too much text, is not opened at all.
    try require([token, nil].contains(seal.open(text)), "a token is never another one")
    if !bytes.contains(0x1F), bytes.count < 2000 {
      try require(seal.open(text) == token, "a token is opened again")
    }
    guard var damaged = text.decodedBase64URL else {
      throw PropertyBroken(property: "a token is base64url")
    }
    damaged[Int(bytes.first ?? 0) % damaged.count] ^= 1 << (bytes.last.map { $0 & 7 } ?? 0)
    try require(seal.open(damaged.base64URL) == nil, "a changed token isn't opened")
    try require(FlowSeal(.temporary()).open(text) == nil, "another server's token isn't opened")
  }

  /// An address and a name, as mail is written to them.
  private static let mail = FlowFuzzTarget(name: "flow-mail") { bytes in
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: "\n", maxSplits: 1).map(
      String.init)
    _ = FlowCode(typed: parts.first ?? "")
    guard let address = MailAddress(parts.first ?? ""), let from = MailAddress("from@example.org")
    else { return }
    try require(MailAddress(address.description) == address, "an address stays itself")
    try require(
      address.description.unicodeScalars.allSatisfy {
        $0 != "<" && $0 != ">" && !$0.properties.isWhitespace && $0.value > 0x20
      },
      "an address is one word")
    let name = parts.count > 1 ? parts[1] : ""
    let text = MailText(from: from, fromName: name).bytes(
      of: MailMessage(to: address, subject: name, text: name), to: address,
      date: Date(timeIntervalSince1970: 0))
    let head = String(decoding: text, as: UTF8.self).components(separatedBy: "\r\n\r\n")[0]
    let lines = head.components(separatedBy: "\r\n")
    let fields = lines.filter { $0.first.map { !$0.isWhitespace } ?? true }.map {
      $0.prefix { $0 != ":" }
    }
    try require(
      fields == [
        "From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version",
        "Content-Type",
        "Content-Transfer-Encoding",
      ], "a mail's head holds what it should")
    try require(
      !head.replacing("\r\n", with: "").utf8.contains { $0 < 0x20 && $0 != 0x09 },
      "no line ends of others")
  }
}
