internal import Foundation
internal import OstiaryCore
internal import OstiaryDialect

/// Asks a person, line by line, about the call that signs in and about what was found in its answer. An empty line, and the end of the
/// input, take what is usual.
struct DialectInterview: Sendable {
  private let environment: CommandEnvironment
  /// Whether there is a person, or a list of answers.
  private let isOpen: Bool

  init(_ environment: CommandEnvironment, isOpen: Bool) {
    self.environment = environment
    self.isOpen = isOpen
  }

  // MARK: The call

  /// The call: a curl line, or one that is made of answers.
  func call() async throws -> CapturedCall {
    guard var line = try await ask(.askCall), !line.isEmpty else {
      throw OstiaryError(.interactionCancelled, CommandLineMessage.nothingEntered)
    }
    let word = line.trimmingCharacters(in: .whitespaces)
    if word.hasPrefix("curl ") || word.hasPrefix("$ curl ") {
      // It goes on behind a backslash.
      while line.hasSuffix("\\"), line.utf8.count < 1 << 20, let more = try await ask(nil) { line += "\n" + more }
      do {
        return try CurlLine.call(line)
      } catch {
        throw OstiaryError.usage(CaptureMessage(problem: error))
      }
    }
    guard let url = URL(string: word), Origin(url) != nil, word == word.withoutUserInformation else {
      throw OstiaryError.usage(DialectNewMessage.badAddress(word.withoutUserInformation))
    }
    return try await call(at: url)
  }

  private func call(at url: URL) async throws -> CapturedCall {
    let userMember = try await ask(.askUserMember(usual: "username"), usual: "username")
    let passwordMember = try await ask(.askPasswordMember(usual: "password"), usual: "password")
    let isForm = try await ask(.askForm, usual: "json").lowercased() == "form"
    guard let user = try await ask(.askUser), let password = try await ask(.askPassword, isSecret: true),
      !password.isEmpty
    else { throw OstiaryError(.interactionCancelled, CommandLineMessage.nothingEntered) }
    let pairs = [(name: userMember, value: user), (name: passwordMember, value: password)]
    let body =
      isForm
      ? Data(FormEncoding.serialize(pairs).utf8)
      : try JSONEncoder().encode(Dictionary(pairs.map { ($0.name, $0.value) }) { $1 })
    let type = isForm ? FormEncoding.mediaType : "application/json"
    return CapturedCall(method: "POST", url: url, fields: [("Content-Type", Secret(type))], body: body)
  }

  // MARK: The answer

  /// Has the person say which value is which.
  func choose(_ proposal: inout DialectProposal, _ finder: AnswerFinder) async throws {
    guard isOpen else { return }
    let findings = finder.findings
    if !findings.isEmpty {
      environment.console.note(
        findings.enumerated().map {
          DialectNewMessage.candidate(number: $0 + 1, place: $1.name, kind: $1.kind.words).line
        })
      proposal.token = try await pick(.token, findings, proposal.token)
      proposal.renewalToken = try await pick(.renewalToken, findings, proposal.renewalToken)
      proposal.expiry = try await pick(.end, findings.filter(\.isTime), proposal.expiry, of: findings)
      proposal.userID = try await pick(.userID, findings, proposal.userID)
      proposal.userName = try await pick(.userName, findings, proposal.userName)
    }
    if case .header(let name, let prefix) = proposal.proof, proposal.token != nil {
      let usual = "\(name): \(prefix)".trimmingCharacters(in: .whitespaces)
      proposal.proof = try await again {
        try Self.proof(try await ask(.askProof(usual: usual), usual: usual), finder)
      }
    }
    for input in proposal.call.inputs where input.likeness == .other {
      guard input.place != proposal.username, input.place != proposal.password else { continue }
      if try await ask(.askKept(name: input.name), usual: "n").lowercased() == "y" { proposal.kept.insert(input.name) }
    }
    proposal.whoPath = try await path(.tellsUser, proposal.whoPath)
    if proposal.renewalToken != nil { proposal.renewPath = try await path(.renews, proposal.renewPath) }
    proposal.endPath = try await path(.endsSession, proposal.endPath)
  }

  /// How requests carry the token: `cookies`, or a field and its beginning.
  static func proof(_ text: String, _ finder: AnswerFinder) throws -> DialectProposal.ProofForm {
    if text == "cookies" { return .cookies(finder.findings.filter(\.isCookie).map(\.name)) }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts[0].trimmingCharacters(in: .whitespaces)
    guard parts.count == 2, name.wholeMatch(of: #/[A-Za-z0-9-]{1,64}/#) != nil else {
      throw OstiaryError.usage(DialectNewMessage.badProof(text))
    }
    let word = parts[1].trimmingCharacters(in: .whitespaces)
    guard word.wholeMatch(of: #/[A-Za-z0-9=._-]{0,64}/#) != nil else {
      throw OstiaryError.usage(DialectNewMessage.badProof(text))
    }
    // Behind a sign of equality the token follows at once.
    return .header(name: name, prefix: word.isEmpty || word.hasSuffix("=") ? word : "\(word) ")
  }

