import Foundation
import Ostiary
import OstiaryTesting
import Testing

/// Programs that know nothing of Ostiary, as people have used them with servers like this one.
@Suite("Other people's clients at the Pega door", .timeLimit(.minutes(20)))
struct ForeignClientTests {
  // MARK: curl

  private static let curl = ForeignProgram("curl")

  /// curl with a cookie jar of its own.
  private struct Browser {
    let program: ForeignProgram
    let jar: URL

    /// What curl tells of a request, after its redirects.
    struct Answer {
      let body: String
      let status: String
      let redirects: String
      let url: String
    }

    func open(_ url: String, _ options: [String] = []) async throws -> Answer {
      let path = jar.path(percentEncoded: false)
      let text = try await program.run(
        ["-q", "-sS", "--noproxy", "*", "--max-time", "120", "-b", path, "-c", path, "-L"] + options
          + ["-w", "\n%{http_code} %{num_redirects} %{url_effective}", url])
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let told = try #require(lines.last).split(separator: " ").map(String.init)
      try #require(told.count == 3, "\(text)")
      return Answer(
        body: lines.dropLast().joined(separator: "\n"), status: told[0], redirects: told[1], url: told[2])
    }
  }

  /// Runs `body` with a curl that has an empty jar.
  private func withCurl(_ body: (Browser) async throws -> Void) async throws {
    let program = try #require(Self.curl)
    let folder = FileManager.default.temporaryDirectory.appending(path: "ostiary-curl-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(Browser(program: program, jar: folder.appending(path: "jar")))
  }

  @Test(
    "PS1: curl signs in by header and query, and is then known by its cookies",
    .enabled(if: curl != nil, "curl is not installed"), arguments: ["header", "query"])
  func curlActivity(way: String) async throws {
    try await DoorServer.run { server in
      try await withCurl { curl in
        let url = server.url.absoluteString
        let activity = ["-G", "--data-urlencode", "pyActivity=pzMobileAppConfiguration"]
        let password = DoorServer.password.reveal()
        let credential =
          way == "header"
          ? ["--basic", "-u", "jdoe:\(password)"]
          : [
            "--data-urlencode", "UserIdentifier=jdoe",
            "--data-urlencode", "Password=\(Data(password.utf8).base64EncodedString())",
          ]
        #expect(try await curl.open(url + "/PRServlet", activity).status == "401")
        let login = try await curl.open(url + "/PRServlet", activity + credential)
        #expect(login.status == "200")
        #expect(login.body.contains("\"operator\":\"jdoe\""))
        let cases = try await curl.open(url + "/api/v1/cases")
        #expect(cases.status == "200")
        #expect(cases.body.contains("UPLUS-1"))
      }
    }
  }

  @Test(
    "PS2, PS5: curl signs in by the form, follows to the session's address, and is a guest after log-off",
    .enabled(if: curl != nil, "curl is not installed"))
  func curlForm() async throws {
    try await DoorServer.run { server in
      try await withCurl { curl in
        let url = server.url.absoluteString
        let form = try await curl.open(url + "/PRServlet")
        #expect(form.redirects == "1")
        let action = try #require(form.body.firstMatch(of: /action="([^"]+)"/)?.1)
        let target = try #require(URL(string: String(action), relativeTo: server.url)?.absoluteString)
        let button = ["--data", "pyActivity%3DCode-Security.Login=", "--data-urlencode", "UserIdentifier=jdoe"]
        let refused = try await curl.open(target, button + ["--data-urlencode", "Password=wrong"])
        #expect(refused.status == "200" && refused.redirects == "0")
        #expect(refused.body.contains("was not recognized"))
        let page = try await curl.open(
          target, button + ["--data-urlencode", "Password=\(DoorServer.password.reveal())"])
        #expect(page.status == "200" && page.redirects == "1")
        #expect(page.body.contains("Jane Doe"))
        #expect(page.url.hasPrefix(url + "/PRServlet/") && page.url.hasSuffix("*/!STANDARD"))
        #expect(page.url != target)

        let old = Browser(program: curl.program, jar: curl.jar.appendingPathExtension("old"))
        try FileManager.default.copyItem(at: curl.jar, to: old.jar)
        #expect(try await old.open(url + "/api/v1/cases").status == "200")
        #expect(try await curl.open(url + "/PRServlet?pyActivity=Code-Security.LogOff").status == "200")
        #expect(try await curl.open(url + "/api/v1/cases").status == "401")
        #expect(try await old.open(url + "/api/v1/cases").status == "401")
        #expect(try await curl.open(page.url).body.contains("credentialsForm"))
      }
    }
  }

  // MARK: Python

  private static let python = ForeignProgram("python3")

  @Test(
    "PS1, PS2, PS5: Python's urllib and its cookie jar answer the challenge, submit the form, and log off",
    .enabled(if: python != nil, "python3 is not installed"))
  func urllib() async throws {
    try await DoorServer.run { server in
      let python = try #require(Self.python)
      let url = server.url.absoluteString
      let output = try await python.run(["-c", Self.script, url, "jdoe", DoorServer.password.reveal()])
      let told = try JSONDecoder().decode([String: JSONValue].self, from: Data(output.utf8))
      #expect(told["challenged"]?.string == "jdoe")
      #expect(told["by cookie"]?.string == "jdoe")
      #expect(told["after log-off"]?.double == 401)
      #expect(told["page"]?.string?.contains("Jane Doe") == true)
      let address = try #require(told["address"]?.string)
      #expect(address.hasPrefix(url + "/PRServlet/") && address.hasSuffix("*/!STANDARD"))
      // What stays proves nothing: it gives the browser a budget of wrong passwords of its own.
      #expect(told["cookies after log-off"] == .array(["ostiary-device"]))
    }
  }

  private static let script = #"""
    import html.parser, http.cookiejar, json, sys, urllib.error, urllib.parse, urllib.request

    url, user, password = sys.argv[1:]
    told = {}

    def browser(*handlers):
        jar = http.cookiejar.CookieJar()
        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(jar), *handlers)
        return jar, lambda *request: opener.open(*request, timeout=120)

    passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()
    passwords.add_password(None, url, user, password)
    jar, get = browser(urllib.request.HTTPBasicAuthHandler(passwords))
    told["challenged"] = json.load(get(url + "/PRServlet?pyActivity=pzMobileAppConfiguration"))["operator"]

    class Form(html.parser.HTMLParser):
        action, fields = None, {}
        def handle_starttag(self, tag, attributes):
            attributes = dict(attributes)
            if tag == "form":
                self.action = attributes["action"]
            elif tag in ("input", "button") and "name" in attributes:
                self.fields[attributes["name"]] = attributes.get("value") or ""

    jar, get = browser()
    answer = get(url + "/PRServlet")
    form = Form()
    form.feed(answer.read().decode())
    fields = form.fields | {"UserIdentifier": user, "Password": password}
    answer = get(urllib.parse.urljoin(answer.url, form.action), urllib.parse.urlencode(fields).encode())
    told["address"], told["page"] = answer.url, answer.read().decode()
    told["by cookie"] = json.load(get(url + "/api/v1/authenticate"))["operator"]
    get(url + "/PRServlet?pyActivity=Code-Security.LogOff").read()
    told["cookies after log-off"] = [cookie.name for cookie in jar]
    try:
        get(url + "/api/v1/authenticate")
    except urllib.error.HTTPError as error:
        told["after log-off"] = error.code
    print(json.dumps(told))
    """#
}
