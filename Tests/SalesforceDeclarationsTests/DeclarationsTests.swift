import Foundation
import SalesforceSDKCore
import ServiceCore
import Testing

/// The declarations of the tables compile in this target's language mode. What is a value is looked at, too.
@Suite("The vendor's declarations")
struct DeclarationsTests {
  @Test(
    "Bug-D05: the declarations of SalesforceSDKCore compile in both language modes, and no two texts are the same by mistake"
  )
  func accounts() {
    // Version 7 renamed one notification.
    #expect(Set(AccountDeclarations.texts).count == AccountDeclarations.texts.count - 1)
    #expect(Set(AccountDeclarations.names).count == AccountDeclarations.names.count)
    #expect(Set(TodayDeclarations.names).count == TodayDeclarations.names.count)
    #expect(Set(TodayDeclarations.keys).count == TodayDeclarations.keys.count)
  }

  @Test("Bug-D05: the declarations of ServiceCore compile in both language modes, and the codes are the vendor's")
  @MainActor
  func services() {
    #expect(ServiceDeclarations.codes.map(\.rawValue) == [401, 403, 404, 1000])
    #expect(ServiceDeclarations.knowledgeCodes.count == SCSKnowledgeErrorCode.allCases.count)
    #expect(Set(ServiceDeclarations.texts).count == ServiceDeclarations.texts.count)
  }
}