  private func path(_ purpose: DialectRole, _ known: String?) async throws -> String? {
    try await again {
      guard let text = try await ask(.askPath(purpose: purpose.words)), !text.isEmpty else { return known }
      guard text.hasPrefix("/") else { throw OstiaryError.usage(DialectNewMessage.badPath(text)) }
      return text
    }
  }

  /// - Parameter findings: those that the numbers are of, where fewer can be chosen.
  private func pick(
    _ role: DialectRole, _ choices: [FoundValue], _ usual: FoundValue?, of findings: [FoundValue]? = nil
  ) async throws -> FoundValue? {
    guard !choices.isEmpty else { return nil }
    let all = findings ?? choices
    let number = usual.flatMap { all.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    return try await again {
      let text = try await ask(.which(role: role.words, usual: "\(number)"), usual: "\(number)")
      guard let chosen = Int(text), (0...all.count).contains(chosen), chosen == 0 || choices.contains(all[chosen - 1])
      else { throw OstiaryError.usage(DialectNewMessage.noNumber(text)) }
      return chosen == 0 ? nil : all[chosen - 1]
    }
  }

  // MARK: Asking

  /// Asks once more after a mistake, and tells it. After several it ends.
  private func again<Answer>(_ question: () async throws -> Answer) async throws -> Answer {
    for _ in 0..<4 {
      do {
        return try await question()
      } catch let error as OstiaryError where error.code == .invalidInput {
        environment.console.note([Line("\(error.message) \(error.advice)")])
      }
    }
    return try await question()
  }

  private func ask(_ question: DialectNewMessage, usual: String) async throws -> String {
    let answer = try await ask(question) ?? ""
    return answer.isEmpty ? usual : answer
  }

  /// - Parameter question: nil where a line goes on.
  /// - Returns: nil at the end of the input.
  private func ask(_ question: DialectNewMessage?, isSecret: Bool = false) async throws -> String? {
    let console = environment.console
    let answer = try await environment.answers.ask(
      question?.line.question(fitting: console.knownWidth(of: console.error)) ?? "", isSecret: isSecret,
      on: console.textError)
    guard !isSecret else { return answer?.reveal() }
    return answer?.reveal().trimmingCharacters(in: .whitespaces)
  }
}

extension DialectProposal {
  /// Whether the cookies are the proof.
  var hasCookies: Bool { if case .cookies(let names) = proof { !names.isEmpty } else { false } }

  /// How requests carry the session, as --proof takes it.
  var proofWords: String {
    switch proof {
    case .header(let name, let prefix): "\(name): \(prefix)".trimmingCharacters(in: .whitespaces)
    case .cookies: "cookies"
    }
  }

  /// What went into the document, for people: places, and no value.
  var messages: [DialectNewMessage] {
    var messages = [
      message(.token, token), message(.renewalToken, renewalToken),
      message(.userID, userID, orClaim: userIDClaim, ofWho: whoUserID),
      message(.userName, userName, orClaim: userNameClaim, ofWho: whoUserName),
    ]
    let claims = token?.claims ?? []
    if let expiry {
      messages.append(.took(role: DialectRole.end.words, place: expiry.name))
    } else if claims.contains("exp") {
      messages.append(.took(role: DialectRole.end.words, place: DialectRole.claims.words))
    }
    for input in call.inputs where input.likeness == .other && !kept.contains(input.name) {
      if input.place != username, input.place != password { messages.append(.setting(name: input.name)) }
    }
    return messages
  }
}

extension DialectProposal {
  /// Where a value is read: in the answer of “who”, in the sign-in's, or in the claims of the token.
  private func message(
    _ role: DialectRole, _ value: FoundValue?, orClaim claim: String? = nil, ofWho who: FoundValue? = nil
  ) -> DialectNewMessage {
    if let who, let whoPath {
      .tookFrom(role: role.words, place: who.name, source: "GET \(whoPath)")
    } else if let value {
      .took(role: role.words, place: value.name)
    } else if let claim {
      .tookFrom(role: role.words, place: "/\(claim)", source: DialectRole.claims.words)
    } else {
      .tookNone(role: role.words)
    }
  }
}

extension FoundValue {
  /// What it is, for people.
  fileprivate var kind: DialectRole {
    switch likeness {
    case .token: claims.isEmpty ? .likeToken : .webToken
    case .renewalToken: .likeRenewalToken
    case .lifetime(let unit): .time(unit: unit.rawValue)
    case .end: .date
    case .userID: .identifier
    case .userName: .name
    }
  }
}
