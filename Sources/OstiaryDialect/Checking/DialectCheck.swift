internal import OstiaryCore

/// Finds what contradicts itself in a dialect, and what no document may say, in the order of the document.
struct DialectCheck {
  let dialect: Dialect
  let scopes: DialectScopes
  private(set) var findings: [DialectFinding] = []

  /// The most elements of each list.
  static let maximumCalls = 16
  static let maximumServers = 16
  static let maximumSettings = 32
  static let maximumMeanings = 64
  static let maximumFields = 64
  static let maximumReads = 8
  static let maximumNamedReads = 32
  /// How deep a JSON body may be nested.
  static let maximumBodyDepth = 16

  init(_ dialect: Dialect) {
    self.dialect = dialect
    scopes = DialectScopes(dialect)
  }

  mutating func add(
    _ place: [String], _ message: String, _ advice: String, kind: DialectFinding.Kind = .content
  ) {
    guard findings.count < DialectFinding.most else { return }
    findings.append(DialectFinding(place, message, advice, kind))
  }

  mutating func run() {
    checkHead()
    checkServers()
    checkSettings()
    checkCalls()
    checkProof()
    checkMeanings(dialect.meanings, of: nil, in: scopes.session, at: ["meanings"])
    checkRenewal()
  }

  // MARK: The head

  private mutating func checkHead() {
    if !DialectName.isDialectName(dialect.name) {
      add(
        ["name"], "The name is not one of letters in lower case, digits and hyphens.",
        "Write a short name such as simplejwt: at most 64 characters, the first of them a letter.")
    }
    // Without a title it is the name, which has its own rule.
    if !dialect.title.hasSameBytes(as: dialect.name) { check(shown: dialect.title, at: ["title"]) }
    check(count: dialect.sources.count, most: 16, at: ["sources"])
    for (index, source) in dialect.sources.enumerated() where !Self.isWebAddress(source) {
      add(["sources", String(index)], "The source is no address of a page.", "Write an https address.")
    }
  }

  private mutating func checkServers() {
    if dialect.servers.isEmpty { add(["servers"], "There is no server's role.", "Leave servers out, or name one.") }
    check(count: dialect.servers.count, most: Self.maximumServers, at: ["servers"])
    check(unique: dialect.servers.map(\.name), at: ["servers"])
    for server in dialect.servers {
      let place = ["servers", server.name]
      if !DialectName.isValueName(server.name) {
        add(place, "The role's name is not one of letters, digits and underscores.", "Give it another name.")
      }
      check(shown: server.title, at: place + ["title"])
      if let documented = server.documented, !Self.isWebAddress(documented) {
        add(place + ["documented"], "The documented address is none.", "Write an https address, or leave it out.")
      }
    }
  }

  private mutating func checkSettings() {
    check(count: dialect.settings.count, most: Self.maximumSettings, at: ["settings"])
    check(unique: dialect.settings.map(\.name), at: ["settings"])
    for setting in dialect.settings {
      let place = ["settings", setting.name]
      checkNew(setting.name, at: place)
      check(shown: setting.title, at: place + ["title"])
      check(length: setting.defaultValue, at: place + ["default"])
      if setting.isSecret, setting.defaultValue != nil {
        add(
          place + ["default"], "A secret can't have a default: the document is no secret.",
          "Leave the default out; the app gives the value.")
      }
    }
  }

  // MARK: Renewal

