import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Newzulu door: tenants", .serialized, .timeLimit(.minutes(20)))
struct NewzuluTenantTests {
  @Test(
    "Bug-C17: a session uploads into its own tenant and no other, whichever key goes with it",
    arguments: NewzuluTester.Transport.allCases)
  func uploads(transport: NewzuluTester.Transport) async throws {
    try await NewzuluTester.run { tester in
      let tester = tester.with(transport)
      let token = try await tester.token()
      let own = try await tester.upload(size: 10, token: token)
      for key in [
        NewzuluTester.appKey, NewzuluTester.developerKey, NewzuluTester.editorKey, NewzuluTester.otherTenantsKey,
      ] {
        for method in [
          "media.createMultiPartUpload", "media.getMultiPartUpload", "media.completeMultiPartUpload",
          "media.abortMultiPartUpload",
        ] {
          let answer = try await tester.call(
            method,
            [
              "vhost": "206", "fileId": own.id, "id": own.id,
              "fileData": .object(["type": "video/mp4", "filename": "a", "filesize": 10]),
            ], key: key, token: token)
          #expect(answer.json["status"] == false, "\(method)")
        }
      }
      let files = try await tester.server.application.storage.read { db in
        try db.test.all(String.self, "SELECT vhost FROM newzulu_files")
      }
      #expect(files == ["1281"])
      #expect(try await tester.upload(size: 10, token: token).partSize == 10)
    }
  }
}
