import HTTPTypes
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Bug-G20: what people type into account pages", .timeLimit(.minutes(20)))
struct TypedInputTests {
  /// A text in wide letters, as input methods of East Asia write it.
  private static func wide(_ text: String) -> String {
    var wide = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      wide.append(scalar == " " ? "\u{3000}" : Unicode.Scalar(scalar.value + 0xFEE0) ?? scalar)
    }
    return String(wide)
  }

  @Test(
    "Bug-G20: an address and a code are read as they are typed or copied: wide, with invisible characters around them",
    arguments: [FlowKind.signup, .recover])
  func typed(kind: FlowKind) async throws {
    let world = try FlowWorld()
    if kind == .recover { try await world.addJane() }
    let flow = try world.begin(kind)
    let address = "\u{200E}\(Self.wide("jane@example"))．com\u{200B}\u{A0}"
    let first =
      try await kind == .signup
      ? world.submit(kind, flow, .signup, ["email": address, "password": FlowWorld.password])
      : world.submit(kind, flow, .sendCode, ["email": address])
    #expect(first.problem == nil && first.document.step == .code)
    let code = try #require(await world.code())
    let typed = "\u{FEFF}" + Self.wide("\(code.prefix(4)) \(code.dropFirst(4).lowercased())") + "\u{2069}"
    let second = try await world.submit(kind, flow, .checkCode, ["code": typed])
    #expect(second.problem == nil && second.document.step == (kind == .signup ? .done : .password))
    #expect(second.signedIn?.email == (kind == .signup ? "jane@example.com" : nil))
  }

  @Test(
    "Bug-G17: a name or an address with spaces or invisible characters around it signs in",
    arguments: ["jane ", " JANE", "\u{FEFF}jane\u{200B}", "jane@example.com\u{A0}", "ｊａｎｅ\u{3000}"])
  func login(name: String) async throws {
    let world = try FlowWorld()
    try await world.addJane()
    let outcome = try await world.submit(
      .login, try world.begin(.login), .login, ["identifier": name, "password": FlowWorld.password])
    #expect(outcome.signedIn?.name == "jane")
  }

  @Test("Bug-G17: guesses at a name count together, however it is padded")
  func guesses() async throws {
    let world = try FlowWorld()
    try await world.addJane()
    for padding in 0..<6 {
      _ = try await world.submit(
        .login, try world.begin(.login), .login,
        ["identifier": "jane" + String(repeating: " ", count: padding), "password": "wrong \(padding)"])
    }
    let outcome = try await world.submit(
      .login, try world.begin(.login), .login, ["identifier": "jane", "password": FlowWorld.password])
    #expect(outcome.status == .tooManyRequests)
  }

  @Test("Bug-G20: what is inside of an address or a code is not left out")
  func inside() {
    #expect(MailAddress.typed("ja\u{200B}ne@example.com") == nil)
    #expect(MailAddress.typed("taro@example。co｡jp")?.description == "taro@example.co.jp")
    #expect(FlowCode(typed: "ABCD\u{200B}EFGH") == nil && FlowCode(typed: "ABCD EFGH") != nil)
  }
}
