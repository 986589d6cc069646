import Foundation
import OstiaryCore
import OstiaryTesting
import PythonTestSupport
import Testing

@testable import OstiaryServer

@Suite("Mail to a real SMTP server", .serialized, .timeLimit(.minutes(20)))
struct SMTPClientTests {
  private static func configuration(
    _ server: PythonMailServer, _ security: MailConfiguration.Security
  ) throws -> MailConfiguration {
    var configuration = MailConfiguration(
      host: "localhost", from: try #require(MailAddress("doorkeeper@example.org")))
    configuration.host = security == .insecurePlainText ? "127.0.0.1" : "localhost"
    configuration.port = server.port
    configuration.security = security
    configuration.fromName = "Acme — Türsteher"
    configuration.patience = .seconds(120)
    if security != .insecurePlainText {
      configuration.username = "postman"
      configuration.password = "geheim ä"
      configuration.authorities = server.authority
    }
    return configuration
  }

  private static func message(_ to: String, subject: String = "Hello", text: String = "Text\n") throws -> MailMessage {
    MailMessage(to: try #require(MailAddress(to)), subject: subject, text: text)
  }

  private static func failure(_ client: SMTPClient, _ message: MailMessage) async -> MailFailure? {
    do {
      try await client.send(message)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "A message arrives as it was written, over implicit TLS, STARTTLS and in clear, with a sign-in",
    .enabled("\(PythonMailServer.absence)") { await PythonMailServer.python.interpreter() != nil },
    arguments: [
      ("tls", MailConfiguration.Security.implicitTLS), ("starttls", .startTLS), ("plain", .insecurePlainText),
    ])
  func arrives(mode: String, security: MailConfiguration.Security) async throws {
    let server = try await PythonMailServer(mode)
    let configuration = try Self.configuration(server, security)
    #expect(configuration.problems == [])
    let client = try SMTPClient(configuration, clock: .system)
    let text = """
      .
      ..two dots
      A line with = and a trailing blank\u{20}
      Grüße, 日本語 🙂 \(String(repeating: "lang ", count: 60))
      .

      """
    try await client.send(Self.message("jane@example.com", subject: "Ihr Code für Acme: été, 日本語", text: text))
    try await client.send(Self.message("jürgen@exämple.com"))
    #expect(await Self.failure(client, try Self.message("nobody@example.com"))?.isTransient == false)
    #expect(await Self.failure(client, try Self.message("busy@example.com"))?.isTransient == true)
    let mail = try server.mail
    #expect(mail.count == 2)
    let first = try #require(mail.first)
    #expect(first.from == "doorkeeper@example.org" && first.to == ["jane@example.com"])
    #expect(first.tls == (security != .insecurePlainText))
    #expect(first.user == (security == .insecurePlainText ? nil : "postman"))
    #expect(first.content.isEmpty == false && first.text.utf8.allSatisfy { $0 < 0x80 })
    #expect(first.text.split(separator: "\r\n", omittingEmptySubsequences: false).allSatisfy { $0.utf8.count <= 78 })
    #expect(Self.decoded(first.text) == text)
    #expect(mail.last?.to == ["jürgen@exämple.com"])
  }

  @Test(
    "Nothing is sent to a server that isn't trusted, takes another password, or offers no TLS where it is wanted",
    .enabled("\(PythonMailServer.absence)") { await PythonMailServer.python.interpreter() != nil })
  func refused() async throws {
    let secure = try await PythonMailServer("tls")
    var untrusted = try Self.configuration(secure, .implicitTLS)
    untrusted.authorities = nil
    #expect(
      await Self.failure(try SMTPClient(untrusted, clock: .system), try Self.message("a@example.com"))?.isTransient
        == true)
    var other = try Self.configuration(secure, .implicitTLS)
    other.password = "wrong"
    let refusal = await Self.failure(try SMTPClient(other, clock: .system), try Self.message("a@example.com"))
    #expect(refusal?.isTransient == true && refusal?.description.contains("wrong") == false)
    let plain = try await PythonMailServer("plain")
    var hopeful = try Self.configuration(plain, .startTLS)
    hopeful.authorities = nil
    #expect(
      await Self.failure(try SMTPClient(hopeful, clock: .system), try Self.message("a@example.com"))
        == .transient("the mail server offers no TLS"))
    #expect(try secure.mail.isEmpty && plain.mail.isEmpty)
  }

  @Test(
    "People recover their password through a real mail server, whose absence nobody notices while it lasts",
    .enabled("\(PythonMailServer.absence)") { await PythonMailServer.python.interpreter() != nil })
  func recovery() async throws {
    let mailServer = try await PythonMailServer("starttls")
    let mail = try Self.configuration(mailServer, .startTLS)
    try await TestServer.run({ $0.mail = mail }) { server in
      #expect(server.application.insecureDevelopmentMailbox == nil)
      try await server.identity.addUser(
        name: "jane", email: "jane@example.com", password: Secret(TestServer.janesPassword))
      let client = server.client()
      let flow = try #require(try await client.get("/flows/recover").json["flow"]?["id"]?.string)
      let body = "{\"flow\":\"\(flow)\",\"action\":\"send_code\",\"fields\":{\"email\":\"jane@example.com\"}}"
      let asked = try await client.send(
        "POST", "/flows/recover", headers: ["Content-Type": "application/json"], body: body)
      #expect(asked.status == 200)
      await server.application.settleMail()
      let taken = try mailServer.mail
      #expect(taken.count == 1)
      let text = Self.decoded(try #require(taken.first).text)
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("The code is ") })
      let proven = try await client.send(
        "POST", "/flows/recover", headers: ["Content-Type": "application/json"],
        body:
          "{\"flow\":\"\(flow)\",\"action\":\"check_code\",\"fields\":{\"code\":\"\(line.dropFirst("The code is ".count).trimmingBlanks)\"}}"
      )
      #expect(proven.json["flow"]?["step"] == "password")
    }
  }

  /// The body of a quoted-printable message.
  static func decoded(_ message: String) -> String {
    let body = message.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n")
    var bytes: [UInt8] = []
    var rest = Array(body.replacing("=\r\n", with: "").replacing("\r\n", with: "\n").utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "="), rest.count >= 2 else {
        bytes.append(byte)
        continue
      }
      bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
