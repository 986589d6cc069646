extension Dialect {
  /// What the author and the app should know, though nothing is wrong.
  public func notes() -> [DialectNote] {
    calls.flatMap { Self.answerNotes($0.place, $0.call) } + proofNotes + verificationNotes
  }

  private var calls: [(place: [String], call: DialectCall)] {
    var calls: [(place: [String], call: DialectCall)] = []
    for (index, call) in prepare.enumerated() { calls.append((["prepare", String(index)], call)) }
    for (index, call) in signIn.enumerated() { calls.append((["signIn", String(index)], call)) }
    for continuation in continuations {
      for (index, call) in continuation.before.enumerated() {
        calls.append((["continue", continuation.kind, "before", String(index)], call))
      }
      calls.append((["continue", continuation.kind], continuation.call))
    }
    for (name, call) in [("renew", renew), ("verify", verify), ("who", who), ("end", end)] {
      if let call { calls.append(([name], call)) }
    }
    return calls
  }

  private static func note(_ place: [String], _ message: String) -> DialectNote {
    DialectNote(at: DialectPointer(parts: place).text, message)
  }

  private static func answerNotes(_ place: [String], _ call: DialectCall) -> [DialectNote] {
    var notes: [DialectNote] = []
    if call.reads.usesApplicationPassword {
      notes.append(
        note(
          place + ["reads", "token"],
          "The password that is given is kept with the session, because it is a token that the server made for one application. "
            + "Never give it the password of the account."))
    }
    let lists = [call.reads.userID, call.reads.userName] + (call.reads.attributes + call.reads.values).map(\.reads)
    let hasClaim = lists.joined().contains { if case .claim = $0.source { true } else { false } }
    let hasExpiry = (call.reads.expiry + call.reads.renewalExpiry).contains {
      if case .claim = $0 { true } else { false }
    }
    if hasClaim || hasExpiry {
      notes.append(
        note(
          place + ["reads"],
          "Claims of a JWT are read without looking at its signature: they are as true as the answer that it came in."))
    }
    return notes
  }

  private var proofNotes: [DialectNote] {
    switch proof.way {
    case .insecureQuery:
      [
        Self.note(
          ["proof", "insecureQuery"],
          "The proof is in the address of each request, which servers and proxies write into their logs.")
      ]
    case .cookies(_, csrf: nil):
      [Self.note(["proof", "cookies"], "Requests carry cookies and no value against other sites' pages (csrf).")]
    default: []
    }
  }

  private var verificationNotes: [DialectNote] {
    guard verify == nil, who == nil else { return [] }
    return [
      Self.note(
        [],
        "There is neither verify nor who: a refusal that says nothing of the session can't be looked into, so the session is "
          + "renewed or kept.")
    ]
  }
}
