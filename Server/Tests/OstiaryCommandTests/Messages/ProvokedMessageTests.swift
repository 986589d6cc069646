import Foundation
import OstiaryCore
import OstiaryPega
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand
@testable import OstiaryServerCommand

/// Messages are provoked as people provoke them, and come as the catalogue has them.
@Suite("Messages as they are provoked", .timeLimit(.minutes(20)))
struct ProvokedMessageTests {
  /// What is typed, and the message that answers it.
  struct Mistake: Sendable, CustomTestStringConvertible {
    let typed: String
    let message: any CommandMessage
    var variables: [String: String] = [:]

    init(_ typed: String, _ message: any CommandMessage, variables: [String: String] = [:]) {
      (self.typed, self.message, self.variables) = (typed, message, variables)
    }

    var testDescription: String { typed }
  }

  /// Runs a mistake; its words are separated by blanks, and `''` is an empty one.
  private func run(_ typed: String, _ variables: [String: String] = [:], in sandbox: Sandbox) async -> Outcome {
    await sandbox.run(typed.split(separator: " ").map { $0 == "''" ? "" : String($0) }, variables: variables)
  }

  private static func said(_ message: any CommandMessage) -> String { "error: \(message.whole.plain)\n" }

  private static let pega = "login pega --server https://host/prweb --user ann"
  private static let newzulu = "login newzulu --server https://api.filemobile.com --user ann@example.com"
  private static let http = "login http --server https://host --user ann"

  private static let client = [
    Mistake("login nosuch", LoginMessage.unknownKind("nosuch", known: ServerKinds.all.map(\.kind.rawValue))),
    Mistake("login pega", LoginMessage.noServer(kind: "pega")),
    Mistake("login pega --server https://u:p@host/", ServerAddressMessage.userInformationBesideUser),
    Mistake("\(pega) --server https://other/prweb", ServerAddressMessage.serverTwice),
    Mistake("login pega --server host", ServerAddressMessage.noServer("host")),
    Mistake("login pega --server https://host/prweb --user ''", LoginMessage.badUserName),
    Mistake("login pega --server https://host/prweb", LoginMessage.noUserName(kind: "pega")),
    Mistake("\(http) --method digest", LoginMessage.unknownMethod(kind: "http", method: "digest", known: [])),
    Mistake(
      "\(pega) --method digest",
      LoginMessage.unknownMethod(kind: "pega", method: "digest", known: PegaSignInMethod.allCases.map(\.rawValue))),
    Mistake("\(pega) -o colour=red", LoginMessage.unknownOption(kind: "pega", name: "colour", known: ["activity"])),
    Mistake(
      "\(newzulu) -o vhost=",
      LoginMessage.badOptionValue(kind: "newzulu", name: "vhost", needed: ["vhost", "api-key"])),
    Mistake(newzulu, LoginMessage.missingOption(kind: "newzulu", name: "vhost", needed: ["vhost", "api-key"])),
    Mistake("\(newzulu) -o vhost=206 -o api-key=@none", FileMessage.unreadable("none")),
    Mistake("\(pega) --profile ''", LoginMessage.badProfileName("")),
    Mistake("login salesforce -o client-id=key --password-stdin", LoginMessage.takesNoPassword),
    Mistake("\(pega) --password-stdin --password-file file", PasswordMessage.onlyOneSource),
    Mistake(pega, PasswordMessage.noPersonToAsk(user: "ann", place: "https://host")),
    Mistake("\(pega) --password-command false", PasswordMessage.commandFailed(status: 1)),
    Mistake("\(pega) --password-command true", PasswordMessage.missing(.commandOutput)),
    Mistake("\(pega) --password-credential app", PasswordMessage.noCredentials("app")),
    Mistake("\(pega) --password-credential ../app", PasswordMessage.badCredentialName("../app")),
    Mistake("\(pega) --password-stdin", PasswordMessage.missing(.standardInput)),
    Mistake("\(http) -o preemptive=digest", KindMessage.onlyValue(option: "preemptive", value: "basic")),
    Mistake("\(http) -o check=mailto:ann", KindMessage.noAddress(option: "check")),
    Mistake("\(http) --config file", KindMessage.takesNoFile(kind: "http")),
    Mistake(
      "\(pega) -o activity=profile",
      KindMessage.unknownActivity("profile", known: PegaLoginActivity.allCases.map(\.rawValue))),
    Mistake("profile use corp", ProfileMessage.unknown("corp", known: [])),
    Mistake("status", ProfileMessage.noneYet),
    Mistake("status --check --offline", SessionMessage.checkOrOffline),
    Mistake("status --timeout 0", CommandLineMessage.badTimeout),
    Mistake("token corp --profile home", SessionMessage.profileTwice),
    Mistake("token --min-validity soon", SessionMessage.badValidity("soon")),
    Mistake("token --min-validity 0", SessionMessage.badValidity("0")),
    Mistake("token --min-validity 5m --offline", SessionMessage.validityOffline),
    Mistake("request /path -d @- --password-stdin", RequestMessage.inputAskedTwice),
    Mistake("experience check none.json", FileMessage.missingDocument("none.json")),
    Mistake("experience check .", FileMessage.folderWithDocument(".")),
    Mistake("experience run https://host --server https://host", ExperienceMessage.serverWithURL),
    Mistake("experience run -", ExperienceMessage.standardInput),
    Mistake("experience run none.json --token token", ExperienceMessage.tokenWithoutServer),
    Mistake("experience run none.json -p =Ada", ExperienceMessage.badProperty("=Ada")),
    Mistake("experience run http://192.0.2.1/primer", ExperienceMessage.enteredInTheClear(place: "192.0.2.1")),
    Mistake("experience run https://u:p@host/", ServerAddressMessage.userInformation),
    Mistake("why -n 0", WhyMessage.badCount(most: 10_000)),
    Mistake("why --user ann", WhyMessage.optionsOfServer),
    Mistake("why --ca-file file", WhyMessage.optionsOfServerElsewhere),
    Mistake("why --server https://host -n 2000", WhyMessage.badCountOfServer(most: 1000)),
    Mistake("why --server https://host --data folder", WhyMessage.dataOfThisMachine),
    Mistake("why --server https://u:p@host", ServerAddressMessage.userInformation),
    Mistake("why --server https://host/path", ServerAddressMessage.noServerWithoutPath("https://host/path")),
    Mistake("why --server http://192.0.2.1", AdministrationMessage.tokenInTheClear(place: "192.0.2.1")),
    Mistake("why --server https://host", AdministrationMessage.noToken),
    Mistake("why --server https://host --admin-token-file none", FileMessage.missing("none")),
    Mistake("why --server https://host", AdministrationMessage.badToken, variables: ["OSTIARY_ADMIN_TOKEN": "a b"]),
  ]

