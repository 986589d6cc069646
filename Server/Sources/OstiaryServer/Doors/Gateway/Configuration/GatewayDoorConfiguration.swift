public import Foundation
import OstiaryCore

/// The behaviour of the gateway: real gateways differ in many details.
public struct GatewayDoorConfiguration: Sendable {
  /// The challenge to a client without a session.
  package enum Challenge: String, Sendable, CaseIterable {
    /// A browser is sent to the login page, a program gets a 401 that it can read.
    case negotiated
    /// A 302 to the login page, for every request.
    case redirect
    /// A 200 with the login form, for every request.
    case form
    /// A 401 with the login form, for every request.
    case unauthorizedForm = "unauthorized-form"
  }

  /// The answer to the right password.
  package enum Success: String, Sendable, CaseIterable {
    /// A redirect to the address of the first request.
    case originalResource = "original-resource"
    /// A page that reports the success, for every request.
    case page
    /// The resource of the first request, as the answer to the form.
    case inline
  }

  /// When a client with too many failures is told that the account is locked.
  package enum Lockout: String, Sendable, CaseIterable {
    /// At the next attempt (WebSEAL's `late-lockout-notification = yes`).
    case late
    /// With the answer to the attempt that locked it.
    case early
  }

  /// What the gateway does with a form that is sent without a session.
  package enum HeldRequests: String, Sendable, CaseIterable {
    /// It is refused: the client has to send it again.
    case never
    /// It is stored, encrypted, and sent once if the user agrees after signing in.
    case afterConsent = "after-consent"
    /// It is stored, and sent once when its address is next requested (as WebSEAL does it).
    case automatically
  }

  // MARK: The look

  /// The name of the gateway in challenges and on its pages.
  public var name = "Ostiary"
  /// The gateway product whose style it imitates.
  package var style = GatewayStyle.ostiary
  /// The challenge to a client without a session.
  package var challenge = Challenge.negotiated
  /// The answer to the right password.
  package var success = Success.originalResource
  /// When a locked account is reported as locked. The imitated styles have a page for it, with status 200; Ostiary's
  /// own style answers 429 with `Retry-After` at the next attempt.
  package var lockout = Lockout.late
  /// Whether a cookie of an ended session is deleted with the next challenge.
  package var deletesStaleCookies = true
  /// Whether the imitated styles require the form's token, and answer 400 without it (WebSEAL's secret-token
  /// validation). Ostiary's own style always requires it, and answers 403.
  package var validatesSecretToken = false
  /// Whether the WebSEAL style sends all its pages as redirects with a `TAM_OP` (local response redirection).
  package var redirectsLocalResponses = false
  /// Whether the form's action is written relative to the requested address, as behind a junction.
  package var usesRelativeFormAction = false

  // MARK: What it protects

  /// The path of a few built-in resources; nil removes them.
  package var resourcesPath: String? = "/jct"
  /// Servers behind the gateway.
  public var junctions: [GatewayJunction] = []
  /// A PEM file with certificate authorities that are trusted for upstreams, besides the system's.
  public var upstreamAuthority: URL?
  /// The time limit for the beginning of an upstream's answer, and for each pause in it. 60 s by default.
  public var upstreamTime: Duration = .seconds(60)
  /// Paths that need no session, compared as a whole or, with `/*` at the end, together with all paths below. An
  /// ambiguous path always needs a session.
  public var publicPaths: [String] = []
  /// Origins whose proxies ask `/gateway/auth`, besides the server's own: redirects lead only to these.
  public var protectedOrigins: [String] = []
  /// The users who are admitted: e-mail addresses, and domains written as `@example.org`, of users whose address is proven, by a
  /// mailed code or by the administrator who has set it. Empty admits every user. A self-made account is then admitted only while
  /// sign-up is on and its address is proven, or when an administrator has admitted it.
  public var admitted: [String] = []
  /// The header fields about the user for upstreams and proxies.
  package var identityHeaders: [GatewayIdentityHeader] = GatewayIdentityHeader.standard

  // MARK: Limits

  /// What the gateway does with a form that is sent without a session. Forward authentication never sees the form, and
  /// so never stores it.
  package var heldRequests = HeldRequests.afterConsent
  /// The longest body that is stored, in bytes. 64 KiB by default.
  package var heldBodySize = 64 << 10
  /// The most bytes of all stored forms; the oldest are removed first. Those of one client address have a sixteenth of it at
  /// most, or two of the longest if that is more. 8 MiB by default.
  package var heldTotalSize = 8 << 20
  /// How long sessions last.
  package var sessionLimits = SessionLimits.standard

  /// The defaults.
  public init() {}

  package var problems: [String] {
    var problems: [String] = []
    if name.isEmpty || name.utf8.count > 64
      || !name.utf8.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C })
    {
      problems.append("The gateway's name must be plain ASCII without quotes, 64 characters at most.")
    }
    problems += junctions.compactMap(\.problem)
    let paths = junctions.map(\.path) + (resourcesPath.map { [$0] } ?? [])
    if Set(paths).count != paths.count { problems.append("Two of the gateway's upstreams have the same path.") }
    if let resourcesPath, resourcesPath.byteParts(at: "/").allSatisfy(\.isEmpty) {
      problems.append("The gateway's built-in resources need a path such as /jct.")
    }
    for origin in protectedOrigins {
      guard let known = Origin(plain: origin) else {
        problems.append("A protected origin must look like https://app.example.org, not “\(origin)”.")
        continue
      }
      if !known.isSecure, !known.isLoopback {
        problems.append("A protected origin must be https: “\(origin)” would lose the session's cookie to listeners.")
      }
    }
    for path in publicPaths where GatewayPublicPaths.segments(path) == nil {
      problems.append("A public path must look like /app/health or /app/assets/*, not “\(path)”.")
    }
    for rule in admitted where GatewayAdmission.Rule(rule) == nil {
      problems.append("Who is admitted is named as ann@example.org or @example.org, not “\(rule)”.")
    }
    if heldBodySize < 0 || heldTotalSize < heldBodySize {
      problems.append("The room for kept requests must be as large as one of them.")
    }
    if upstreamTime <= .zero { problems.append("The time for upstreams must be more than nothing.") }
    return problems
  }
}
