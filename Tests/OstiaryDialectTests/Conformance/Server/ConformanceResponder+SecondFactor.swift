import Foundation
import OstiaryCore

extension ConformanceResponder {
  /// The answer that wants a second factor of a kind; `nil` where this call's answers can't.
  func demand(_ kind: String, _ call: WireCall, _ state: inout WireState) -> WireAnswer? {
    let found = (call.json["meanings"]?.array ?? []).first {
      $0["means"] == "secondFactor" && $0["kind"]?.string == kind
    }
    guard let found else { return nil }
    var answer = document.examples.answer(to: call.step, index: call.index, means: "secondFactor") ?? WireAnswer()
    answer.satisfy(found["when"] ?? .null)
    name(call, &answer, &state)
    hand(found, &answer, &state)
    return answer
  }

  /// Answers a code.
  func proceed(
    _ call: WireCall, _ values: [String: String], _ state: inout WireState, _ now: Date
  ) -> WireAnswer {
    guard let account = state.authenticated, values["code"] == ConformanceServer.code else {
      state.counts.refusedCodes += 1
      let found = (call.json["meanings"]?.array ?? []).first { $0["means"] == "secondFactor" }
      guard let found else { return WireAnswer(status: 401, body: .object([:])) }
      let published = document.examples.answer(to: call.step, means: "secondFactor")
      var answer = published ?? WireAnswer(status: 401)
      answer.satisfy(found["when"] ?? .null)
      hand(found, &answer, &state)
      return answer
    }
    state.wantedFactor = nil
    var answer = success(call)
    name(call, &answer, &state)
    identify(account, call.json["reads"], &answer)
    let givesToken = (call.json["reads"]?["token"] ?? .null) != .null
    guard givesToken || (document.hasCookies && state.logins.isEmpty) else { return answer }
    begin(account, call, &answer, &state, now)
    return answer
  }

  /// Gives the handle that the next call sends back.
  private func hand(_ meaning: JSONValue, _ answer: inout WireAnswer, _ state: inout WireState) {
    guard let read = meaning["handle"], read != .null else { return }
    let handle = "planted-handle-\(state.next())"
    if answer.write(.string(handle), for: read) { state.named["handle", default: []].insert(handle) }
  }
}

extension WireDocument {
  /// The kinds of second factors that a sign-in may be asked for.
  var factors: [String] {
    let meanings = (json["signIn"]?.array ?? []).flatMap { $0["meanings"]?.array ?? [] }
    return meanings.compactMap { meaning in
      guard meaning["means"] == "secondFactor", let kind = meaning["kind"]?.string, json["continue"]?[kind] != nil
      else { return nil }
      return kind
    }
  }
}
