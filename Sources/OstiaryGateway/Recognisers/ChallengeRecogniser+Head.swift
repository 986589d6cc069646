public import Foundation
public import HTTPTypes
public import OstiaryCore

// Ready-made recognisers that the head of a response decides.
extension ChallengeRecogniser {
  /// Recognises statuses.
  /// - Parameter mayHaveExecuted: whether a server that answers so can have acted on the request. A gateway that lets
  ///   no request pass without a session has not, and `false` lets any request be sent again.
  public static func status(_ codes: Int..., mayHaveExecuted: Bool) -> ChallengeRecogniser {
    .head("the server answered with a status that demands sign-in", mayHaveExecuted: mayHaveExecuted) { response, _ in
      codes.contains(response.status.code)
    }
  }

  /// Recognises a field with any value, or one whose value contains a text. The case of letters does not count.
  public static func header(
    _ name: HTTPField.Name, containing text: String? = nil, mayHaveExecuted: Bool
  ) -> ChallengeRecogniser {
    let text = text?.lowercased()
    return .head("the field \(name.rawName) demands sign-in", mayHaveExecuted: mayHaveExecuted) { response, _ in
      guard response.headerFields.contains(name) else { return false }
      guard let text else { return true }
      return response.headerFields[values: name].contains { $0.lowercased().contains(text) }
    }
  }

  /// Recognises a 401 with a `WWW-Authenticate` challenge of this scheme (RFC 9110 §11.6.1), and of this realm if one is
  /// named. A server that answers so has not executed the request.
  public static func scheme(_ scheme: String, realm: String? = nil) -> ChallengeRecogniser {
    let scheme = scheme.lowercased()
    return .head("the server answered 401 and demands \(scheme)", mayHaveExecuted: false) { response, _ in
      response.status == .unauthorized
        && response.authenticationChallenges.contains {
          $0.scheme == scheme && (realm == nil || $0.realm == realm)
        }
    }
  }

  /// Recognises a 401 that no field of a request could answer: it names no scheme of the `Authorization` field (RFC 9110
  /// §11.6.1). Some gateways answer programs so and redirect browsers. An application may answer so for reasons of its own:
  /// for a request with a session the gateway is asked before the session counts as refused.
  public static func bareUnauthorized() -> ChallengeRecogniser {
    var recognition = Recognition("the server answered 401 without a way to authenticate", mayHaveExecuted: false)
    recognition.isDoubtful = true
    let found = recognition
    return ChallengeRecogniser(head: { response, _ in
      response.status == .unauthorized
        && response.authenticationChallenges.allSatisfy { !Self.schemes.contains($0.scheme) }
        ? .challenge(found) : .nothing
    })
  }

  /// The schemes of the `Authorization` field (IANA's registry, and NTLM), in lower case. Others, such as `Cookie` and
  /// `Form`, tell of a form.
  private static let schemes: Set<String> = [
    "basic", "bearer", "concealed", "digest", "dpop", "gnap", "hoba", "mutual", "negotiate", "ntlm", "oauth",
    "privatetoken", "scram-sha-1", "scram-sha-256", "vapid", GatewayDemand.scheme,
  ]

  /// Recognises a redirect to one of these paths, on any host, or to something below it: `/login` is also
  /// `/login/?TAM_OP=login` and `/login;jsessionid=1`, not `/logins`. A gateway that redirects to its login page has
  /// not passed the request on.
  public static func redirect(toPath paths: String...) -> ChallengeRecogniser {
    redirect { target in
      let path = target.path ?? "/"
      return paths.contains { path.begins(withPath: $0) }
    }
  }

  /// Recognises a redirect to one of these addresses or to something below it; queries are not compared. A gateway that
  /// redirects to its login page has not passed the request on.
  public static func redirect(to addresses: URL...) -> ChallengeRecogniser {
    redirect { target in addresses.contains(where: target.leads(to:)) }
  }

  /// Recognises a redirect to a login page that will lead back: its path says that it is about signing in, and its
  /// query names what was asked for (`/login?return=/orders`, `/login/?TAM_OP=login&URL=%2Forders`,
  /// `/oauth2/start?rd=https://…/orders`). A server that has carried out a request does not redirect the client back to
  /// it.
  public static func redirectToLogin() -> ChallengeRecogniser {
    redirect { target, request in SignInAddress.leads(target, backTo: request) }
  }

  private static func redirect(
    where condition: @escaping @Sendable (HTTPRequest) -> Bool
  ) -> ChallengeRecogniser {
    redirect { target, _ in condition(target) }
  }

  private static func redirect(
    where condition: @escaping @Sendable (HTTPRequest, HTTPRequest) -> Bool
  ) -> ChallengeRecogniser {
    .head("the server redirects to its login page", mayHaveExecuted: false) { response, request in
      guard response.status.kind == .redirection, let target = response.redirectTarget(from: request.head) else {
        return false
      }
      return condition(target, request.head)
    }
  }

  /// Recognises a success whose content type is none that was expected: a page where JSON was asked for.
  ///
  /// That alone is weak evidence; a gateway's maintenance page looks the same, and the request may have been executed.
  /// Best together with another recogniser, in ``OstiaryCore/ChallengeRecogniser/all(of:)``.
  /// - Parameter expected: the media types that may come, `application/*` for all of a kind. By default those of the
  ///   request's own `Accept` field; a request without one expects anything.
  public static func unexpectedContentType(expecting expected: String...) -> ChallengeRecogniser {
    .head("the server answered with something else than was asked for") { response, request in
      guard response.status.kind == .successful,
        let type = response.headerFields.values(of: .contentType).first(where: { _ in true }),
        response.headerFields.values(of: .retryAfter).allSatisfy({ _ in false })
      else { return false }
      if !expected.isEmpty { return !MediaRange.anyAllows(expected, type) }
      let accepted = request.head.headerFields.values(of: .accept)
      return accepted.contains { _ in true } && !MediaRange.anyAllows(accepted, type)
    }
  }
}

extension HTTPRequest {
  /// Whether it goes to an address or to something below it; queries are not compared.
  func leads(to address: URL) -> Bool {
    guard let origin = Origin(self), origin == Origin(address) else { return false }
    let path = address.path(percentEncoded: true)
    return (self.path ?? "/").begins(withPath: path.isEmpty ? "/" : path)
  }

  /// Whether two requests go to the same address, however their authorities are spelled.
  /// - Parameter ignoresQuery: whether the query, and what some servers put behind a semicolon, may differ.
  func hasSameTarget(as other: HTTPRequest, ignoresQuery: Bool = false) -> Bool {
    func target(_ request: HTTPRequest) -> Substring {
      (request.path ?? "/").prefix { !ignoresQuery || ($0 != "?" && $0 != ";") }
    }
    return Origin(self) == Origin(other) && target(self) == target(other)
  }
}

extension String {
  /// Whether a path is another, or below it.
  func begins(withPath other: String) -> Bool {
    guard utf8.starts(with: other.utf8) else { return false }
    if other.utf8.last == UInt8(ascii: "/") { return true }
    switch utf8.dropFirst(other.utf8.count).first {
    case nil, UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: ";"), UInt8(ascii: "#"): return true
    default: return false
    }
  }
}
