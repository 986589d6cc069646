package import HTTPTypes

/// Which redirects are followed, and what of the request goes along (RFC 9110 §15.4).
///
/// Proof stays home: when a redirect leads to another origin (scheme, host or port), only fields that describe the
/// client go along, such as `Accept` and `User-Agent`. `Authorization`, cookies and every field of an app's own, which
/// may be a token under any name, stay behind.
public struct RedirectPolicy: Hashable, Sendable {
  /// Whether redirects are followed at all. If not, they are responses like any other.
  public var follows = true
  /// How many redirects are followed in a row. 10. It is what ends a loop: a server may well redirect to the same
  /// address again, once it has set a cookie.
  public var limit = 10
  /// What happens to a redirect that leads to something else than http and https, such as an app's own scheme.
  public var otherSchemes = OtherSchemes.refuse
  /// Follows redirects from https to http, where every party on the way can read and change what is sent.
  public var unsafelyFollowsDowngrades = false
  /// Lets 307 and 308 take the body, which may hold a password, to another origin.
  public var unsafelySendsBodiesToOtherOrigins = false

  /// The default policy.
  public init() {}

  /// Follows nothing.
  package static var none: RedirectPolicy {
    var policy = RedirectPolicy()
    policy.follows = false
    return policy
  }

  /// What happens to a redirect that HTTP can't follow.
  public enum OtherSchemes: Hashable, Sendable {
    /// It is an error: ``OstiaryError`` `redirectRefused`.
    case refuse
    /// The redirect itself is the response.
    case deliver
  }

  /// The request that a response redirects to, or `nil` when the response is final.
  ///
  /// A 303 turns every method but `HEAD` into `GET`. A 301 or 302 turns `POST` into `GET`, as all user agents do and
  /// RFC 9110 §15.4.2 lets them. 307 and 308 keep method and body. Where the body is dropped, so are the fields that
  /// describe it. A redirect without a `Location` is final.
  /// - Parameters:
  ///   - request: the request that the response answers, without the proof that was added for its origin alone.
  ///   - hops: how many redirects have been followed on the way to `request`.
  /// - Throws: ``OstiaryError`` `tooManyRedirects`; `redirectRefused` for an unreadable location, one with user
  ///   information, and what the policy forbids.
  package func next(
    after response: HTTPResponse, to request: TransportRequest, hops: Int
  ) throws -> TransportRequest? {
    guard follows, [301, 302, 303, 307, 308].contains(response.status.code) else { return nil }
    let locations = response.headerFields[values: .location]
    guard let location = locations.first else { return nil }
    func refusal(_ reason: String) -> OstiaryError {
      OstiaryError(.redirectRefused, reason, request: request.head)
    }
    guard locations.allSatisfy({ $0 == location }) else { throw refusal("The server redirects to several addresses.") }
    guard let scheme = request.head.scheme, let authority = request.head.authority, let origin = Origin(request.head)
    else { throw refusal("The request that was redirected has no address.") }

    let base = RedirectTarget(scheme: scheme, authority: authority, path: request.head.path ?? "/")
    let target: RedirectTarget
    switch base.resolving(location) {
    case .success(let resolved): target = resolved
    case .failure(.otherScheme) where otherSchemes == .deliver: return nil
    case .failure(let problem): throw refusal(problem.rawValue)
    }
    guard let destination = Origin(scheme: target.scheme, authority: target.authority) else {
      throw refusal(RedirectTarget.Problem.noHost.rawValue)
    }
    guard hops < limit else {
      throw OstiaryError(.tooManyRedirects, "The server redirected more than \(limit) times.", request: request.head)
    }
    if origin.isSecure, !destination.isSecure, !unsafelyFollowsDowngrades {
      throw refusal("The server redirects from https to http.")
    }

    var next = request
    next.head.scheme = target.scheme
    next.head.authority = target.authority
    next.head.path = target.path
    if Self.becomesGet(request.head.method, on: response.status) {
      next.head.method = .get
      next.body = nil
      next.head.headerFields.removeAll { $0.isAboutContent }
    }
    if destination != origin {
      guard next.body == nil || unsafelySendsBodiesToOtherOrigins else {
        throw refusal("The server redirects a request with a body to another origin.")
      }
      next.head.headerFields.removeAll { !$0.mayChangeOrigin }
    }
    return next
  }

  private static func becomesGet(_ method: HTTPRequest.Method, on status: HTTPResponse.Status) -> Bool {
    switch status.code {
    case 303: method != .head
    case 301, 302: method == .post
    default: false
    }
  }
}

extension HTTPFields {
  fileprivate mutating func removeAll(where shouldRemove: (HTTPField.Name) -> Bool) {
    guard contains(where: { shouldRemove($0.name) }) else { return }
    self = HTTPFields(filter { !shouldRemove($0.name) })
  }
}

extension HTTPField.Name {
  /// Whether the field describes or frames a body (RFC 9110 §8, RFC 9530).
  fileprivate var isAboutContent: Bool {
    switch canonicalName {
    case "transfer-encoding", "trailer", "expect", "digest", "repr-digest", "last-modified": true
    default: canonicalName.hasPrefix("content-")
    }
  }

  /// Whether the field describes the client or the body, and can hold neither proof nor the address that it came from.
  fileprivate var mayChangeOrigin: Bool {
    switch canonicalName {
    case "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "pragma", "user-agent",
      "content-type", "content-length", "content-encoding", "content-language", "content-md5", "content-digest",
      "repr-digest", "digest", "transfer-encoding", "trailer", "expect":
      true
    // Not all that begin with `content-`: an app may have named a token so.
    default: false
    }
  }
}
