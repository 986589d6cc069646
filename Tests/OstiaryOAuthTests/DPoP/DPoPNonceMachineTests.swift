import Foundation
import OstiaryCore
import Testing

@testable import OstiaryOAuth

@Suite("DPoP: nonces and turns as a value")
struct DPoPNonceMachineTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)
  private let place: Origin
  private let other: Origin

  init() throws {
    place = try #require(Origin(scheme: "https", host: "api.test", port: nil))
    other = try #require(Origin(scheme: "https", host: "as.test", port: nil))
  }

  private func answer(
    _ shown: String?, _ error: DPoPRefusal? = nil, brings nonce: String? = nil, skew: TimeInterval? = nil
  ) -> DPoPNonces.Answer {
    DPoPNonces.Answer(shown: ShownProof(nonce: shown, issuedAt: now), error: error, nonce: nonce, skew: skew)
  }

  @Test("DPoP-6: a nonce is learnt for its origin alone, from an answer to a request without proof too")
  func learnt() {
    var nonces = DPoPNonces()
    let bare = DPoPNonces.Answer(shown: nil, error: .useNonce, nonce: "n1", skew: 5)
    #expect(nonces.answered(bare, at: place, now: now) == .goOn)
    #expect(nonces.nonce(at: place) == "n1" && nonces.skew(at: place) == 5)
    #expect(nonces.nonce(at: other) == nil && nonces.skew(at: other) == nil)
    // An answer without one takes none away.
    #expect(nonces.answered(answer("n1"), at: place, now: now) == .goOn)
    #expect(nonces.nonce(at: place) == "n1" && nonces.skew(at: place) == 5)
  }

  @Test("DPoP-7: a refusal that brings another nonce than was shown is no refusal; others are")
  func repeated() {
    var nonces = DPoPNonces()
    #expect(nonces.answered(answer(nil, .useNonce, brings: "n1"), at: place, now: now) == .again)
    #expect(nonces.answered(answer("n1", .useNonce, brings: "n1"), at: place, now: now) == .refused(.useNonce))
    #expect(nonces.answered(answer("n1", .useNonce), at: place, now: now) == .refused(.useNonce))
    #expect(nonces.answered(answer("n1", .useNonce, brings: "n2"), at: place, now: now) == .again)
  }

  @Test("DPoP-4: an invalid proof is made again where the answer shows that its time was wrong, and only there")
  func clock() {
    var nonces = DPoPNonces()
    #expect(nonces.answered(answer(nil, .invalidProof, skew: 60), at: place, now: now) == .again)
    #expect(nonces.answered(answer(nil, .invalidProof, skew: -60), at: place, now: now) == .again)
    #expect(nonces.answered(answer(nil, .invalidProof, skew: 2), at: place, now: now) == .refused(.invalidProof))
    #expect(nonces.answered(answer(nil, .invalidProof), at: place, now: now) == .refused(.invalidProof))
    #expect(nonces.answered(answer(nil, .invalidProof, brings: "n"), at: place, now: now) == .refused(.invalidProof))
  }

  @Test("DPoP-8: requests go side by side until one is refused a nonce that another has taken, then in their order")
  func turns() {
    var nonces = DPoPNonces()
    for request in 1...3 { #expect(nonces.begin(UInt64(request), at: place) == true) }
    _ = nonces.answered(answer("n0", brings: "n1"), at: place, now: now)
    #expect(nonces.ended(1, at: place) == [])
    #expect(nonces.answered(answer("n0", .useNonce, brings: "n2"), at: place, now: now) == .again)
    #expect(nonces.ended(2, at: place) == [])
    // Request 3 is still under way.
    #expect(nonces.begin(4, at: place) == false)
    #expect(nonces.begin(5, at: place) == false)
    #expect(nonces.begin(6, at: place) == false)
    // The other origin has its own order.
    #expect(nonces.begin(7, at: other) == true)
    #expect(nonces.ended(3, at: place) == [4])
    #expect(nonces.ended(3, at: place) == [])
    nonces.left(5, at: place)
    _ = nonces.answered(answer("n2", brings: "n3"), at: place, now: now)
    #expect(nonces.ended(4, at: place) == [6])
    // Its nonce stays good: those that wait go at once.
    #expect(nonces.begin(8, at: place) == false)
    #expect(nonces.begin(9, at: place) == false)
    _ = nonces.answered(answer("n3", brings: "n3"), at: place, now: now)
    #expect(nonces.ended(6, at: place) == [8, 9])
    #expect(nonces.begin(10, at: place) == true)
  }

  /// Lets requests go one at a time, each with a nonce of its own.
  private func acceptOneAtATime(_ count: Int, from number: inout UInt64, _ nonces: inout DPoPNonces) {
    for _ in 0..<count {
      number += 2
      #expect(nonces.begin(number, at: place) == true)
      #expect(nonces.begin(number + 1, at: place) == false)
      nonces.left(number + 1, at: place)
      _ = nonces.answered(answer("n\(number)", brings: "n\(number + 2)"), at: place, now: now)
      #expect(nonces.ended(number, at: place) == [])
    }
  }

  private func oneAtATime() -> DPoPNonces {
    var nonces = DPoPNonces()
    #expect(nonces.begin(1, at: place) == true)
    #expect(nonces.begin(2, at: place) == true)
    _ = nonces.answered(answer("n0", .useNonce, brings: "n1"), at: place, now: now)
    _ = nonces.ended(1, at: place)
    _ = nonces.ended(2, at: place)
    return nonces
  }

  @Test("DPoP-8: whether a server takes a nonce twice is tried with two requests, after eight, and after twice as many")
  func triedAgain() {
    var (nonces, number) = (oneAtATime(), UInt64(100))
    acceptOneAtATime(8, from: &number, &nonces)
    #expect(nonces.begin(11, at: place) == true)
    #expect(nonces.begin(12, at: place) == true)
    #expect(nonces.begin(13, at: place) == false)
    // It does not.
    _ = nonces.answered(answer("x", brings: "y"), at: place, now: now)
    #expect(nonces.answered(answer("x", .useNonce, brings: "z"), at: place, now: now) == .again)
    #expect(nonces.ended(11, at: place) == [])
    #expect(nonces.ended(12, at: place) == [13])
    _ = nonces.answered(answer("z", brings: "z1"), at: place, now: now)
    #expect(nonces.ended(13, at: place) == [])
    acceptOneAtATime(15, from: &number, &nonces)
    #expect(nonces.begin(21, at: place) == true)
    #expect(nonces.begin(22, at: place) == true)
    // Now it does.
    _ = nonces.answered(answer("v", brings: "v1"), at: place, now: now)
    #expect(!nonces.goesSideBySide(at: place))
    _ = nonces.answered(answer("v", brings: "v2"), at: place, now: now)
    #expect(nonces.goesSideBySide(at: place))
  }

  @Test("DPoP-8: nothing is tried with a request that was refused before")
  func spared() {
    var (nonces, number) = (oneAtATime(), UInt64(100))
    acceptOneAtATime(8, from: &number, &nonces)
    #expect(nonces.begin(11, isRepeated: true, at: place) == true)
    #expect(nonces.begin(12, at: place) == false)
    #expect(nonces.ended(11, at: place) == [12])
    #expect(nonces.begin(13, isRepeated: true, at: place) == false)
    #expect(nonces.begin(14, at: place) == false)
    #expect(nonces.ended(12, at: place) == [13])
    #expect(nonces.ended(13, at: place) == [14])
  }

  @Test("DPoP-8: a request that has waited long enough goes")
  func hurried() {
    var nonces = oneAtATime()
    #expect(nonces.begin(11, at: place) == true)
    #expect(nonces.begin(12, at: place) == false)
    #expect(nonces.hurried(12, at: place) == true)
    #expect(nonces.hurried(12, at: place) == false)
    #expect(nonces.hurried(11, at: place) == false)
    #expect(nonces.begin(13, at: place) == false)
    #expect(nonces.ended(12, at: place) == [])
    #expect(nonces.ended(11, at: place) == [13])
  }

  @Test("DPoP-8: a nonce whose time was up is no reason to go one at a time")
  func expiry() {
    var nonces = DPoPNonces()
    #expect(nonces.begin(1, at: place) == true)
    _ = nonces.answered(answer(nil, .useNonce, brings: "n1"), at: place, now: now)
    _ = nonces.ended(1, at: place)
    #expect(nonces.begin(2, at: place) == true)
    #expect(nonces.answered(answer("n1", .useNonce, brings: "n2"), at: place, now: now) == .again)
    #expect(nonces.ended(2, at: place) == [])
    #expect(nonces.begin(3, at: place) == true)
    #expect(nonces.begin(4, at: place) == true)
  }

  @Test(
    "DPoP-8: no request is held back while none is under way", arguments: 0..<50)
  func neverStuck(seed: Int) {
    var random = Generator(state: UInt64(seed) &+ 1)
    var nonces = DPoPNonces()
    var (underWay, waiting): (Set<UInt64>, Set<UInt64>) = ([], [])
    var number: UInt64 = 0
    for _ in 0..<400 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        number += 1
        let isRepeated = Bool.random(using: &random)
        if nonces.begin(number, isRepeated: isRepeated, at: place) {
          underWay.insert(number)
        } else {
          waiting.insert(number)
        }
      case 2:
        let error: DPoPRefusal? = Bool.random(using: &random) ? .useNonce : nil
        let shown = "n\(Int.random(in: 0..<3, using: &random))"
        _ = nonces.answered(
          answer(shown, error, brings: "n\(Int.random(in: 0..<3, using: &random))"), at: place, now: now)
      case 3:
        guard let request = waiting.randomElement(using: &random) else { continue }
        waiting.remove(request)
        if Bool.random(using: &random) {
          nonces.left(request, at: place)
        } else {
          #expect(nonces.hurried(request, at: place) == true)
          underWay.insert(request)
        }
      default:
        guard let request = underWay.randomElement(using: &random) else { continue }
        underWay.remove(request)
        let next = nonces.ended(request, at: place)
        #expect(Set(next).isSubset(of: waiting))
        waiting.subtract(next)
        underWay.formUnion(next)
      }
      #expect(waiting.isEmpty || !underWay.isEmpty)
    }
  }

  /// Always the same numbers for a seed.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 29
    }
  }

  @Test("DPoP-8: many origins leave no trace for ever")
  func manyOrigins() throws {
    var nonces = DPoPNonces()
    #expect(nonces.begin(1, at: place) == true)
    for number in 0..<1000 {
      let origin = try #require(Origin(scheme: "https", host: "h\(number).test", port: nil))
      #expect(nonces.begin(UInt64(number) + 2, at: origin) == true)
      _ = nonces.answered(answer(nil, brings: "n"), at: origin, now: now)
      #expect(nonces.ended(UInt64(number) + 2, at: origin) == [])
    }
    #expect(nonces.originCount <= 65)
    #expect(nonces.ended(1, at: place) == [])
  }
}
