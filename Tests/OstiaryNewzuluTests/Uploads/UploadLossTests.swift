import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryNewzulu
import OstiaryTesting
import TestSupport
import Testing

@Suite("Uploads whose answers are lost")
struct UploadLossTests {
  /// Loses answers to a method, after the server has acted or before, and counts the requests of it that arrive.
  private func lose(
    _ stub: NewzuluStub, _ method: String, acted: Bool, times: Int = 1, then answer: TransportResponse? = nil
  ) -> Locked<Int> {
    let seen = Locked(0)
    let isInside = Locked(false)
    stub.intercept { [stub] request in
      guard String(decoding: request.body ?? Data(), as: UTF8.self).contains(method),
        !isInside.withLock({ $0 })
      else { return nil }
      let number = seen.withLock { count in
        count += 1
        return count
      }
      guard number <= times else { return answer }
      if acted {
        isInside.withLock { $0 = true }
        _ = try await stub.respond(to: request)
        isInside.withLock { $0 = false }
      }
      throw OstiaryError(.connectionLost, "lost")
    }
    return seen
  }

  private let refusal = response(#"{"status":false,"message":"No such upload"}"#)

  @Test("Bug-A27: an upload whose beginning may have been heard is not begun twice")
  func create() async throws {
    let stub = NewzuluStub()
    let seen = lose(stub, "createMultiPartUpload", acted: true)
    let client = try stub.ann(.parts(of: 10), retry: .quick)
    let error = await failure { try await client.startUpload(UploadTests.photo(100)) }
    #expect(error?.code == .connectionLost)
    #expect(seen.withLock { $0 } == 1)
    #expect(stub.unfinishedUploads == 1)
  }

  @Test("Bug-A27: an upload whose beginning can't have been heard is begun again")
  func createUnsent() async throws {
    let stub = NewzuluStub()
    stub.transport.inject(
      .refuseConnection,
      into: .where { String(decoding: $0.body ?? Data(), as: UTF8.self).contains("createMultiPartUpload") },
      at: .nth(1))
    let client = try stub.ann(.parts(of: 10), retry: .quick)
    let file = try await client.startUpload(UploadTests.photo(100))
    #expect(stub.content(ofFile: file.id) == bytes(100))
    #expect(stub.unfinishedUploads == 0)
  }

  @Test(
    "Bug-A27: a completion whose answer was lost is looked for, not repeated: a finished upload is never refused",
    arguments: [true, false])
  func complete(canResume: Bool) async throws {
    let stub = NewzuluStub()
    stub.spell { $0.canResume = canResume }
    let seen = lose(stub, "completeMultiPartUpload", acted: true, then: refusal)
    let file = try await stub.ann(.parts(of: 10), retry: .quick).startUpload(UploadTests.photo(100))
    #expect(stub.content(ofFile: file.id) == bytes(100))
    #expect(stub.files.count == 1 && stub.puts == 10)
    #expect(seen.withLock { $0 } == 1)
  }

  @Test(
    "Bug-A27: a completion that the server has not heard is repeated once that is known", arguments: [true, false])
  func completeUnheard(canResume: Bool) async throws {
    let stub = NewzuluStub()
    stub.spell { $0.canResume = canResume }
    let seen = lose(stub, "completeMultiPartUpload", acted: false, times: 2)
    let file = try await stub.ann(.parts(of: 10), retry: .quick).startUpload(UploadTests.photo(100))
    #expect(stub.content(ofFile: file.id) == bytes(100))
    #expect(stub.files.count == 1 && stub.puts == 10)
    #expect(seen.withLock { $0 } == 3)
  }
}

extension RetryPolicy {
  /// Retries that take no time.
  fileprivate static var quick: RetryPolicy { RetryPolicy(attempts: 0, base: .zero) }
}