  private static let serving = [
    Mistake("serve --in-memory --data folder", ServeMessage.dataTwice),
    Mistake("serve --tls-cert file", ServeMessage.certificateWithoutKey),
    Mistake("serve --dev-tls --tls-cert file --tls-key file", ServeMessage.certificateTwice),
    Mistake("serve --audit-days 0", ServeMessage.badAuditDays(most: 36_500)),
    Mistake("serve --password-stdin", ServeMessage.passwordWithoutUser),
    Mistake("serve --allow-sign-up --no-sign-up", ServeMessage.signUpTwice),
    Mistake("serve --in-memory --admin", ServeMessage.adminNeedsFolder),
    Mistake("serve --in-memory --mail-from a@example.org", ServeMessage.mailNeedsServer),
    Mistake("serve --in-memory --mail-server mail.example.org", ServeMessage.mailNeedsSender),
    Mistake("serve --in-memory --mail-server / --mail-from a@example.org", ServeMessage.badMailServer("/")),
    Mistake(
      "serve --in-memory --mail-server mail.example.org --mail-from a@example.org --mail-user a",
      ServeMessage.mailNeedsPassword),
    Mistake("serve --gateway-upstream app", DoorOptionMessage.badUpstream("app")),
    Mistake("serve --in-memory --newzulu-max-file large", DoorOptionMessage.badSize("large")),
    Mistake("serve --in-memory --newzulu-keys none", FileMessage.unreadable("none")),
    Mistake("serve --in-memory --newzulu-s3-region eu-central-1", DoorOptionMessage.bucketMissing),
    Mistake("serve --in-memory --newzulu-s3 https://s3.example/uploads", DoorOptionMessage.noBucketCredentials),
    Mistake(
      "serve --in-memory --newzulu-s3 https://s3.example", DoorOptionMessage.badBucket,
      variables: ["AWS_ACCESS_KEY_ID": "AKIAEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret"]),
    Mistake(
      "serve --in-memory --newzulu-s3 https://s3.example/uploads --newzulu-s3-credentials none",
      DoorOptionMessage.badBucketCredentials("none")),
    Mistake("serve --in-memory --salesforce-app KEY", DoorOptionMessage.badApp("KEY")),
    Mistake("user add ann --attribute group", UserMessage.badAttribute("group")),
    Mistake("user add ann", UserMessage.noPersonToAsk(user: "ann")),
    Mistake("admin add laptop --days 0", AdminMessage.badDays(most: 3650)),
    Mistake("audit list -n 0", AuditMessage.badCount(most: 100_000)),
  ]

