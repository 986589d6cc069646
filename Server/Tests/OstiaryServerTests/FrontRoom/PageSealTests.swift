import Crypto
import Foundation
import Testing

@testable import OstiaryServer

@Suite("Page seals")
struct PageSealTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)
  private var later: Date { now.addingTimeInterval(60) }

  @Test("Bug-C18: a seal opens for its purpose, version and place alone, with the same server's key, until its end")
  func bound() {
    let (key, other) = (KeyRing.temporary(), KeyRing.temporary())
    let seal = PageSeal(key, of: "gateway")
    let sealed = seal.seal(.signIn, ["a", "", "é"], until: later)
    #expect(seal.open(.signIn, sealed, at: now) == ["a", "", "é"])
    // Another start of the same server.
    #expect(PageSeal(key, of: "gateway").open(.signIn, sealed, at: now) == ["a", "", "é"])
    for purpose in [SealPurpose.browser, .consent, .signOut, SealPurpose("sign-in", version: 2), SealPurpose("sign")] {
      #expect(seal.open(purpose, sealed, at: now) == nil, "\(purpose)")
    }
    #expect(PageSeal(key, of: "salesforce").open(.signIn, sealed, at: now) == nil)
    #expect(PageSeal(other, of: "gateway").open(.signIn, sealed, at: now) == nil)
    #expect(seal.open(.signIn, sealed, at: later) == nil)
    let second = seal.seal(SealPurpose("sign-in", version: 2), ["a"], until: later)
    #expect(seal.open(.signIn, second, at: now) == nil)
    #expect(seal.open(SealPurpose("sign-in", version: 2), second, at: now) == ["a"])
    #expect(seal.open(SealPurpose("sign-in", version: 3), second, at: now) == nil)
  }

  @Test("No other bytes open: each changed one, a shortened, a lengthened and a huge text")
  func changed() {
    let seal = PageSeal(.temporary(), of: "account")
    let sealed = Array(seal.seal(.browser, ["number"], until: later))
    for index in sealed.indices {
      var other = sealed
      other[index] = other[index] == "B" ? "C" : "B"
      // The last character of 32 bytes in base64 has two bits that mean nothing.
      let isSlack = index == sealed.count - 1 || sealed[sealed.index(after: index)] == "."
      if !isSlack { #expect(seal.open(.browser, String(other), at: now) == nil, "\(index)") }
    }
    for text in [
      "", ".", "..", String(sealed.dropLast(4)), String(sealed) + "AAAA", String(sealed) + ".",
      String(repeating: "A", count: 9000) + "." + String(repeating: "A", count: 43),
    ] {
      #expect(seal.open(.browser, text, at: now) == nil)
    }
  }

  @Test("What the version before sealed for the account pages opens: the same key, place and purposes")
  func earlierAccounts() {
    let key = KeyRing.temporary()
    let encoded = Array("\(Int64(later.timeIntervalSince1970))\u{1F}number".utf8).base64URL
    let code = HMAC<SHA256>.authenticationCode(
      for: Data("account.browser\u{1F}\(encoded)".utf8), using: key.key(for: "account.pages"))
    let sealed = encoded + "." + code.base64URL
    #expect(PageSeal(key, of: "account").open(.browser, sealed, at: now) == ["number"])
    #expect(PageSeal(key, of: "account").open(.signOut, sealed, at: now) == nil)
  }

  @Test("Keys of purposes and texts differ, and follow from the server's")
  func derived() {
    let key = KeyRing.temporary()
    let seal = PageSeal(key, of: "gateway")
    let keys = [
      seal.derivedKey(.browser, ["a", "b"]), seal.derivedKey(.browser, ["a"]), seal.derivedKey(.signIn, ["a", "b"]),
      PageSeal(key, of: "salesforce").derivedKey(.browser, ["a", "b"]),
    ]
    let distinct = Set(keys.map { key in key.withUnsafeBytes { Array($0) } })
    #expect(distinct.count == 4)
    #expect(keys[0] == PageSeal(key, of: "gateway").derivedKey(.browser, ["a", "b"]))
  }
}
