internal import Foundation
internal import OstiaryCore

/// What servers have said for the proofs that they want next, as a value: a nonce and the time of each origin. Each input says what has
/// happened, and returns what to do. It has no clock, lock or task; ``DPoPMemory`` carries it out.
///
/// | Input | Next |
/// |---|---|
/// | ``begin(_:at:)`` | the request goes, or waits for its turn |
/// | ``answered(_:at:now:)`` | nothing, the request is wanted again, or its proof was refused |
/// | ``ended(_:at:)`` | these requests, which have waited, go |
/// | ``left(_:at:)`` | – |
/// | ``hurried(_:at:)`` | the request, which has waited long enough, goes |
///
/// A server that takes nothing but its newest nonce refuses all but one of the requests that are under way at once. Where that was seen,
/// requests go one at a time, until an answer shows that a nonce stays good: it brings none, or the same, or a nonce was accepted twice. A server
/// whose answers bring a new one each and that takes older ones too shows that where two requests go side by side, which is tried now and
/// then: after eight requests, and after twice as many each time that it was refused.
struct DPoPNonces: Sendable, Hashable {
  /// One origin.
  private struct Place: Sendable, Hashable {
    var nonce: String?
    /// The server's clock minus this device's, in seconds.
    var skew: TimeInterval?
    var isOneAtATime = false
    /// Whether two may go side by side, to see whether the server takes that.
    var isTried = false
    /// How many requests have been accepted one at a time since that was tried.
    var accepted = 0
    /// After how many it is tried.
    var patience = 8
    /// The nonce that was accepted last.
    var lastAccepted: String?
    var underWay: Set<UInt64> = []
    /// In their order.
    var waiting: [UInt64] = []

    /// Those that have been refused a nonce before, which must not happen to them much more often: none of them is tried with.
    var repeated: Set<UInt64> = []

    /// Whether a request may be sent beside those that are under way.
    func lets(_ request: UInt64) -> Bool {
      guard isOneAtATime, !underWay.isEmpty else { return true }
      return isTried && underWay.count == 1 && !repeated.contains(request) && underWay.isDisjoint(with: repeated)
    }

    mutating func goSideBySide() { (isOneAtATime, isTried) = (false, false) }

    /// A nonce that was shown has been taken by another request.
    mutating func goOneAtATime() {
      if isTried { patience = min(patience * 2, 256) }
      (isOneAtATime, isTried, accepted, lastAccepted) = (true, false, 0, nil)
    }

    /// Whether what was accepted shows that a nonce stays good.
    mutating func accept(_ shown: String?, brought: String?, newest: String?) {
      defer { lastAccepted = shown }
      guard brought != nil, brought != newest, shown == nil || shown != lastAccepted else { return goSideBySide() }
      guard isOneAtATime, !isTried else { return }
      accepted += 1
      if accepted >= patience { (isTried, accepted) = (true, 0) }
    }
  }

  /// What an answer says.
  struct Answer: Sendable, Hashable {
    /// What the request showed; `nil` where it showed no proof.
    var shown: ShownProof?
    /// What was wrong with it.
    var error: DPoPRefusal?
    /// The nonce that came.
    var nonce: String?
    /// The server's clock minus this device's, in seconds.
    var skew: TimeInterval?
  }

  /// What follows an answer.
  enum Next: Sendable, Hashable {
    /// It is no word about the proof.
    case goOn
    /// The server has not acted on the request, and wants it with newer proof.
    case again
    /// The server does not accept the proof, and newer proof would be the same.
    case refused(DPoPRefusal)
  }

  private var places: [Origin: Place] = [:]

  /// The nonce that a proof for an origin has to have, as far as the server has given one.
  func nonce(at origin: Origin) -> String? { places[origin]?.nonce }

  /// The server's clock minus this device's, in seconds; `nil` where no answer has told.
  func skew(at origin: Origin) -> TimeInterval? { places[origin]?.skew }

  /// Whether a request to an origin goes though others are under way.
  func goesSideBySide(at origin: Origin) -> Bool { places[origin]?.isOneAtATime != true }

  /// How many origins are remembered.
  var originCount: Int { places.count }

  // MARK: Inputs

  /// A request is to be sent.
  /// - Parameter isRepeated: whether it was refused a nonce before.
  /// - Returns: whether it goes now.
  mutating func begin(_ request: UInt64, isRepeated: Bool = false, at origin: Origin) -> Bool {
    var place = places[origin] ?? Place()
    if isRepeated { place.repeated.insert(request) }
    let goes = place.lets(request) && (place.waiting.isEmpty || !place.isOneAtATime)
    if goes { place.underWay.insert(request) } else { place.waiting.append(request) }
    places[origin] = place
    if places.count > Self.most { places = places.filter { !$0.value.underWay.isEmpty || !$0.value.waiting.isEmpty } }
    return goes
  }

  /// A request waits no more.
  mutating func left(_ request: UInt64, at origin: Origin) {
    places[origin]?.waiting.removeAll { $0 == request }
    places[origin]?.repeated.remove(request)
  }

  /// A request has waited long enough: what is under way may never end.
  /// - Returns: whether it had waited until now.
  mutating func hurried(_ request: UInt64, at origin: Origin) -> Bool {
    guard let index = places[origin]?.waiting.firstIndex(of: request) else { return false }
    places[origin]?.waiting.remove(at: index)
    places[origin]?.underWay.insert(request)
    return true
  }

  /// A request is over.
  /// - Returns: those that go now.
  mutating func ended(_ request: UInt64, at origin: Origin) -> [UInt64] {
    guard var place = places[origin], place.underWay.remove(request) != nil else { return [] }
    place.repeated.remove(request)
    var next: [UInt64] = []
    while let first = place.waiting.first, place.lets(first) {
      place.waiting.removeFirst()
      place.underWay.insert(first)
      next.append(first)
    }
    places[origin] = place
    return next
  }

  /// An answer has come.
  /// - Parameter now: when, by this device's clock.
  mutating func answered(_ answer: Answer, at origin: Origin, now: Date) -> Next {
    var place = places[origin] ?? Place()
    defer { places[origin] = place }
    let newest = place.nonce
    if let nonce = answer.nonce { place.nonce = nonce }
    if let skew = answer.skew { place.skew = skew }
    guard let shown = answer.shown else { return .goOn }
    switch answer.error {
    case nil:
      place.accept(shown.nonce, brought: answer.nonce, newest: newest)
      return .goOn
    case .useNonce?:
      guard let nonce = answer.nonce, nonce != shown.nonce else { return .refused(.useNonce) }
      // It was the newest, or another request has taken that from it.
      if shown.nonce != nil, shown.nonce != newest || place.underWay.count > 1 { place.goOneAtATime() }
      return .again
    case .invalidProof?:
      // A proof is good for some seconds, which a wrong clock can be without.
      guard let skew = answer.skew, let issuedAt = shown.issuedAt,
        abs(now.addingTimeInterval(skew).timeIntervalSince(issuedAt)) > Self.tolerance
      else { return .refused(.invalidProof) }
      return .again
    }
  }

  /// How far a proof's time may be from the server's before that is taken for the reason of a refusal, in seconds.
  private static let tolerance: TimeInterval = 10
  /// How many origins are remembered at most, besides those with requests.
  private static let most = 64
}
