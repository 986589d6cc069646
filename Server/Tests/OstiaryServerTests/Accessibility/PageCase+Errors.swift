import HTTPTypes
import OstiaryCore

@testable import OstiaryServer

extension PageCase {
  private static func failing(_ name: String, _ answer: @escaping @Sendable (DoorRequest) -> DoorResponse) -> PageCase {
    PageCase(markupOf: name, .refused, markup: { String(decoding: answer($0.request).body, as: UTF8.self) })
  }

  /// What can't be answered, at every address.
  static let errors: [PageCase] = [
    PageCase("error not-found", .refused) { try await $0.get("/account/nothing") },
    PageCase("error refused", .refused, "method") {
      try await $0.client.send("DELETE", "/account", headers: $0.headers)
    },
    PageCase("error forged", .refused) {
      try await $0.fill($0.get("/account/login"), "login", headers: ["Sec-Fetch-Site": "cross-site"])
    },
    PageCase("error refused", .refused, "no form") {
      try await $0.client.send("POST", "/gateway/login", headers: $0.headers, body: "{}")
    },
    failing("error unavailable") { .unavailable(for: $0) },
    failing("error failed") { .failure(.internalServerError, .somethingWrong, for: $0) },
    failing("error no-access") { .failure(.forbidden, .notAdmitted, for: $0) },
    failing("error too-many") { .failure(.tooManyRequests, .tooManyRequests, for: $0) },
    PageCase("start", wording: .english) { try await $0.get("/?still") },
  ]
}
