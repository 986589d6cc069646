import Foundation
import OstiaryCore
import OstiaryTesting

/// A dialect's document, read from the server's side.
struct WireDocument: Sendable {
  let name: String
  let json: JSONValue
  let examples: VendorAnswers
  let calls: [WireCall]
  let proof: WireProof
  let token: WireToken

  init(name: String, json: JSONValue) {
    self.name = name
    self.json = json
    examples = VendorAnswers(named: name)
    proof = WireProof(json: json["proof"] ?? .null)
    let members = Set((json["proof"]?["body"]?.object ?? [:]).keys)
    var calls: [WireCall] = []
    for step in ["prepare", "signIn"] {
      for (index, call) in (json[step]?.array ?? []).enumerated() {
        calls.append(WireCall(step: step, index: index, json: call, proofMembers: members))
      }
    }
    for (kind, call) in (json["continue"]?.object ?? [:]).sorted(by: { $0.key < $1.key }) {
      for (index, before) in (call["before"]?.array ?? []).enumerated() {
        calls.append(WireCall(step: "before:\(kind)", index: index, json: before, proofMembers: members))
      }
      calls.append(WireCall(step: "continue:\(kind)", index: 0, json: call, proofMembers: members))
    }
    for step in ["renew", "who", "verify", "end"] {
      guard let call = json[step], call.object != nil else { continue }
      calls.append(WireCall(step: step, index: 0, json: call, proofMembers: members))
    }
    self.calls = calls
    let signIns = (json["signIn"]?.array ?? []).compactMap { $0["reads"] }
    token = WireToken(signIns + [json["renew"]?["reads"]].compactMap { $0 })
  }

  /// The call that a request is of, and the values that it was made with; `nil` for a request of the app's.
  func call(for request: LoopbackServer.Request) -> (call: WireCall, values: [String: String])? {
    let found = calls.compactMap { call in call.values(of: request).map { (call: call, values: $0) } }
    let most = found.map { $0.call.exactness }.max()
    return found.first { $0.call.exactness == most }
  }

  func call(_ step: String) -> WireCall? { calls.first { $0.step == step } }

  // MARK: What the document says

  /// How the session is renewed: `renewalToken`, `token`, `cookies`, `credential` or `none`.
  var renewedBy: String { json["renewal"]?["by"]?.string ?? "none" }

  /// Whether a renewal takes no credential.
  var renewsAlone: Bool { ["renewalToken", "token"].contains(renewedBy) }

  var rotation: String { json["renewal"]?["rotation"]?.string ?? "sometimes" }

  /// Whether a renewal whose answer was lost is asked for with the same token.
  var sendsSameAgain: Bool {
    json["renewal"]?["afterLostAnswer"].map { $0 == "sendSameAgain" } ?? (rotation != "always")
  }

  /// Whether the password is the token.
  var takesApplicationPassword: Bool {
    signInReads.contains { $0["token"]?["applicationPassword"] == true }
  }

  /// Whether cookies are the proof.
  var hasCookies: Bool { proof.json["cookies"] != nil }

  var signInReads: [JSONValue] { (json["signIn"]?.array ?? []).compactMap { $0["reads"] } }

  /// Whether the document says when a session is over.
  var hasExpiry: Bool { signInReads.contains { ($0["expiry"] ?? .null) != .null } }

  /// Which step of the sign-in gives the proof: the last one that a token is read of; where cookies are the proof, the one with the
  /// password.
  var givingStep: Int {
    let steps = json["signIn"]?.array ?? []
    if let step = steps.lastIndex(where: { ($0["reads"]?["token"] ?? .null) != .null }) { return step }
    return calls.last { $0.step == "signIn" && $0.hasPassword }?.index ?? max(0, steps.count - 1)
  }

  /// The calls that a request of this call may be of, too: `verify` beside `renew`, `who` beside the last step of a sign-in.
  func twins(of call: WireCall) -> [WireCall] {
    calls.filter { $0.json["method"] == call.json["method"] && $0.json["path"] == call.json["path"] }
  }

  /// Whether the server can be asked whether a session is good.
  var canAsk: Bool { call("verify") != nil || call("who") != nil }

  /// Whether an answer has a mark by which a session ends, or is refused, without another question.
  func hasMark(_ meanings: [String], of step: String? = nil) -> Bool { meaning(meanings, of: step) != nil }

  /// The first meaning of a call, or of all, that is one of those named.
  func meaning(_ names: [String], of step: String?) -> JSONValue? {
    let own = step.flatMap { call($0)?.json["meanings"]?.array } ?? []
    let all = own + (json["meanings"]?.array ?? [])
    return names.lazy.compactMap { name in all.first { $0["means"]?.string == name } }.first
  }
}
