internal import Foundation
internal import OstiaryCore
internal import OstiaryJOSE

/// The judgement of an ID token, or of another statement that an issuer has signed for a client, as a value: by which keys it is tried, and
/// what comes of it.
///
/// | Stage | Input | Outcome, or next stage |
/// |---|---|---|
/// | `new` | begun | refused for its form or algorithm; believed or refused by the kept key or the client's own secret; else `asked` |
/// | `asked` | the verdict of the issuer's keys | believed or refused |
///
/// Keys that can't be had are no input: the token stays as it is, and is judged another time.
struct IDTokenJudgement: Sendable {
  enum Stage: Sendable, Hashable { case new, asked, done }

  /// What to do next.
  enum Step: Sendable {
    /// The issuer's keys have to be asked.
    case askIssuer(PresentedToken, TokenVerifier)
    case believed(VerifiedToken)
    case refused(JOSEError)
  }

  private(set) var stage = Stage.new
  /// The token.
  let text: Secret
  /// What it has to say.
  let verifier: TokenVerifier
  /// The algorithms that are allowed.
  let algorithms: Set<SignatureAlgorithm>
  /// The client's own secret, where it has one.
  let secret: Secret?
  /// The time by which it is judged.
  let now: Date

  init(
    _ text: Secret, by verifier: TokenVerifier, _ algorithms: Set<SignatureAlgorithm>, secret: Secret?, at now: Date
  ) {
    self.text = text
    self.verifier = verifier
    self.algorithms = algorithms
    self.secret = secret
    self.now = now
  }

  /// Begins.
  /// - Parameter kept: the key that verified the session's ID token before this one.
  mutating func begin(with kept: KeySet?) -> Step {
    stage = .done
    do throws(JOSEError) {
      let token = try PresentedToken(text.reveal())
      // A refusal that no key can change costs no request.
      guard let algorithm = algorithms.first(where: { $0.name == token.unverifiedHeader.algorithmName }) else {
        throw JOSEError(
          .algorithmNotAllowed, "The token is signed with an algorithm that is not allowed.",
          source: IDTokenRules.step(7))
      }
      if !SignatureAlgorithm.allPublic.contains(algorithm) {
        return .believed(try verifier.verify(token, with: secretKeys(algorithm), at: now))
      }
      if let kept, let step = try attempt(token, kept) { return step }
      stage = .asked
      return .askIssuer(token, verifier)
    } catch {
      return .refused(error)
    }
  }

  /// Goes on with what the issuer's keys have shown.
  mutating func take(_ verdict: Result<VerifiedToken, JOSEError>) -> Step {
    stage = .done
    switch verdict {
    case .success(let token): return .believed(token)
    case .failure(let error): return .refused(error)
    }
  }

  /// - Returns: `nil` where the kept key may be an old one of the issuer's, under its old name too.
  private func attempt(_ token: PresentedToken, _ kept: KeySet) throws(JOSEError) -> Step? {
    do {
      return .believed(try verifier.verify(token, with: kept, at: now))
    } catch {
      guard [.unknownKey, .keyNotAllowed, .wrongSignature].contains(error.code) else { throw error }
      return nil
    }
  }

  /// The client's own secret as a key (OpenID Connect Core §3.1.3.7 (8)).
  private func secretKeys(_ algorithm: SignatureAlgorithm) throws(JOSEError) -> KeySet {
    guard let secret else {
      throw JOSEError(
        .keyNotAllowed, "The client has no secret that could verify the token.", source: IDTokenRules.step(8))
    }
    return KeySet([try VerificationKey(insecureSharedSecret: secret, algorithm: algorithm)])
  }
}

extension IDTokenPolicy {
  /// What is to be made of an ID token.
  enum Outcome: Sendable {
    case believed(IDToken)
    case refused(JOSEError)
  }

  /// Judges an ID token.
  /// - Throws: a transient error where the keys can't be had now; nothing is said of the token then.
  func judge(_ file: IDTokenCase, kept: KeySet?, in context: AuthenticationContext) async throws -> Outcome {
    let verdict = try await judge(
      file.text, by: file.verifier(self), secret: file.secret, kept: kept, at: file.cameAt, in: context)
    do {
      return .believed(try IDToken(verdict.get()))
    } catch {
      return .refused(error)
    }
  }

  /// Judges a statement that the issuer has signed for a client.
  /// - Throws: as ``judge(_:kept:in:)``.
  func judge(
    _ text: Secret, by verifier: TokenVerifier, secret: Secret?, kept: KeySet? = nil, at now: Date,
    in context: AuthenticationContext
  ) async throws -> Result<VerifiedToken, JOSEError> {
    var judgement = IDTokenJudgement(text, by: verifier, algorithms, secret: secret, at: now)
    var step = judgement.begin(with: kept)
    while true {
      switch step {
      case .believed(let token): return .success(token)
      case .refused(let error): return .failure(error)
      case .askIssuer(let token, let verifier):
        step = judgement.take(try await verdict(on: token, by: verifier, at: now, in: context))
      }
    }
  }

  /// What the issuer's keys show of a token. What keeps the keys from being had says nothing of the token, and may pass.
  func verdict(
    on token: PresentedToken, by verifier: TokenVerifier, at now: Date, in context: AuthenticationContext
  ) async throws -> Result<VerifiedToken, JOSEError> {
    do {
      return .success(try await keys.verify(token, by: verifier, of: issuer, at: now, in: context))
    } catch let error as JOSEError {
      return .failure(error)
    } catch let error as CancellationError {
      throw error
    } catch let error as OstiaryError where error.isTransient {
      throw error
    } catch {
      throw OstiaryError(
        .serverUnavailable, "The keys that the issuer signs with can't be had now.",
        disposition: .transient(retryAfter: nil), underlying: error)
    }
  }
}
