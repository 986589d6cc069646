internal import Foundation

/// What `ostiary doctor` says. Its values are fit to be pasted into an issue: what could be a secret or a person's name has been
/// taken out by ``DoctorMask`` before.
enum DoctorMessage: CommandMessage, Equatable {
  case checking

  // The profile
  case profileReadable(name: String, kind: String, place: String, behind: String?)
  case noProfile
  case unusable(message: String, advice: String)
  /// An error without words for people.
  case unknownFailure

  // The store
  case storeReady(folder: String)
  case storeNotMadeYet(folder: String)
  case storeFolderRefused(folder: String, reason: String)
  case storeDiskFull(folder: String)
  case storeKeyOpen(file: String)
  case storeHeld

  // The clock
  case clockRight
  case clockAhead(seconds: Int)
  case clockBehind(seconds: Int)
  case clockUntold

  // The name, the connection and the certificate
  case namesFound(host: String, count: Int)
  case nameIsAddress(host: String)
  case nameUnknown(host: String, reason: String)
  case trusted(host: String, issuer: String?, until: String, days: Int)
  case endsSoon(host: String, until: String, days: Int)
  case plainText(isLoopback: Bool)
  case authorityUnknown(issuer: String?, hasOwnFile: Bool)
  case certificateExpired(since: String)
  case certificateNotYetValid(from: String)
  case certificateOfOther(host: String, names: [String])
  case noTLS(place: String)
  case certificateFile(file: String, reason: String)
  case unreachable(place: String, reason: String)

  // Proxies
  case noProxy
  case proxyIgnored(variables: [String], proxy: String?)
  case proxyNotForHost(variables: [String])

  // Gateways and the server
  case noGateway
  case gatewayChallenges(reason: String)
  case gatewayLetsPass(status: Int)
  case gatewayDoubtful(reason: String)
  case gatewaySessionOver(profile: String)
  case serverAnswers(place: String, status: Int, milliseconds: Int)
  case serverFails(place: String, status: Int)

  // The session
  case sessionAccepted(since: String, until: String?)
  /// It is stored, and the server could not be asked.
  case sessionStored(since: String)
  case sessionRefused(reason: String)
  /// The session would have to be renewed for an answer.
  case onlyAsks
  case sessionExpired(until: String)
  case noSession(why: String?)

  // Any check
  case tooSlow(time: String)
  case skipped(because: DoctorReason)
  case summary(of: String, failed: Int, warned: Int)

