import Foundation
import SalesforceSDKCore
import Testing

@Suite("Identities of accounts")
struct IdentityTests {
  @Test(
    "Account-A1: spellings of 15 and 18 characters are equal and hash equally",
    arguments: [
      ("005x00000012Q9P", "005x00000012Q9PAAU", "00Dx0000000BV7z", "00Dx0000000BV7zEAG"),
      ("001A0000006Vm9r", "001A0000006Vm9rIAC", "00D000000000062", "00D000000000062EAA"),
    ])
  func equality(shortUser: String, longUser: String, shortOrg: String, longOrg: String) {
    let short = SFUserAccountIdentity(userId: shortUser, orgId: shortOrg)
    let long = SFUserAccountIdentity(userId: longUser, orgId: longOrg)
    #expect(short == long && short.hash == long.hash)
    #expect(Set([short, long]).count == 1)
    #expect(short.compare(long) == .orderedSame)
    #expect(short.userId == shortUser && long.orgId == longOrg)
  }

  @Test("Account-A1: other users and orgs are others, and ordered by org and then user")
  func inequality() {
    let one = SFUserAccountIdentity(userId: "005x00000012Q9P", orgId: "00Dx0000000BV7z")
    let other = SFUserAccountIdentity(userId: "005x00000012Q9p", orgId: "00Dx0000000BV7z")
    #expect(one != other)
    #expect(one.compare(other) != .orderedSame)
    #expect(one.compare(nil) == .orderedDescending)
    // What is no identifier is equal to itself alone.
    #expect(SFUserAccountIdentity(userId: "a", orgId: "b") == SFUserAccountIdentity(userId: "a", orgId: "b"))
    #expect((one.copy() as? SFUserAccountIdentity) == one)
  }
}
