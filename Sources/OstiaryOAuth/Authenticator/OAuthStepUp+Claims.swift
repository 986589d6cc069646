internal import Foundation
internal import OstiaryCore

// Demands that are claims, as Microsoft Entra's APIs make them (a claims challenge).
extension OAuthStepUp.Demand {
  /// The claims that a challenge demands, as JSON. They stand there in base64 of either alphabet, with padding or without.
  /// - Returns: `nil` for what is no JSON object.
  static func claims(in challenges: [AuthenticationChallenge]) -> String? {
    guard
      let text = challenges.first(where: { $0.parameters["error"] == "insufficient_claims" })?.parameters["claims"]
    else { return nil }
    var digits = text.replacing("-", with: "+").replacing("_", with: "/").replacing("=", with: "")
    digits += String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4)
    guard let data = Data(base64Encoded: digits), JSONValue(json: data)?.object != nil else { return nil }
    return String(decoding: data, as: UTF8.self)
  }

  /// What is demanded, with what the app asks for otherwise: a client's capabilities, say, without which the new token would be another
  /// kind of token.
  static func claims(_ demanded: String, over own: String?) -> String {
    guard let own, let wanted = JSONValue(json: Data(demanded.utf8))?.object,
      var all = JSONValue(json: Data(own.utf8))?.object
    else { return demanded }
    for (place, claims) in wanted {
      guard var there = all[place]?.object, let more = claims.object else {
        all[place] = claims
        continue
      }
      there.merge(more) { $1 }
      all[place] = .object(there)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(JSONValue.object(all)) else { return demanded }
    return String(decoding: data, as: UTF8.self)
  }
}
