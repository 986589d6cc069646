public import Foundation
import OstiaryCore

/// How the gateway behaves: real ones differ in nearly everything.
public struct GatewayDoorConfiguration: Sendable {
  /// What somebody without a session gets.
  package enum Challenge: String, Sendable, CaseIterable {
    /// A browser is sent to the login page, a program gets a 401 that it can read.
    case negotiated
    /// A 302 to the login page, whatever was asked.
    case redirect
    /// A 200 with the login form, whatever was asked.
    case form
    /// A 401 with the login form, whatever was asked.
    case unauthorizedForm = "unauthorized-form"
  }

  /// What follows the right password.
  package enum Success: String, Sendable, CaseIterable {
    /// A redirect to what was asked for at first.
    case originalResource = "original-resource"
    /// A page that says so, whatever was asked for.
    case page
    /// What was asked for at first, as the answer to the form.
    case inline
  }

  /// Whether somebody who has failed too often is told that the account is locked.
  package enum Lockout: String, Sendable, CaseIterable {
    /// Not before the next attempt (WebSEAL's `late-lockout-notification = yes`).
    case late
    /// With the answer to the attempt that locked it.
    case early
  }

  /// What becomes of a form that is sent without a session.
  package enum HeldRequests: String, Sendable, CaseIterable {
    /// It is refused: the client has to send it again.
    case never
    /// It is kept, encrypted, and sent once if the user says so after signing in.
    case afterConsent = "after-consent"
    /// It is kept, and sent once when its address is next asked for (as WebSEAL does it).
    case automatically
  }

  // MARK: The look

  /// What the gateway is called, in challenges and on its pages.
  public var name = "Ostiary"
  /// Whose gateway it looks like.
  package var style = GatewayStyle.ostiary
  /// What somebody without a session gets.
  package var challenge = Challenge.negotiated
  /// What follows the right password.
  package var success = Success.originalResource
  /// When a locked account is said to be locked. The imitated styles have a page for it, with status 200; Ostiary's own
  /// answers 429 with `Retry-After` at the next attempt.
  package var lockout = Lockout.late
  /// Whether a cookie whose session is over is taken back with the next challenge.
  package var deletesStaleCookies = true
  /// Whether the imitated styles demand the form's token, and answer 400 without it (WebSEAL's secret-token validation).
  /// Ostiary's own style always does, with a 403.
  package var validatesSecretToken = false
  /// Whether the WebSEAL style sends all its pages as redirects with a `TAM_OP` (local response redirection).
  package var redirectsLocalResponses = false
  /// Whether the form's action is written relative to the address that was asked for, as behind a junction.
  package var usesRelativeFormAction = false

  // MARK: What it protects

  /// Where a few built-in resources live; nil leaves them out.
  package var resourcesPath: String? = "/jct"
  /// Servers behind the gateway.
  public var junctions: [GatewayJunction] = []
  /// A PEM file with certificate authorities that are trusted for upstreams, besides the system's.
  public var upstreamAuthority: URL?
  /// How long an upstream may take to begin its answer, and to go on with it. 60 s by default.
  public var upstreamTime: Duration = .seconds(60)
  /// Paths that need no session, compared as a whole or, where they end in `/*`, with everything below. A path that could be
  /// read in two ways is never one of them.
  public var publicPaths: [String] = []
  /// Origins whose proxies ask `/gateway/auth`, besides the server's own: only these are ever redirected to.
  public var protectedOrigins: [String] = []
  /// Who may pass: e-mail addresses, and domains written as `@example.org`, of users whose address is proven: by a mailed code, or
  /// by an administrator who has set it. Empty admits every user; accounts that people have made themselves only while sign-up is
  /// on and their address is proven, or when an administrator has admitted them.
  public var admitted: [String] = []
  /// What upstreams and proxies are told about the user.
  package var identityHeaders: [GatewayIdentityHeader] = GatewayIdentityHeader.standard

  // MARK: Limits

  /// What becomes of a form that is sent without a session. Forward authentication never sees it, and so never keeps it.
  package var heldRequests = HeldRequests.afterConsent
  /// The longest body that is kept, in bytes. 64 KiB by default.
  package var heldBodySize = 64 << 10
  /// What all that is kept may take, in bytes; the oldest makes room. Those of one client address take a sixteenth of it at most, or
  /// two of the longest where that is more. 8 MiB by default.
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
