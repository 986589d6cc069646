internal import Foundation
public import OstiaryCore

/// How a client says that it is itself, to the endpoints that take its requests (RFC 6749 §2.3). An open set: make one with a
/// function.
///
/// It is asked for each request just before that is sent, and again for one that is sent again: what a server takes once only is
/// never shown twice.
public struct ClientAuthentication: Sendable {
  /// The method's name in registrations and metadata (RFC 7591 §2), such as `client_secret_basic`.
  public let method: String
  /// The secret that client and server share, where it is one.
  package let secret: Secret?
  private let identity: Identity
  private let body: @Sendable (inout ClientRequest) async throws -> Void

  /// What makes two the same: for functions, being copies of one.
  private enum Identity: Sendable, Hashable {
    case method(String, Secret?)
    case copy(UUID)
  }

  /// Makes another way.
  /// - Parameters:
  ///   - method: its name in registrations and metadata.
  ///   - secret: what client and server share, if it is one: it must not come back in a server's words.
  ///   - authenticate: adds to a request what shows who the client is. It may wait, for a keychain or a hardware module; it must
  ///     not send the request, and must not show the same one-time statement twice. What it throws that is no
  ///     ``/OstiaryCore/OstiaryError`` counts as a key that can't be used now, which ends no session.
  public init(
    method: String, secret: Secret? = nil, authenticate: @escaping @Sendable (inout ClientRequest) async throws -> Void
  ) {
    self.init(method, secret, .copy(UUID()), authenticate)
  }

  private init(
    _ method: String, _ secret: Secret?, _ identity: Identity,
    _ body: @escaping @Sendable (inout ClientRequest) async throws -> Void
  ) {
    self.method = method
    self.secret = secret
    self.identity = identity
    self.body = body
  }

  /// By its identifier alone: an app that others can take apart can't keep a secret (`none`, RFC 7591 §2).
  public static let none = ClientAuthentication("none", nil, .method("none", nil)) { request in
    request.add("client_id", request.clientID, isSecret: false)
  }

  /// By a secret in an HTTP Basic field, identifier and secret form-encoded first (`client_secret_basic`, RFC 6749
  /// §2.3.1).
  public static func secretBasic(_ secret: Secret) -> ClientAuthentication {
    ClientAuthentication("client_secret_basic", secret, .method("client_secret_basic", secret)) { request in
      let pair = FormEncoding.encode(request.clientID.utf8) + ":" + FormEncoding.encode(secret.reveal().utf8)
      request.authorization = Secret("Basic " + Data(pair.utf8).base64EncodedString())
    }
  }

  /// By a secret among the parameters (`client_secret_post`, RFC 6749 §2.3.1).
  public static func secretPost(_ secret: Secret) -> ClientAuthentication {
    ClientAuthentication("client_secret_post", secret, .method("client_secret_post", secret)) { request in
      request.add("client_id", request.clientID, isSecret: false)
      request.add("client_secret", secret.reveal())
    }
  }

  /// Adds to a request what shows who the client is.
  /// - Throws: ``OstiaryError``, or `CancellationError`.
  func authenticate(_ request: inout ClientRequest) async throws {
    do {
      try await body(&request)
    } catch let error as OstiaryError {
      throw error
    } catch let error as CancellationError {
      throw error
    } catch {
      throw OstiaryError(
        .clientKeyUnavailable, "The client's key could not sign now.",
        advice: "Unlock what holds the key and try again; the session is kept.",
        disposition: .transient(retryAfter: nil), requestMayHaveExecuted: false, underlying: error)
    }
  }
}

extension ClientAuthentication: Hashable {
  /// The same method with the same secret; others are the same as their copies.
  public static func == (left: ClientAuthentication, right: ClientAuthentication) -> Bool {
    left.identity == right.identity
  }
  public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

extension ClientAuthentication: Redacted {
  /// The method; never the secret.
  public var description: String { method }
}
