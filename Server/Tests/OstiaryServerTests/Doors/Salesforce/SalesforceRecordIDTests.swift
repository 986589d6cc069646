import Foundation
import Testing

@testable import OstiaryServer

@Suite("Salesforce ids")
struct SalesforceRecordIDTests {
  @Test(
    "Account-A1: 15 and 18 characters are one id",
    arguments: [
      ("00Dx0000000BV7z", "00Dx0000000BV7zEAG"), ("005x00000012Q9P", "005x00000012Q9PAAU"),
      ("001A0000006Vm9r", "001A0000006Vm9rIAC"), ("00D000000000062", "00D000000000062EAA"),
    ])
  func forms(short: String, long: String) throws {
    let id = try #require(SalesforceRecordID(short))
    #expect(id.long == long)
    #expect(SalesforceRecordID(long) == id)
    #expect(SalesforceRecordID(long)?.hashValue == id.hashValue)
    #expect(SalesforceRecordID(long)?.short == short)
  }

  @Test(
    "What is no id is none",
    arguments: [
      "", "00D", "00Dx0000000BV7zEAA", "00Dx0000000BV7!", "00Dx0000000BV7zEAG1", "00Dx0000000BV7zEA", "ä0Dx0000000BV7",
    ])
  func garbage(text: String) { #expect(SalesforceRecordID(text) == nil) }

  @Test("An id follows from what it is of, and from nothing else")
  func derived() {
    let one = SalesforceRecordID(.user, derivedFrom: "a")
    #expect(one == SalesforceRecordID(.user, derivedFrom: "a"))
    #expect(one != SalesforceRecordID(.user, derivedFrom: "b"))
    #expect(one.short.hasPrefix("005") && one.short.utf8.count == 15)
    #expect(SalesforceRecordID(one.long) == one)
  }

  @Test("A record's number is found again in its id", arguments: [0, 1, 61, 62, 1_000_000, Int64.max])
  func numbers(number: Int64) {
    let id = SalesforceRecordID(.theCase, number: number)
    #expect(id.number(of: .theCase) == number)
    #expect(id.number(of: .user) == nil)
  }

  @Test("A number that is too large is none")
  func overflow() throws {
    let id = try #require(SalesforceRecordID("500zzzzzzzzzzzz"))
    #expect(id.number(of: .theCase) == nil)
  }
}
