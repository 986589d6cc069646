/// What is said of the options of a profile that one kind of server has, and of its ways to sign in.
enum KindMessage: CommandMessage {
  case signInInBrowser(page: String)
  /// Before the page, where an API wants more of a sign-in than the profile has.
  case strongerSignIn(place: String)
  /// What opening the browser said.
  case browserProblem(String)
  case enterCode(page: String, code: String)
  /// Before a QR code with the page and the code in it.
  case scan
  case noAddress(option: String)
  case onlyValue(option: String, value: String)
  case otherServerInFile
  case takesNoFile(kind: String)
  case unknownActivity(String, known: [String])
  case newzuluNeedsKeyAndTenant
  case noLoginHost(String)
  case noRedirectURI
  /// The profile is of one kind, and the command is for another.
  /// - others: the profiles that it could take.
  case otherKind(profile: String, kind: String, wanted: String, others: [String])

  var line: Line {
    switch self {
    case .signInInBrowser(let page):
      """
      Sign in in your browser. If it does not open, open this page yourself. Its address is for this sign-in alone; show it \
      to no other person:
        \(page)
      """
    case .strongerSignIn(let place): "\(place) wants a stronger or more recent sign-in for this."
    case .browserProblem(let words): Line(words)
    case .enterCode(let page, let code): "Open \(page) on any device and enter \(code, .bold)"
    case .scan: "Or scan this with a phone, and go on only if it shows the same code."
    case .noAddress(let option): "The option “\(option)” is neither an address nor a path."
    case .onlyValue(let option, let value): "The option “\(option)” can only be “\(value)”."
    case .otherServerInFile: "The configuration file names another server than the profile. Nothing was sent."
    case .takesNoFile(let kind): "\(kind) takes no configuration file."
    case .unknownActivity(let name, _): "pega knows no activity “\(name)”."
    case .newzuluNeedsKeyAndTenant: "newzulu needs the app's key and the tenant."
    case .noLoginHost(let address): "“\(address)” is not where users of an org log in."
    case .noRedirectURI: "The option “redirect-uri” is not an address."
    case .otherKind(let profile, let kind, let wanted, _):
      "The profile \(profile) is for \(kind), and this command needs one for \(wanted)."
    }
  }

  var advice: String {
    switch self {
    case .signInInBrowser, .strongerSignIn, .browserProblem, .enterCode, .scan: ""
    case .noAddress(let option): "Write --option \(option)=https://host/path, or --option \(option)=/path."
    case .onlyValue(let option, let value): "Write --option \(option)=\(value), or leave it out."
    case .otherServerInFile:
      "Give the server in one of the two places, or the same in both; for another server sign in with another profile."
    case .takesNoFile: "Leave --config out."
    case .unknownActivity(_, let known): "Write --option activity=\(known.joined(separator: " or "))."
    case .newzuluNeedsKeyAndTenant:
      "Write --option vhost=… --option api-key=…, or “vhost” and “apiKey” into the configuration file."
    case .noLoginHost:
      "Write --server https://login.salesforce.com, https://test.salesforce.com or the org's own domain."
    case .noRedirectURI: "Write --option redirect-uri=http://localhost:1717/OauthRedirect, as it is registered."
    case .otherKind(_, _, let wanted, let others): Self.advice(wanted, others)
    }
  }

  private static func advice(_ wanted: String, _ others: [String]) -> String {
    guard let first = others.first else { return "Sign in first: ostiary login \(wanted) --server URL --user NAME." }
    let more = others.count > 1 ? " (or \(others.dropFirst().joined(separator: ", ")))" : ""
    return "Write --profile \(first.quotedForShell)\(more)."
  }

  static let examples: [KindMessage] = [
    .signInInBrowser(page: "https://login.salesforce.com/services/oauth2/authorize?client_id=…"),
    .strongerSignIn(place: "https://example.org"), .browserProblem("No browser could be opened."),
    .enterCode(page: "https://login.salesforce.com/setup/connect", code: "ABCD1234"), .scan,
    .noAddress(option: "login"),
    .onlyValue(option: "preemptive", value: "basic"), .otherServerInFile, .takesNoFile(kind: "http"),
    .unknownActivity("profile", known: ["mobileAppConfiguration", "accessGroupDetails"]), .newzuluNeedsKeyAndTenant,
    .noLoginHost("https://example.org/path"), .noRedirectURI,
    .otherKind(profile: "work", kind: "pega", wanted: "newzulu", others: []),
    .otherKind(profile: "work", kind: "pega", wanted: "newzulu", others: ["ann@api.filemobile.com", "press"]),
  ]
}
