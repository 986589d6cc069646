import Foundation
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

#if os(Linux)
  /// An app of the old style, in a process of its own, against an org over HTTP. Everything that the org calls its own way stands in a file.
  @Suite("The migrated app", .timeLimit(.minutes(10)))
  struct MigratedAppTests {
    private static let renamed: OrgStub.Names = {
      var names = OrgStub.Names()
      names.prefix = "/customers"
      names.consumerKey = "3MVG9.acme"
      names.callback = "http://127.0.0.1/acme/signed-in"
      names.scopes = "api refresh_token web"
      names.apiVersion = "61.0"
      return names
    }()

    /// Runs the app with a browser whose user says yes at once.
    private func run(_ org: OrgStub, _ change: (String) -> String = { $0 }) async throws -> ChildProcess.Result {
      let folder = try TemporaryFolder()
      let browser = folder.url.appending(path: "xdg-open")
      try await ChildProcess.writeScript(
        "#!/bin/sh\nexec curl --silent --location --output /dev/null \"$1\"\n", to: browser)
      let example = try String(
        contentsOf: SettingsFileTests.example.appending(path: "settings.json"), encoding: .utf8)
      let settings = folder.url.appending(path: "settings.json")
      try change(example.replacing("http://127.0.0.1:8080", with: org.url))
        .write(to: settings, atomically: true, encoding: .utf8)
      return try await ChildProcess.run(
        Worker.program("SalesforceMigration"), [settings.path],
        environment: [
          "HOME": folder.url.path, "XDG_DATA_HOME": folder.url.path, "PATH": "\(folder.url.path):/usr/bin:/bin",
        ])
    }

    @Test("Bug-D05: the app signs in to an org with another host, key, callback and version, by a file alone")
    func byFile() async throws {
      let org = try OrgStub(Self.renamed)
      defer { org.stop() }
      let result = try await run(org)
      #expect(
        result.output.split(separator: "\n") == [
          "will switch to 005x00000012Q9P", "user ann@example.com, Ann Example, 15 characters", "2 members, true",
          "asked for acme-cases", "cases: 200", "will log out ann@example.com, token: true", "logged out, 0 left",
        ])
      #expect(result.status == 0)
      #expect(org.log.last == "POST /customers/services/oauth2/revoke")
      #expect(org.log.contains("GET /services/data/v61.0/sobjects/Case"))
    }

    @Test("Bug-D05: a mistake in the file is named, and no user is asked")
    func mistake() async throws {
      let org = try OrgStub(Self.renamed)
      defer { org.stop() }
      let result = try await run(org) { $0.replacing("consumerKey", with: "consumerID") }
      #expect(result.output.contains("“consumerID” in settings.json is no setting") && result.status == 2)
      #expect(org.log.isEmpty)
    }
  }
#endif
