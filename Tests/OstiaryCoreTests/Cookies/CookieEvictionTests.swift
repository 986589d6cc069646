import Foundation
import HTTPTypes
import Testing

@testable import OstiaryCore

@Suite("Which cookies have to go")
struct CookieEvictionTests {
  private func isProof(_ name: String) -> Bool { name == "sid" }

  private func moment(_ seconds: Double = 0) -> Moment { Moment(wall: cookieEpoch + seconds) }

  @Test("Bug-A11: a cookie that is proof is never evicted", arguments: ["", "; Secure"])
  func proofStays(attributes: String) throws {
    var jar = CookieJar()
    let request = try cookieRequest("https://example.org/")
    jar.store("sid=1", from: request, at: moment(), isProof: isProof)
    for index in 0..<4000 {
      jar.store("c\(index)=1\(attributes)", from: request, at: moment(Double(index)), isProof: isProof)
    }
    #expect(jar.cookie(named: "sid", for: request, now: cookieEpoch)?.value.reveal() == "1")
    #expect(jar.count == CookieJar.maximumCountPerDomain + 1, "Those that are no proof are limited all the same.")
    #expect(jar.cookie(named: "c3999", for: request, now: cookieEpoch) != nil)
  }

  @Test("Bug-A11: where every cookie may be proof, none is evicted, and the jar stays bounded")
  func allProof() throws {
    var jar = CookieJar()
    let request = try cookieRequest("https://h0.example/")
    for index in 0..<3000 {
      jar.store("c\(index)=1", from: try cookieRequest("https://h\(index / 300).example/"), at: moment())
    }
    #expect(jar.store("late=1", from: request, at: moment()) == .ignored(.noRoom))
    #expect(jar.store("c0=2", from: request, at: moment()) == .replaced(.values))
    #expect(jar.count == CookieJar.maximumCount)
    #expect(jar.cookies.first?.value.reveal() == "2")
  }

  @Test("Bug-A11: of the others, the least recently used goes, not the least recently set")
  func lastUse() throws {
    var jar = CookieJar()
    let used = try cookieRequest("https://example.org/used/page")
    let unused = try cookieRequest("https://example.org/unused/page")
    jar.store("kept=1", from: used, at: moment(), isProof: isProof)
    for index in 0..<179 { jar.store("c\(index)=1", from: unused, at: moment(), isProof: isProof) }
    // A request that carries the first, whose answer sets something.
    jar.store("kept2=1; Path=/used", from: used, at: moment(), isProof: isProof)
    #expect(jar.cookie(named: "kept", for: used, now: cookieEpoch) != nil)
    #expect(jar.cookie(named: "c0", for: unused, now: cookieEpoch) == nil)
    #expect(jar.count == 180)
  }

  @Test("Bug-A11: what is over makes room before anything is evicted")
  func overFirst() throws {
    var jar = CookieJar()
    let request = try cookieRequest("https://example.org/")
    jar.store("old=1", from: request, at: moment(), isProof: isProof)
    for index in 0..<179 { jar.store("c\(index)=1; Max-Age=60", from: request, at: moment(), isProof: isProof) }
    #expect(jar.store("new=1", from: request, at: moment(61), isProof: isProof) == .stored)
    #expect(jar.cookies.map(\.name) == ["old", "new"])
  }
}
