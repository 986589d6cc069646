import Foundation
import OstiaryCore

extension ConformanceResponder {
  /// The answer to a call that is carried out: the published one, where there is one.
  func success(_ call: WireCall) -> WireAnswer {
    var answer = document.examples.answer(to: call.step, index: call.index, means: "success") ?? WireAnswer()
    if let condition = call.json["success"] { answer.satisfy(condition) }
    if answer.body == nil, answer.page.isEmpty, answer.text == nil, answer.status != 204 { answer.body = .object([:]) }
    return answer
  }

  /// The answer that means one of what is named, the first that the document has: the published one, or one that is made to fit.
  /// - Parameter call: `nil` for a request of the app's.
  func refusal(_ meanings: [String], _ call: WireCall?) -> WireAnswer {
    let step = call?.step ?? "request"
    for meaning in meanings {
      guard let found = document.meaning([meaning], of: call?.step) else { continue }
      let condition = found["when"] ?? .null
      let published = document.examples.answer(to: step, index: call?.index ?? 0, means: meaning)
      var answer = published ?? WireAnswer(status: 401)
      answer.satisfy(condition)
      if answer.body == nil, answer.text == nil { answer.body = .object([:]) }
      return answer
    }
    return WireAnswer(status: 401, body: .object([:]))
  }

  /// Writes who the user is.
  func identify(_ user: WireAccount, _ reads: JSONValue?, _ answer: inout WireAnswer) {
    guard let reads else { return }
    answer.write(user.idValue, for: reads["userID"])
    answer.write(.string(user.displayName), for: reads["userName"])
    for (_, read) in (reads["attributes"]?.object ?? [:]).sorted(by: { $0.key < $1.key }) {
      // What a published example has there stays.
      if let pointer = read.string ?? read["pointer"]?.string, let body = answer.body,
        WirePointer(pointer).value(in: body) != nil
      {
        continue
      }
      answer.write(.string("kept"), for: read)
    }
  }

  /// Writes new values with the names of the document, such as one against forged requests.
  func name(_ call: WireCall, _ answer: inout WireAnswer, _ state: inout WireState) {
    let reads = call.json["reads"]
    for (name, read) in (reads?["values"]?.object ?? [:]).sorted(by: { $0.key < $1.key }) {
      let value = "planted-\(name)-\(state.next())-+/="
      guard answer.write(.string(value), for: read) else { continue }
      state.named[name, default: []].insert(value)
      if let cookie = document.proof.csrfCookie, read["cookie"]?.string == cookie {
        state.named["csrf", default: []].insert(value)
      }
    }
    if let cookie = document.proof.csrfCookie, !answer.fields.contains(where: { $0.1.hasPrefix("\(cookie)=") }) {
      give(cookie, &answer, &state)
    }
  }

  /// Gives a cookie with a value against forged requests.
  private func give(_ cookie: String, _ answer: inout WireAnswer, _ state: inout WireState) {
    let value = "planted-csrf-\(state.next())-+/="
    let isEncoded = document.proof.json["csrf"]?["as"] == "percentDecoded"
    answer.fields.append(("Set-Cookie", "\(cookie)=\(isEncoded ? PercentEncoding.encode(value) : value); Path=/"))
    state.named["csrf", default: []].insert(value)
  }

  /// Writes the tokens of a sign-in.
  func write(_ id: Int, _ call: WireCall, _ answer: inout WireAnswer, _ state: inout WireState, _ now: Date) {
    guard let login = state.logins[id] else { return }
    let reads = call.json["reads"]
    for twin in document.twins(of: call) { identify(login.user, twin.json["reads"], &answer) }
    if !document.takesApplicationPassword { answer.write(.string(login.token), for: reads?["token"]) }
    if !login.renewalToken.isEmpty { answer.write(.string(login.renewalToken), for: reads?["renewalToken"]) }
    if let kind = reads?["kind"], kind != .null { answer.write("Bearer", for: kind) }
    answer.write(expiry: login.expiry, now: now, for: reads?["expiry"])
    answer.write(expiry: now.addingTimeInterval(30 * 86_400), now: now, for: reads?["renewalExpiry"])
    if document.hasCookies, let name = document.proof.cookieName {
      answer.fields.append(("Set-Cookie", "\(name)=\(login.token); Path=/; HttpOnly"))
    }
    answer.set("Date", HTTPDate.format(now))
  }
}
