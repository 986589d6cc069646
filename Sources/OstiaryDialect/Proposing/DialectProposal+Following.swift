internal import Foundation
internal import OstiaryCore

extension DialectProposal {
  /// Takes over what the calls after the sign-in show: how they carry the token, which one renews, who the user is, and which one signs out.
  /// - Parameters:
  ///   - calls: the calls after the one that signs in, in their order.
  ///   - answer: the answer to the sign-in.
  public mutating func follow(_ calls: [CapturedCall], answer: CapturedAnswer) {
    let finder = AnswerFinder(answer, to: call)
    let secret = token.flatMap { finder.value(of: $0) }
    let renewalSecret = renewalToken.flatMap { finder.value(of: $0) }
    // A browser asks before it sends; that is no call of the API.
    let calls = calls.filter { $0.method != "OPTIONS" && Origin($0.url) == Origin(call.url) }
    let known = values(finder)
    if let secret, let form = calls.lazy.compactMap({ Self.form(of: secret, in: $0, known) }).first { proof = form }
    for call in calls where call.isPlain(known) {
      let path = call.url.path(percentEncoded: true)
      if renewPath == nil, let renewalSecret, call.method == "POST", let name = call.memberName(of: renewalSecret),
        !Self.isSaid(in: name, known)
      {
        if !Self.isEnd(call) {
          renewPath = path
          renewName = name
          continue
        }
      }
      if endPath == nil, call.method == "POST", Self.isEnd(call) { endPath = path }
      if whoPath == nil, call.method == "GET", Self.isWho(call) {
        whoPath = path
        if let answer = call.answer { readWho(answer, of: call, known) }
      }
    }
  }

  /// What the sign-in has sent, and what is known of the user: values where they stand in a path.
  private func values(_ finder: AnswerFinder?) -> Set<String> {
    let sent = call.inputs.filter { $0.likeness != .constant }.map(\.value)
    let found = [userID, userName, token, renewalToken].compactMap { $0 }.compactMap { finder?.value(of: $0) }
    return Set((sent + found).map { $0.reveal() }.filter { $0.utf8.count >= 2 })
  }

  /// Whether a name that a document would take over has a value in it. What is shorter may be in a name by chance.
  private static func isSaid(in name: String, _ known: Set<String>) -> Bool {
    known.contains { $0.utf8.count >= 8 && name.contains($0) }
  }

  /// Takes the user of the answer to the call that tells who the user is.
  public mutating func readWho(_ answer: CapturedAnswer, of call: CapturedCall) {
    readWho(answer, of: call, values(nil))
  }

  private mutating func readWho(_ answer: CapturedAnswer, of call: CapturedCall, _ known: Set<String>) {
    // What the sign-in sent is a value here, too.
    var call = call
    call.body = call.body ?? self.call.body
    call.fields.append(contentsOf: self.call.fields)
    let findings = AnswerFinder(answer, to: call).findings.filter { !Self.isSaid(in: $0.name, known) }
    whoUserID = findings.first { $0.likeness == .userID && !$0.isCookie }
    whoUserName = findings.first { $0.likeness == .userName && !$0.isCookie }
  }

  /// The field of a call that has the token, and the word before it.
  private static func form(of token: Secret, in call: CapturedCall, _ known: Set<String>) -> ProofForm? {
    let text = token.reveal()
    for field in call.fields where field.name.lowercased() != "cookie" && !isSaid(in: field.name, known) {
      let value = field.value.reveal()
      guard value.hasSuffix(text) else { continue }
      let prefix = value.dropLast(text.count)
      let word = prefix.last == " " ? prefix.dropLast() : prefix
      guard word.isEmpty || (word.utf8.count <= 16 && word.utf8.allSatisfy { ASCII.isAlpha($0) }) else { continue }
      return .header(name: field.name, prefix: String(prefix))
    }
    return nil
  }

  private static func isEnd(_ call: CapturedCall) -> Bool {
    let name = TokenLikeness.plain(call.segments.last { !$0.isEmpty } ?? "")
    return ["logout", "signout", "revoke", "blacklist", "logoff"].contains(name)
  }

  private static func isWho(_ call: CapturedCall) -> Bool {
    guard (200...299).contains(call.answer?.status ?? 0) else { return false }
    let name = TokenLikeness.plain(call.segments.last { !$0.isEmpty } ?? "")
    return ["me", "whoami", "user", "userinfo", "profile", "current", "currentuser", "self", "session"].contains(name)
  }
}

extension CapturedCall {
  /// Whether the address is one that a document can name: no value in its path, and no query.
  /// - Parameter known: texts that are values.
  fileprivate func isPlain(_ known: Set<String>) -> Bool {
    url.query(percentEncoded: true) == nil && !segments.contains { Self.isValue($0, known) }
  }

  /// The name of the member of the JSON object that has a value.
  fileprivate func memberName(of value: Secret) -> String? {
    json?.object?.first { $0.value.string == value.reveal() }?.key
  }
}
