import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiarySalesforce
import OstiaryTesting
import TestSupport
import Testing

@Suite("Identifiers")
struct SalesforceIDTests {
  @Test(
    "Account-A1: 15 and 18 characters of one identifier are equal and hash equally",
    arguments: [
      ("00Dx0000000BV7z", "00Dx0000000BV7zEAG"), ("005x00000012Q9P", "005x00000012Q9PAAU"),
      ("001A0000006Vm9r", "001A0000006Vm9rIAC"), ("00D000000000062", "00D000000000062EAA"),
    ])
  func spellings(_ id15: String, _ id18: String) throws {
    let short = try #require(SalesforceID(id15))
    let long = try #require(SalesforceID(id18))
    #expect(short.id18 == id18)
    #expect(long.id15 == id15)
    #expect(short == long)
    #expect(Set([short, long]).count == 1)
    // The suffix is there for those who lose the case.
    #expect(SalesforceID(id18.lowercased()) == short)
    #expect(SalesforceID(id18.uppercased()) == short)
    #expect(SalesforceID.normalized(id15) == id18)
  }

  @Test(
    "What is no identifier",
    arguments: [
      "", "00D", "00Dx0000000BV7", "00Dx0000000BV7!", "00Dx0000000BV7zEA", "00000000000000001A", "00Dx0000000BV7zEA9",
    ])
  func none(_ text: String) {
    #expect(SalesforceID(text) == nil)
    #expect(SalesforceID.normalized(text) == text)
  }

  @Test("Bug-F30: a suffix that does not belong to a text of upper and lower case was mistyped")
  func mistyped() throws {
    let id = try required(SalesforceID("005x00000012Q9P"))
    #expect(SalesforceID(id.id18) == id)
    let wrong = String(id.id18.prefix(15)) + "AAA"
    #expect(id.id18 != wrong && SalesforceID(wrong) == nil)
    // A text that has lost its case gets it back.
    #expect(SalesforceID(id.id18.lowercased()) == id && SalesforceID(id.id18.uppercased()) == id)
  }
}
