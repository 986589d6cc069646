import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting

/// Decides what the server of a document answers.
struct ConformanceResponder: Sendable {
  let document: WireDocument
  let accounts: [WireAccount]

  /// The settings of a document: those of the published examples, else made ones.
  static func settings(of document: WireDocument) -> [String: String] {
    var settings: [String: String] = [:]
    for (name, setting) in document.json["settings"]?.object ?? [:] {
      settings[name] =
        setting["secret"] == true
        ? "planted-setting-\(name)"
        : document.examples.settings[name] ?? setting["default"]?.string ?? "setting-\(name)"
    }
    return settings
  }

  func respond(
    to request: LoopbackServer.Request, _ state: inout WireState, now: Date
  ) -> [LoopbackServer.Action] {
    watch(request, &state)
    if state.isFailing { return [.response(503, body: "try later")] }
    let found = document.call(for: request)
    if let disguise = state.disguise, disguise.step == found?.call.step ?? "request" { return [disguise.answer.action] }
    guard let (call, values) = found else { return [thing(request, &state, now).action] }
    watch(call, values, &state)
    switch call.step {
    case _ where call.step == "prepare" || call.step.hasPrefix("before:"):
      state.counts.prepares += 1
      var answer = success(call)
      name(call, &answer, &state)
      return [answer.action]
    case "signIn" where call.index <= document.givingStep: return [signIn(call, values, &state, now).action]
    case _ where call.step.hasPrefix("continue:"): return [proceed(call, values, &state, now).action]
    case "renew":
      let answer = renew(call, values, request, &state, now)
      guard answer.status < 400, state.lostAnswers > 0 else { return [answer.action] }
      state.lostAnswers -= 1
      return [.close]
    case "end": return [end(call, values, request, &state, now).action]
    default: return [question(call, values, request, &state, now).action]
    }
  }

  // MARK: What no client must do

  private func watch(_ request: LoopbackServer.Request, _ state: inout WireState) {
    let head = PercentEncoding.decode(request.target) ?? request.target
    let fields = request.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    for account in accounts {
      if head.contains(account.password) { state.broken.append("a password stands in \(request.path)") }
      let isOpen = fields.contains(account.password) && !document.takesApplicationPassword
      if isOpen { state.broken.append("a password stands in a field of \(request.path)") }
    }
    let isAllowed = document.proof.json["insecureQuery"] != nil
    if head.contains("planted-token"), !isAllowed { state.broken.append("a token stands in \(request.path)") }
  }

  private func watch(_ call: WireCall, _ values: [String: String], _ state: inout WireState) {
    let settings = Self.settings(of: document)
    for (name, value) in values {
      if let setting = settings[name], setting != value {
        state.broken.append("the setting \(name) was not sent as it was given, in \(call.step)")
      }
      if let known = state.named[name], !known.contains(value) {
        state.broken.append("the value \(name) is none that the server gave, in \(call.step)")
      }
    }
  }

  // MARK: Signing in

  private func signIn(
    _ call: WireCall, _ values: [String: String], _ state: inout WireState, _ now: Date
  ) -> WireAnswer {
    if call.hasPassword {
      let account = accounts.first { account in
        account.password == values["password"] && (values["username"].map { $0 == account.name } ?? true)
      }
      guard let account else {
        state.counts.refusedSignIns += 1
        return refusal(["wrongPassword"], call)
      }
      state.authenticated = account
    }
    if let kind = state.wantedFactor, let answer = demand(kind, call, &state) { return answer }
    var answer = success(call)
    name(call, &answer, &state)
    guard let account = state.authenticated else { return refusal(["wrongPassword"], call) }
    identify(account, call.json["reads"], &answer)
    guard call.index == document.givingStep else { return answer }
    begin(account, call, &answer, &state, now)
    return answer
  }

  /// Begins a session.
  func begin(
    _ account: WireAccount, _ call: WireCall, _ answer: inout WireAnswer, _ state: inout WireState, _ now: Date
  ) {
    state.counts.signIns += 1
    let id = state.next()
    state.logins[id] = WireState.Login(user: account)
    issue(id, rotates: true, &state, now)
    write(id, call, &answer, &state, now)
  }

  /// Gives a sign-in new tokens.
  private func issue(_ id: Int, rotates: Bool, _ state: inout WireState, _ now: Date) {
    guard var login = state.logins[id] else { return }
    let number = state.next()
    // Where a renewal gives no other token, the one before stays good.
    let keeps = document.renewedBy == "token" && document.rotation == "never"
    if !keeps { state.tokens[login.token] = nil }
    login.expiry = now.addingTimeInterval(lifetime)
    login.token =
      document.takesApplicationPassword
      ? login.user.password : document.token.make(number, user: login.user, expiry: login.expiry)
    state.tokens[login.token] = id
    if document.renewedBy == "token" { state.renewals[login.token] = id }
    if document.renewedBy == "renewalToken", rotates {
      login.renewalToken = "planted-renewal-\(number)-0123456789abcdefghij"
      state.renewals[login.renewalToken] = id
    }
    state.logins[id] = login
  }