  private mutating func checkRenewal() {
    let renewal = dialect.renewal
    let place = ["renewal", "by"]
    if let grace = renewal.grace, !(0...31_536_000).contains(grace) {
      add(["renewal", "grace"], "The grace is not from 0 to 31536000 seconds.", "Correct it.")
    }
    checkSliding(renewal)
    switch renewal.by {
    case .renewalToken, .token:
      guard let renew = dialect.renew else {
        return add(place, "There is no call renew.", "Add renew, or write none or credential.")
      }
      let name = renewal.by == .token ? "token" : "renewalToken"
      if !scopes.continuation.names.contains(name) {
        add(place, "No call of signIn reads \(name).", "Add it to the reads of a call.", kind: .unknownName)
      }
      if renew.reads.token.isEmpty, !isOfCookies {
        add(["renew"], "The renewal reads no token.", "Add token to its reads.", kind: .unknownName)
      }
      if renewal.by == .renewalToken, renewal.rotation == .always, renew.reads.renewalToken.isEmpty {
        add(
          ["renewal", "rotation"], "Each renewal is said to give another renewal token, and renew reads none.",
          "Add renewalToken to the reads of renew, or write sometimes or never.", kind: .unknownName)
      }
    case .cookies, .credential, .none:
      if dialect.renew != nil {
        add(
          ["renew"], "The call renew is not used by such a renewal.",
          "Write renewalToken or token as the renewal's by, or remove renew.")
      }
    }
  }

  /// A session that goes on by being used.
  private mutating func checkSliding(_ renewal: DialectRenewal) {
    if let idle = renewal.idle {
      let place = ["renewal", "idle"]
      if !(1...31_536_000).contains(idle) {
        add(place, "The time is not from 1 to 31536000 seconds.", "Correct it.")
      } else if renewal.by != .cookies {
        add(place, "Only a session that cookies renew ends by not being used.", "Remove it, or write cookies as by.")
      }
    }
    guard renewal.by == .cookies else { return }
    if !isOfCookies {
      add(
        ["renewal", "by"], "The proof is not the server's cookies.",
        "Write cookies into proof, or another renewal.")
    }
    if dialect.verify == nil, dialect.who == nil {
      add(
        ["renewal", "by"], "There is no call that tells whether the session goes on.",
        "Add verify or who: what is over by its date may have been used elsewhere.")
    }
  }

  /// Whether the proof is the server's cookies, so that no token need be read.
  var isOfCookies: Bool { if case .cookies = dialect.proof.way { true } else { false } }

  // MARK: Small parts

  mutating func check(length text: String?, at place: [String]) {
    if let text, text.utf8.count > DialectTemplateParser.maximumLength {
      add(place, "The text is longer than 4 KiB.", "Shorten it.")
    }
  }

  /// A text that is shown to people, also on a terminal.
  mutating func check(shown text: String?, at place: [String]) {
    check(length: text, at: place)
    if let text, text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      add(place, "The text has control characters in it.", "Write it on one line.")
    }
  }

  mutating func check(count: Int, most: Int, at place: [String]) {
    if count > most { add(place, "It has more than \(most) elements.", "Take some out.") }
  }

  /// Names that a JSON object could not have together.
  mutating func check(unique names: [String], at place: [String]) {
    var seen: Set<String> = []
    for name in names where !seen.insert(name).inserted {
      add(place + [DialectFinding.shown(name)], "The name is there twice.", "Take one of the two out.")
    }
    for name in names where name.isEmpty || name.utf8.count > 256 {
      add(place, "A name is empty or longer than 256 bytes.", "Give it another name.")
    }
  }

  /// A name that the author gives to a value.
  mutating func checkNew(_ name: String, at place: [String]) {
    if DialectName.builtIn.contains(name) {
      add(place, "The name is one that every dialect has.", "Give it another name.")
    } else if !DialectName.isValueName(name) {
      add(
        place, "The name is not one of letters, digits and underscores that begins with a letter.",
        "Give it another name: templates can't use this one.")
    }
  }

  static func isWebAddress(_ text: String) -> Bool {
    let bytes = text.utf8
    guard bytes.starts(with: "https://".utf8) || bytes.starts(with: "http://".utf8) else { return false }
    return bytes.count > 8 && bytes.count <= 2048 && bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }
}

extension Dialect {
  func findings() -> [DialectFinding] {
    var check = DialectCheck(self)
    check.run()
    return check.findings
  }

  /// Everything that contradicts itself, and that no dialect may say. An authenticator refuses a dialect with a problem.
  public func check() -> [DialectProblem] { findings().map(\.problem) }
}