  var line: Line {
    switch self {
    case .checking: return "Checking…"
    case .profileReadable(let name, let kind, let place, let behind):
      let way: Line = behind.map { " behind \($0)" } ?? ""
      return "\(name): \(kind) at \(place)\(way)."
    case .noProfile: return "There is no profile yet; only this machine is checked."
    case .unusable(let message, _): return "\(message)"
    case .unknownFailure: return "The check failed with an error that has no text."
    case .storeReady(let folder): return "Sessions can be read and written in \(folder)."
    case .storeNotMadeYet(let folder): return "The folder \(folder) will be made by the first sign-in."
    case .storeFolderRefused(let folder, let reason): return "\(folder) can't be written: \(reason)."
    case .storeDiskFull(let folder): return "The disk of \(folder) is full."
    case .storeKeyOpen(let file): return "Other users can read the key of the sessions, so it is not used: \(file)."
    case .storeHeld: return "Another process has held this profile's session for a second."
    case .clockRight: return "This clock and the server's agree."
    case .clockAhead(let seconds): return "This clock is \(Timestamp.words(.seconds(seconds))) ahead of the server's."
    case .clockBehind(let seconds): return "This clock is \(Timestamp.words(.seconds(seconds))) behind the server's."
    case .clockUntold: return "The server doesn't say what time it is."
    case .namesFound(let host, let count): return "\(host) has \(count) address\(count == 1 ? "" : "es")."
    case .nameIsAddress(let host): return "\(host) is an address; no name is looked up."
    case .nameUnknown(let host, let reason): return "The name \(host) was not found: \(reason)."
    case .trusted(let host, let issuer, let until, let days):
      let from: Line = issuer.map { " from “\($0)”" } ?? ""
      return "The certificate\(from) is trusted for \(host) until \(until) (\(days) day\(days == 1 ? "" : "s"))."
    case .endsSoon(let host, let until, let days):
      return "The certificate of \(host) ends on \(until), in \(days) day\(days == 1 ? "" : "s")."
    case .plainText(let isLoopback):
      return isLoopback
        ? "The address is plain http, on this machine."
        : "The address is plain http: others on the way can read everything."
    case .authorityUnknown(let issuer, _):
      let whose: Line = issuer.map { ", “\($0)”," } ?? ""
      return "The authority of the server's certificate\(whose) is not trusted here."
    case .certificateExpired(let since): return "The server's certificate has expired: it was valid until \(since)."
    case .certificateNotYetValid(let from): return "The server's certificate is not valid before \(from)."
    case .certificateOfOther(let host, let names):
      return names.isEmpty
        ? "The server's certificate is not for \(host)."
        : "The server's certificate is for \(names.joined(separator: ", ")), not for \(host)."
    case .noTLS(let place): return "There is no TLS at \(place)."
    case .certificateFile(let file, let reason): return "The file \(file) of --ca-file can't be used: \(reason)."
    case .unreachable(let place, let reason): return "\(place) can't be reached: \(reason)."
    case .noProxy: return "No variable names a proxy; connections are made directly."
    case .proxyIgnored(let variables, let proxy):
      let whose: Line = proxy.map { " (\($0))" } ?? ""
      return
        "\(variables.joined(separator: " and ")) \(variables.count == 1 ? "names" : "name") a proxy\(whose), which ostiary does not use."
    case .proxyNotForHost(let variables):
      return
        "\(variables.joined(separator: " and ")) \(variables.count == 1 ? "names" : "name") a proxy that is not for this server."
    case .noGateway: return "There is no gateway in front of this profile's server."
    case .gatewayChallenges(let reason): return "The gateway asks a stranger to sign in: \(reason)."
    case .gatewayLetsPass(let status):
      return "The protected address answers a stranger with \(status) instead of asking to sign in."
    case .gatewayDoubtful(let reason):
      return "The answer to a stranger may be the gateway's, but has no sign of it: \(reason)."
    case .gatewaySessionOver(let profile): return "The gateway asks to sign in again with the profile \(profile)."
    case .serverAnswers(let place, let status, let milliseconds):
      return "\(place) answers with \(status) after \(milliseconds) ms."
    case .serverFails(let place, let status): return "\(place) fails with \(status)."
    case .sessionAccepted(let since, let until):
      let end: Line = until.map { ", until \($0)" } ?? ""
      return "The server accepts the session, which began \(since)\(end)."
    case .sessionStored(let since):
      return "A session is stored that began \(since); the server could not be asked about it."
    case .onlyAsks: return "The session would have to be renewed first, which the doctor does not do."
    case .sessionRefused(let reason): return "The server refuses the stored session: \(reason)."
    case .sessionExpired(let until): return "The stored session's proof has expired at \(until)."
    case .noSession(let why): return why.map { "No session is stored: \($0)." } ?? "No session is stored."
    case .tooSlow(let time): return "This took longer than \(time)."
    case .skipped(let because): return "Not checked: \(because.line.plain)."
    case .summary(let version, 0, 0): return "\(version): all is well."
    case .summary(let version, let failed, let warned):
      let parts = [(failed, "failed"), (warned, "to look at")].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      return "\(version): \(parts.joined(separator: ", "))."
    }
  }

  var advice: String {
    switch self {
    case .noProfile: "Sign in to a server: ostiary login KIND --server URL --user NAME."
    case .unusable(_, let advice): advice
    case .unknownFailure: "Run the command again with --verbose."
    case .storeFolderRefused: "Let this user write there, or set OSTIARY_HOME to a folder that can be written."
    case .storeDiskFull: "Free some space, or set OSTIARY_HOME to a folder on another disk."
    case .storeKeyOpen(let file): "Run chmod 600 \(file), then sign out and in again."
    case .storeHeld: "End the other ostiary if it hangs; otherwise nothing is wrong."
    case .clockAhead, .clockBehind: "Set this machine's clock by the network's time."
    case .nameUnknown: "Check the name in --server, and this machine's network and name servers."
    case .endsSoon: "Tell the server's administrator."
    case .plainText(false): "Sign in again with an https address in --server, if the server has one."
    case .authorityUnknown(_, false):
      "Sign in again with --ca-file and a file of the authority's certificate, if you know that it is the right one."
    case .authorityUnknown(_, true): "Give --ca-file the certificate of this authority at the next ostiary login."
    case .certificateExpired: "Tell the server's administrator; check this machine's date."
    case .certificateNotYetValid: "Check this machine's date, then tell the server's administrator."
    case .certificateOfOther: "Write --server with a name that the certificate has, or tell the server's administrator."
    case .noTLS: "Check the scheme and the port in --server; the server may speak plain http there."
    case .certificateFile: "Give --ca-file a file of PEM certificates at the next ostiary login."
    case .unreachable: "Check the address and the port in --server, and that no firewall is in between."
    case .proxyIgnored: "If only the proxy leads out of this network, ask for a direct way to the server."
    case .gatewayLetsPass:
      "Write --server with an address that the gateway protects, and --option login=… for its login page."
    case .gatewayDoubtful: "Write --option login=… with the login page's address."
    case .gatewaySessionOver(let profile): "Run ostiary request / --profile \(profile), which signs in again."
    case .serverFails: "Try again later, or tell the server's administrator."
    case .sessionRefused, .noSession: "Sign in with ostiary login."
    case .sessionExpired: "The next ostiary request renews it, or asks for the password."
    case .tooSlow: "Try again, or wait longer with --timeout."
    default: ""
    }
  }

