public import OstiaryCore
public import OstiaryJOSE

/// How a client binds the tokens that it is given to a key of its own (RFC 9449): who takes a token from it can't use it without the key.
///
/// ```swift
/// client.dpop = DPoP()
/// ```
///
/// Each sign-in has a key of its own, which the session keeps beside its tokens: one write and one seal for both, so that neither is ever
/// without the other. A session keeps what it was made with: one from before this was switched on stays as it is until its next sign-in,
/// and one that has a key goes on with it where this is not set any more.
public struct DPoP: Sendable {
  /// Makes keys, and finds them again.
  public var keys: any DPoPKeySource
  /// Takes tokens that are bound to no key in answer to a proof, and sends them as bearer tokens. Insecure: who takes one can use it. Without
  /// this a sign-in that brings such tokens fails, and those that a renewal brings are kept and not used.
  public var insecurelyAcceptsBearerTokens = false

  /// Binds tokens to keys of a source; by default to keys that are made here and kept in the session.
  public init(keys: any DPoPKeySource = SoftwareDPoPKeys()) {
    self.keys = keys
  }
}

/// A key that the tokens of one sign-in are bound to.
public struct DPoPKey: Sendable {
  /// Makes its proofs.
  public let maker: DPoPProofMaker
  /// What a session keeps of it, beside the tokens: the key itself, or a name by which its source finds it.
  public let stored: Secret

  /// Makes a key.
  public init(_ maker: DPoPProofMaker, stored: Secret) {
    self.maker = maker
    self.stored = stored
  }

  /// Its thumbprint, as servers name it (`jkt`, `dpop_jkt`).
  public var thumbprint: String { maker.thumbprint }
}

extension DPoPKey: Redacted {
  /// The thumbprint; never the key.
  public var description: String { "DPoPKey(\(thumbprint))" }
}

/// Makes keys for sign-ins, and finds them again by what sessions keep of them.
///
/// It must make another key for each sign-in. It must never call a key lost that may be readable at another time, nor one that another source
/// has made: begin what is stored with a mark of your own.
public protocol DPoPKeySource: Sendable {
  /// Makes a key.
  func makeKey() async throws -> DPoPKey

  /// The key of a session. It must not wait.
  /// - Parameter text: what the session keeps of it (``DPoPKey/stored``).
  /// - Throws: ``/OstiaryCore/OstiaryError`` `proofKeyLost` for one that is damaged or belongs to another device, which leads to a question
  ///   for a new sign-in; each other error says that it can't be read now, and is tried again.
  func key(storedAs text: Secret) throws -> DPoPKey
}
