public import HTTPTypes

extension ChallengeRecogniser {
  /// How much of a body is looked at unless a recogniser says otherwise: 256 KiB.
  public static let usualBodySize = 256 * 1024

  /// Recognises nothing.
  package static let nothing = ChallengeRecogniser(head: { _, _ in .nothing })

  /// Asks a closure of the app's own, which has to be pure and quick.
  /// - Parameter bodySize: how many bytes of a streamed response's body the closure has to see; 0 for its head alone.
  public static func closure(
    bodySize: Int = usualBodySize,
    _ recognise: @escaping @Sendable (TransportResponse, TransportRequest) -> Recognition?
  ) -> ChallengeRecogniser {
    guard bodySize > 0 else {
      return ChallengeRecogniser(head: { head, request in
        recognise(TransportResponse(head), request).map(Finding.challenge) ?? .nothing
      })
    }
    return ChallengeRecogniser(head: { _, _ in .needsBody(bodySize) }, body: recognise)
  }

  /// Recognises what a condition on the head holds for.
  /// - Parameters:
  ///   - reason: what the condition says, in words for a person.
  ///   - mayHaveExecuted: whether the server can have acted on a request before it answered so.
  public static func head(
    _ reason: String, mayHaveExecuted: Bool = true,
    where condition: @escaping @Sendable (HTTPResponse, TransportRequest) -> Bool
  ) -> ChallengeRecogniser {
    let recognition = Recognition(reason, mayHaveExecuted: mayHaveExecuted)
    return ChallengeRecogniser(head: { condition($0, $1) ? .challenge(recognition) : .nothing })
  }

  /// Recognises what any of several recognisers does; the first of them gives the reason.
  public static func any(of recognisers: [ChallengeRecogniser]) -> ChallengeRecogniser {
    ChallengeRecogniser(
      head: { response, request in
        var needed = 0
        for recogniser in recognisers {
          switch recogniser.finding(in: response, to: request) {
          case .nothing: break
          // One that the body decides may come before this one, and tell more.
          case .challenge(let recognition): return needed > 0 ? .needsBody(needed) : .challenge(recognition)
          case .needsBody(let count): needed = max(needed, count)
          }
        }
        return needed > 0 ? .needsBody(needed) : .nothing
      },
      body: { response, request in
        for recogniser in recognisers {
          if let recognition = recogniser.recognise(response, to: request) { return recognition }
        }
        return nil
      })
  }

  /// Recognises what all of several recognisers do. If one of them knows that the request was not executed, it was not.
  public static func all(of recognisers: [ChallengeRecogniser]) -> ChallengeRecogniser {
    ChallengeRecogniser(
      head: { response, request in
        var found: [Recognition] = []
        var needed = 0
        for recogniser in recognisers {
          switch recogniser.finding(in: response, to: request) {
          case .nothing: return .nothing
          case .challenge(let recognition): found.append(recognition)
          case .needsBody(let count): needed = max(needed, count)
          }
        }
        if needed > 0 { return .needsBody(needed) }
        return joined(found).map(Finding.challenge) ?? .nothing
      },
      body: { response, request in
        var found: [Recognition] = []
        for recogniser in recognisers {
          guard let recognition = recogniser.recognise(response, to: request) else { return nil }
          found.append(recognition)
        }
        return joined(found)
      })
  }

  /// Recognises what another recogniser does not: a condition for ``all(of:)``, hardly of use alone.
  public static func not(_ recogniser: ChallengeRecogniser, reason: String) -> ChallengeRecogniser {
    let recognition = Recognition(reason)
    return ChallengeRecogniser(
      head: { response, request in
        switch recogniser.finding(in: response, to: request) {
        case .nothing: .challenge(recognition)
        case .challenge: .nothing
        case .needsBody(let count): .needsBody(count)
        }
      },
      body: { response, request in recogniser.recognise(response, to: request) == nil ? recognition : nil })
  }

  private static func joined(_ found: [Recognition]) -> Recognition? {
    guard !found.isEmpty else { return nil }
    var whole = Recognition(
      found.map(\.reason).joined(separator: ", and "), mayHaveExecuted: found.allSatisfy(\.mayHaveExecuted))
    whole.isDoubtful = found.allSatisfy(\.isDoubtful)
    return whole
  }
}