  /// A server whose address has no origin.
  static let someServer = "the server"

  static let examples: [DoctorMessage] = [
    .checking,
    .profileReadable(name: "work", kind: "pega", place: "https://pega.example.org", behind: nil),
    .profileReadable(name: "work", kind: "pega", place: "https://pega.example.org", behind: "corp"), .noProfile,
    .unusable(message: "There is no profile “x”.", advice: "`ostiary login` makes one."),
    .unknownFailure,
    .storeReady(folder: "~/.local/state/ostiary"), .storeNotMadeYet(folder: "~/.local/state/ostiary"),
    .storeFolderRefused(folder: "~/.local/state/ostiary", reason: "Read-only file system"),
    .storeDiskFull(folder: "~/.local/state/ostiary"), .storeKeyOpen(file: "~/.config/ostiary/session.key"), .storeHeld,
    .clockRight, .clockAhead(seconds: 3600), .clockBehind(seconds: 90), .clockUntold,
    .namesFound(host: "pega.example.org", count: 1), .namesFound(host: "pega.example.org", count: 2),
    .nameIsAddress(host: "192.0.2.1"), .nameUnknown(host: "pega.example.org", reason: "Name or service not known"),
    .trusted(host: "pega.example.org", issuer: "Example CA", until: "2027-01-31", days: 67),
    .trusted(host: "pega.example.org", issuer: nil, until: "2027-01-31", days: 67),
    .endsSoon(host: "pega.example.org", until: "2026-11-26", days: 1), .plainText(isLoopback: true),
    .plainText(isLoopback: false), .authorityUnknown(issuer: "Example CA", hasOwnFile: false),
    .authorityUnknown(issuer: nil, hasOwnFile: true), .certificateExpired(since: "2026-01-31"),
    .certificateNotYetValid(from: "2027-01-31"),
    .certificateOfOther(host: "pega.example.org", names: ["www.example.org", "example.org"]),
    .certificateOfOther(host: "pega.example.org", names: []), .noTLS(place: "https://pega.example.org"),
    .certificateFile(file: "/etc/ca.pem", reason: "it has no certificate"),
    .unreachable(place: "https://pega.example.org", reason: "the server refuses connections"), .noProxy,
    .proxyIgnored(variables: ["HTTPS_PROXY", "ALL_PROXY"], proxy: "proxy.example.org:3128"),
    .proxyIgnored(variables: ["HTTPS_PROXY"], proxy: nil), .proxyNotForHost(variables: ["HTTPS_PROXY"]), .noGateway,
    .gatewayChallenges(reason: "it redirects to the login page"), .gatewayLetsPass(status: 200),
    .gatewayDoubtful(reason: "a page with a form"), .gatewaySessionOver(profile: "corp"),
    .serverAnswers(place: "https://pega.example.org", status: 302, milliseconds: 35),
    .serverFails(place: "https://pega.example.org", status: 503),
    .sessionAccepted(since: "2 days ago", until: "2026-11-26 04:43:28"),
    .sessionAccepted(since: "just now", until: nil),
    .sessionStored(since: "2 days ago"), .sessionRefused(reason: "401"), .onlyAsks,
    .sessionExpired(until: "2026-11-24 04:43:28"),
    .noSession(why: nil),
    .noSession(why: "signed out because you asked for it"), .tooSlow(time: "30 seconds"),
    .skipped(because: .hasFailed(check: "the profile")),
    .summary(of: "ostiary 0.1.0, Linux", failed: 0, warned: 0),
    .summary(of: "ostiary 0.1.0, Linux", failed: 2, warned: 1),
  ]
}