  @Test(
    "Bug-B06: a mistake on the command line is answered with the message of the catalogue", arguments: client + serving)
  func mistakes(_ mistake: Mistake) async throws {
    let outcome = await run(mistake.typed, mistake.variables, in: try Sandbox())
    #expect(outcome.error.hasPrefix(Self.said(mistake.message)), "\(outcome.error)")
    #expect(![0, 1].contains(outcome.status))
  }

  @Test("Bug-B06: what a server answers an administrator is told with the message of the catalogue")
  func administration() async throws {
    typealias Answer = (status: Int, body: String, message: (String) -> any CommandMessage)
    let answers: [Answer] = [
      (401, #"{"error":"expired_token"}"#, { AdministrationMessage.tokenExpired(server: $0) }),
      (401, "", { AdministrationMessage.tokenUnknown(server: $0) }),
      (403, #"{"error":"https_required"}"#, { AdministrationMessage.httpsRequired(server: $0) }),
      (404, "", { AdministrationMessage.noAdministrators(server: $0, status: 404) }),
      (429, "", { AdministrationMessage.tooManyTokens(server: $0) }),
      (503, "", { AdministrationMessage.unavailable(server: $0, status: 503) }),
      (418, "", { AdministrationMessage.unclear(server: $0, status: 418) }),
      (200, "open", { AdministrationMessage.noEvents(server: $0) }),
      (200, #"{"events":[{"id":1}]}"#, { _ in WhyMessage.noEvent }),
    ]
    for (status, body, message) in answers {
      let server = try LoopbackServer(answering: [.response(status, body: body)])
      defer { server.stop() }
      let outcome = await run(
        "why --server http://127.0.0.1:\(server.port) --user ann", ["OSTIARY_ADMIN_TOKEN": "token"], in: try Sandbox())
      #expect(outcome.error == Self.said(message("127.0.0.1:\(server.port)")), "\(status) \(body)")
    }
  }

  @Test("Bug-B06: what a server of experiences answers is told with the message of the catalogue")
  func onboarding() async throws {
    typealias Answer = (status: Int, message: (String) -> any CommandMessage)
    let answers: [Answer] = [
      (403, { ExperienceMessage.appRefused(server: $0, status: 403) }),
      (404, { ExperienceMessage.nothingThere(server: $0, path: "/login", status: 404) }),
      (503, { ExperienceMessage.unavailable(server: $0, status: 503, wait: nil) }),
      (418, { ExperienceMessage.unclear(server: $0, status: 418) }),
      (200, { ExperienceMessage.noObject(server: $0) }),
    ]
    for (status, message) in answers {
      let server = try LoopbackServer(answering: [.response(status, body: status == 200 ? "open" : "")])
      defer { server.stop() }
      let place = "127.0.0.1:\(server.port)"
      let onboarding = try OnboardingServer(
        "http://\(place)", token: nil, insecureHTTP: false, transport: try CommandTransport())
      do {
        _ = try await onboarding.submit([:], to: .logIn)
        Issue.record("\(status) was taken")
      } catch let error as OstiaryError {
        #expect(FailureReport(error).line.plain + "\n" == Self.said(message(place)), "\(status)")
      }
    }
  }
}
