import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

@Suite("ostiary doctor: the way to the server", .timeLimit(.minutes(20)))
struct DoctorWayTests {
  private func line(_ outcome: Outcome, _ check: String) throws -> String {
    String(
      try #require(
        outcome.output.split(separator: "\n").first { $0.dropFirst(2).hasPrefix("\(check) ") }, "\(outcome.output)"))
  }

  private func store(_ server: String, trusting file: String? = nil, in sandbox: Sandbox) throws {
    let url = try #require(URL(string: server))
    let profile = Profile(
      name: "p", kind: AuthenticatorKind("pega"), server: url, user: "alice", method: "basic", certificateFile: file)
    try ProfileStore(sandbox.folders).change { $0.put(profile) }
  }

  @Test(
    "Each reason for which a certificate is not trusted has its own line",
    arguments: [
      (
        CertifiedServer.Certificates(), false, "✗",
        "“A test's authority”, is not trusted here. Sign in again with --ca-file"
      ),
      (CertifiedServer.Certificates(), true, "✓", "The certificate from “A test's authority” is trusted for localhost"),
      (CertifiedServer.Certificates(until: 5 * 86_400 + 3600), true, "!", "in 5 days"),
      (CertifiedServer.Certificates(until: -60), true, "✗", "has expired"),
      (CertifiedServer.Certificates(from: 86_400), true, "✗", "is not valid before"),
      (
        CertifiedServer.Certificates(names: ["a.example", "b.example"]), true, "✗",
        "is for a.example, b.example, not for localhost"
      ),
    ])
  func certificates(
    _ certificates: CertifiedServer.Certificates, isTrusted: Bool, mark: String, words: String
  ) async throws {
    let sandbox = try Sandbox()
    let server = try await CertifiedServer(certificates)
    let file = sandbox.folder.appending(path: "authority.pem")
    try Data(server.authority.utf8).write(to: file)
    try store("https://localhost:\(server.port)/prweb", trusting: isTrusted ? file.path : nil, in: sandbox)
    let doctor = await sandbox.run(["doctor", "--timeout", "8"])
    #expect(try line(doctor, "TLS").hasPrefix("\(mark) TLS"), "\(doctor.output)")
    #expect(try line(doctor, "TLS").contains(words), "\(doctor.output)")
    #expect(doctor.status == 5)
    let hidden = await sandbox.run(["doctor", "--timeout", "8", "--hide-hosts"])
    for name in ["localhost"] + certificates.names { #expect(!hidden.output.contains(name), "\(hidden.output)") }
    await server.stop()
  }

  @Test("A server without TLS, one that is not there, and a file of --ca-file that can't be used are told")
  func noTLS() async throws {
    let sandbox = try Sandbox()
    let plain = try LoopbackServer(answering: [.response(body: "plain")])
    let port = plain.port
    try store("https://localhost:\(port)/prweb", in: sandbox)
    #expect(try line(await sandbox.run(["doctor"]), "TLS").contains("There is no TLS at https://localhost:\(port)."))
    plain.stop()
    let gone = await sandbox.run(["doctor"])
    #expect(try gone.status == 5 && line(gone, "TLS").contains("Connection refused"), "\(gone.output)")
    try store("https://localhost:\(port)/prweb", trusting: sandbox.path + "/none.pem", in: sandbox)
    #expect(try line(await sandbox.run(["doctor"]), "TLS").contains("there is no such file"))
    try Data("no certificate".utf8).write(to: sandbox.folder.appending(path: "none.pem"))
    #expect(try line(await sandbox.run(["doctor"]), "TLS").contains("no certificate that can be read"))
  }

  @Test("A variable that names a proxy is told without its password, and the proxy is not used")
  func proxy() async throws {
    let sandbox = try Sandbox()
    let proxy = try LoopbackServer(answering: [.response(502)])
    defer { proxy.stop() }
    let server = try FormServer()
    defer { server.stop() }
    let address = "http://keeper:pr0xy-password@127.0.0.1:\(proxy.port)"
    let variables = ["HTTP_PROXY": address, "http_proxy": address, "HTTPS_PROXY": address, "ALL_PROXY": address]
    #expect(await sandbox.run(server.login, answers: ["apple"], variables: variables).status == 0)
    let loopback = await sandbox.run(["doctor"], variables: variables)
    #expect(loopback.status == 0)
    #expect(try line(loopback, "proxy").contains("is not for this server"), "\(loopback.output)")
    #expect(proxy.requests.isEmpty)
    try store("http://no-such-host.invalid/prweb", in: sandbox)
    let doctor = await sandbox.run(["doctor"], variables: variables)
    let text = try line(doctor, "proxy")
    #expect(text.hasPrefix("! proxy"))
    #expect(text.contains("HTTP_PROXY and http_proxy and ALL_PROXY name a proxy (127.0.0.1:\(proxy.port))"), "\(text)")
    #expect(!doctor.output.contains("keeper") && !doctor.output.contains("pr0xy"))
    let excepted = await sandbox.run(["doctor"], variables: variables.merging(["no_proxy": "a, .invalid"]) { $1 })
    #expect(try line(excepted, "proxy").hasPrefix("✓"))
    #expect(proxy.requests.isEmpty)
  }

  @Test("The variables that count follow from the server's scheme, and NO_PROXY excepts names and domains")
  func proxyVariables() throws {
    let secure = try #require(Origin(scheme: "https", host: "app.example.org", port: nil))
    func names(_ variables: [String: String]) -> [String] { ProxyVariables(variables, for: secure).names }
    #expect(names(["HTTP_PROXY": "a", "https_proxy": "b", "ALL_PROXY": ""]) == ["https_proxy"])
    #expect(ProxyVariables(["HTTP_PROXY": "a"], for: nil).names == ["HTTP_PROXY"])
    for exception in ["*", "app.example.org", ".example.org", "*.example.org", "x,example.org", "app.example.org:443"] {
      #expect(ProxyVariables(["HTTPS_PROXY": "a", "NO_PROXY": exception], for: secure).isExcepted, "\(exception)")
    }
    for exception in ["ample.org", "example.com", "", "."] {
      #expect(!ProxyVariables(["HTTPS_PROXY": "a", "NO_PROXY": exception], for: secure).isExcepted, "\(exception)")
    }
    #expect(ProxyVariables(["HTTPS_PROXY": "u:p@proxy:3128"], for: secure).proxy == "proxy:3128")
    #expect(ProxyVariables(["HTTPS_PROXY": "socks5://u:p@proxy"], for: secure).proxy == "proxy")
    #expect(ProxyVariables(["HTTPS_PROXY": "::"], for: secure).proxy == nil)
  }

  @Test("A gateway's profile: whether its address asks a stranger to sign in")
  func gateway() async throws {
    let sandbox = try Sandbox()
    let server = try FormServer()
    #expect(await sandbox.run(server.login, answers: ["apple"]).status == 0)
    let doctor = await sandbox.run(["doctor"])
    #expect(doctor.status == 0, "\(doctor.output)")
    #expect(try line(doctor, "gateway").hasPrefix("✓ gateway  The gateway asks a stranger to sign in"))
    let asked = server.requests.count { $0.fields[.cookie] == nil && $0.path == "/" }
    #expect(await sandbox.run(["doctor"]).status == 0)
    // One question serves the gateway and the server.
    #expect(server.requests.count { $0.fields[.cookie] == nil && $0.path == "/" } == asked + 1)
    server.stop()
    let open = try LoopbackServer(answering: [.response(body: "open")])
    defer { open.stop() }
    let url = open.url()
    let profile = Profile(
      name: "open", kind: AuthenticatorKind("gateway"), server: url, user: "ann", method: nil, certificateFile: nil)
    try ProfileStore(sandbox.folders).change { $0.put(profile) }
    let passing = await sandbox.run(["doctor"])
    #expect(try line(passing, "gateway").hasPrefix("! gateway  The protected address answers a stranger with 200"))
    #expect(try line(passing, "gateway").contains("--option login="))
    #expect(passing.status == 3)
  }

  @Test(
    "A server behind a gateway: it is asked through the gateway's session, and a gateway's session that is over is told"
  )
  func behind() async throws {
    let sandbox = try Sandbox()
    let isOver = Locked(false)
    let html = [("Content-Type", "text/html")]
    let form = "<form method=post action=/login><input name=u><input name=p type=password></form>"
    let server = try LoopbackServer { request in
      if request.path == "/login" {
        return request.method == "POST"
          ? [.redirect(303, to: "/", [("Set-Cookie", "s=good; Path=/")])] : [.response(200, html, body: form)]
      }
      guard request.fields[.cookie]?.contains("s=good") == true, !isOver.withLock({ $0 }) else {
        return [.redirect(302, to: "/login")]
      }
      guard request.path.hasPrefix("/app") else { return [.response(body: "inside")] }
      return request.fields[.authorization] == nil
        ? [.response(401, [("WWW-Authenticate", "Basic realm=\"a\"")])] : [.response(body: "innermost")]
    }
    defer { server.stop() }
    let base = "http://127.0.0.1:\(server.port)"
    let corp = ["login", "gateway", "--server", base + "/", "--user", "ann", "--profile", "corp"]
    let app = ["login", "http", "--server", base + "/app", "--user", "bob", "--profile", "app", "--behind", "corp"]
    #expect(await sandbox.run(corp, answers: ["a"]).status == 0)
    let login = await sandbox.run(app, answers: ["b"])
    #expect(login.status == 0, "\(login.error)")
    let doctor = await sandbox.run(["doctor"])
    #expect(doctor.status == 0, "\(doctor.output)")
    #expect(try line(doctor, "profile").contains("behind corp"))
    #expect(try line(doctor, "gateway").hasPrefix("✓"), "\(doctor.output)")
    #expect(try line(doctor, "server").contains("answers with 401"), "\(doctor.output)")
    isOver.withLock { $0 = true }
    let before = try sandbox.contents().filter { !$0.key.hasSuffix(".lock") }
    let over = await sandbox.run(["doctor"], answers: ["never asked"])
    #expect(over.status == 3, "\(over.output)")
    #expect(
      try line(over, "server").contains("The gateway asks to sign in again with the profile corp"), "\(over.output)")
    #expect(over.prompts.isEmpty)
    #expect(try sandbox.contents().filter { !$0.key.hasSuffix(".lock") } == before)
    isOver.withLock { $0 = false }
    #expect(await sandbox.run(["doctor"]).status == 0)
  }
}
