import Foundation
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

/// That the httpd which other tests sign in to behaves as they take it to, asked by a program that is neither side's.
@Suite("Apache httpd, asked by curl", .timeLimit(.minutes(20)))
struct ApacheServerTests {
  private static let isRunnable = ApacheServer.isInstalled && Curl.program != nil
  private static let absence = "\(ApacheServer.absence) Or curl is not."

  /// What curl says about a request.
  private struct Answer {
    let status: String
    let location: String
    let fields: String
    let body: String
  }

  /// curl with a cookie jar.
  private struct Curl {
    static let program = ChildProcess.find("curl")
    let jar: URL

    func open(_ url: URL, _ options: [String] = []) async throws -> Answer {
      let jar = jar.path(percentEncoded: false)
      let result = try await ChildProcess.run(
        try #require(Self.program),
        ["-q", "-sS", "-i", "--noproxy", "*", "--max-time", "90", "-b", jar, "-c", jar] + options + [url.absoluteString]
      )
      let text = result.output.replacingOccurrences(of: "\r\n", with: "\n")
      // A challenge that curl answers itself comes first.
      let answers = text.components(separatedBy: "HTTP/1.1 ")
      let last = try #require(answers.last)
      let parts = last.components(separatedBy: "\n\n")
      let fields = parts.first ?? ""
      let location = fields.split(separator: "\n").first { $0.lowercased().hasPrefix("location: ") }
      return Answer(
        status: String(last.prefix(3)), location: location.map { String($0.dropFirst("location: ".count)) } ?? "",
        fields: fields, body: parts.dropFirst().joined(separator: "\n\n"))
    }
  }

  private func run(_ body: (ApacheServer, Curl) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    try await ApacheServer.run { server in try await body(server, Curl(jar: folder.file("jar"))) }
  }

  private func credential(_ password: String = ApacheServer.password.reveal()) -> [String] {
    ["--data-urlencode", "httpd_username=\(ApacheServer.user)", "--data-urlencode", "httpd_password=\(password)"]
  }

  /// Where the form of a variant goes, the challenge's status, and that of a wrong password.
  private static let variants = [
    ("redirect", "/dologin", "302", "302"), ("unauthorized", "/dologin-unauthorized", "401", "401"),
    ("inline", "/inline/secret.json", "200", "200"),
  ]

  @Test(
    "mod_auth_form challenges, refuses and lets in, in each variant", .enabled(if: isRunnable, "\(absence)"),
    arguments: variants)
  func forms(variant: String, action: String, challenged: String, refused: String) async throws {
    try await run { (server, curl) async throws in
      let resource = server.url(of: variant)
      let form = server.url.appending(path: action)
      let first = try await curl.open(resource)
      #expect(first.status == challenged)
      if variant == "redirect" {
        #expect(first.location == "/login.html")
        let page = try await curl.open(server.url.appending(path: "login.html"))
        #expect(page.status == "200")
        #expect(page.body.contains("httpd_password"))
      } else {
        #expect(first.body.contains("name=\"httpd_password\""))
        #expect(first.fields.contains("Content-Type: text/html"))
      }
      #expect(!first.body.contains("secret"))

      let wrong = try await curl.open(form, credential("wrong"))
      #expect(wrong.status == refused)
      #expect(!wrong.fields.contains("Set-Cookie"))
      if variant != "redirect" { #expect(wrong.body.contains("httpd_password")) }

      let right = try await curl.open(form, credential())
      #expect(right.status == (variant == "inline" ? "200" : "302"))
      #expect(right.fields.contains("Set-Cookie: \(variant)-session="))
      if variant == "inline" { #expect(right.body == ApacheServer.secret(variant)) }
      let again = try await curl.open(resource)
      #expect(again.status == "200")
      #expect(again.body == ApacheServer.secret(variant))

      try server.changePassword(to: "another")
      let over = try await curl.open(resource)
      #expect(over.status == challenged)
    }
  }

  @Test("Basic and Digest", .enabled(if: isRunnable, "\(absence)"), arguments: ["basic", "digest"])
  func schemes(scheme: String) async throws {
    try await run { (server, curl) async throws in
      let resource = server.url(of: scheme)
      let first = try await curl.open(resource)
      #expect(first.status == "401")
      #expect(
        first.fields.contains(
          "WWW-Authenticate: " + (scheme == "basic" ? #"Basic realm="Apache \"Basic\"""# : #"Digest realm="ours""#)))
      let user = "\(ApacheServer.user):\(ApacheServer.password.reveal())"
      let right = try await curl.open(resource, ["--\(scheme)", "-u", user])
      #expect(right.status == "200")
      #expect(right.body == ApacheServer.secret(scheme))
      #expect(try await curl.open(resource, ["--\(scheme)", "-u", user + "x"]).status == "401")
    }
  }

  @Test("The logout page ends the session", .enabled(if: isRunnable, "\(absence)"))
  func logout() async throws {
    try await run { (server, curl) async throws in
      #expect(try await curl.open(server.url.appending(path: "dologin"), credential()).status == "302")
      #expect(try await curl.open(server.url(of: "redirect")).status == "200")
      #expect(try await curl.open(server.url.appending(path: "logout")).status == "307")
      #expect(try await curl.open(server.url(of: "redirect")).status == "302")
    }
  }
}