  /// How long a token is good: as the document says, where it says it.
  var lifetime: Double {
    for reads in document.signInReads {
      for expiry in reads["expiry"]?.array ?? [reads["expiry"] ?? .null] {
        if let number = expiry["in"]?.double { return expiry["unit"] == "milliseconds" ? number / 1000 : number }
      }
    }
    return document.hasExpiry ? ConformanceServer.lifetime : 10 * 365 * 86_400
  }

  // MARK: Renewing

  private func renew(
    _ call: WireCall, _ values: [String: String], _ request: LoopbackServer.Request, _ state: inout WireState,
    _ now: Date
  ) -> WireAnswer {
    let shown =
      document.renewedBy == "token"
      ? values["token"] ?? document.proof.shown(by: request)?.token : values["renewalToken"]
    guard let shown else {
      state.broken.append("a renewal shows nothing")
      return refusal(["endedForGood", "expired"], call)
    }
    if let id = state.spent[shown] {
      if document.sendsSameAgain, state.logins[id]?.predecessor == shown {
        state.counts.repeatedRenewals += 1
        var answer = success(call)
        write(id, call, &answer, &state, now)
        return answer
      }
      state.counts.reusedTokens += 1
      state.end(id)
    }
    guard let id = state.renewals[shown] else {
      state.counts.refusedRenewals += 1
      return refusal(["endedForGood", "expired"], call)
    }
    state.counts.renewals += 1
    let rotates = document.renewedBy == "token" || document.rotation != "never"
    if rotates {
      // A server that does not always give another one has nothing against the one before.
      if document.rotation == "always" {
        state.renewals[shown] = nil
        state.spent[shown] = id
      }
      state.logins[id]?.predecessor = shown
    }
    issue(id, rotates: rotates, &state, now)
    var answer = success(call)
    write(id, call, &answer, &state, now)
    return answer
  }

  // MARK: Questions, ends and things

  private func question(
    _ call: WireCall, _ values: [String: String], _ request: LoopbackServer.Request, _ state: inout WireState,
    _ now: Date
  ) -> WireAnswer {
    let shown = document.proof.shown(by: request)?.token ?? values["token"]
    guard let id = state.login(token: shown, now: now), let login = state.logins[id] else {
      state.counts.refused += 1
      return refusal(["expired", "endedForGood"], call)
    }
    if call.step == "signIn", let kind = state.wantedFactor, let answer = demand(kind, call, &state) { return answer }
    state.counts.questions += 1
    state.logins[id]?.predecessor = nil
    var answer = success(call)
    for twin in document.twins(of: call) { identify(login.user, twin.json["reads"], &answer) }
    return answer
  }

  private func end(
    _ call: WireCall, _ values: [String: String], _ request: LoopbackServer.Request, _ state: inout WireState,
    _ now: Date
  ) -> WireAnswer {
    let shown = document.proof.shown(by: request)
    let byToken = state.login(token: shown?.token ?? values["token"], now: now)
    guard let id = byToken ?? values["renewalToken"].flatMap({ state.renewals[$0] }) else {
      state.counts.refused += 1
      return refusal(["expired", "endedForGood"], call)
    }
    forged(request, shown, &state)
    state.counts.ends += 1
    state.end(id)
    return success(call)
  }

  private func thing(
    _ request: LoopbackServer.Request, _ state: inout WireState, _ now: Date
  ) -> WireAnswer {
    guard request.path.hasSuffix("/conformance-thing") else {
      state.broken.append("\(request.method) \(request.path) is no call of the document")
      return WireAnswer(status: 404)
    }
    let shown = document.proof.shown(by: request)
    guard let id = state.login(token: shown?.token, now: now), let login = state.logins[id] else {
      state.counts.refused += 1
      return refusal(["expired", "endedForGood"], nil)
    }
    forged(request, shown, &state)
    state.counts.executed += 1
    state.logins[id]?.predecessor = nil
    return WireAnswer(body: .object(["owner": .string(login.user.name)]))
  }

  /// A request that changes something shows the value against forged ones, where the document has one.
  private func forged(_ request: LoopbackServer.Request, _ shown: WireProof.Shown?, _ state: inout WireState) {
    guard let shown, document.proof.json["csrf"] != nil, request.method != "GET" else { return }
    let named = document.proof.json["csrf"]?["value"]?.string ?? "csrf"
    let known = (state.named["csrf"] ?? []).union(state.named[named] ?? [])
    guard let value = shown.csrf, known.contains(value) else {
      state.broken.append("\(request.method) \(request.path) shows no value against forged requests")
      return
    }
  }
}
