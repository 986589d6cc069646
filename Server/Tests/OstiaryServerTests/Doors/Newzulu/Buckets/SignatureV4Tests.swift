import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Signatures of requests to buckets")
struct SignatureV4Tests {
  /// The credentials, the bucket and the moment of Amazon's examples.
  private func signature(of request: SignatureV4.Request) throws -> String? {
    let credentials = try #require(
      UploadBucket.Credentials(
        id: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"))
    let fields = SignatureV4(credentials: credentials, region: "us-east-1").fields(
      for: request, at: Date(timeIntervalSince1970: 1_369_353_600))
    #expect(fields.first { $0.name == "x-amz-date" }?.value == "20130524T000000Z")
    return fields.first { $0.name == "authorization" }?.value.components(separatedBy: "Signature=").last
  }

  @Test("S3-02: the examples of Amazon's documentation")
  func examples() throws {
    let host = "examplebucket.s3.amazonaws.com"
    #expect(
      try signature(
        of: .init(method: "GET", host: host, path: "/test.txt", fields: [("range", "bytes=0-9")]))
        == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
    #expect(
      try signature(of: .init(method: "GET", host: host, path: "/", query: [("lifecycle", "")]))
        == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
    #expect(
      try signature(of: .init(method: "GET", host: host, path: "/", query: [("prefix", "J"), ("max-keys", "2")]))
        == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
  }

  @Test("A query is in order, and each byte that needs it is escaped")
  func query() {
    #expect(
      SignatureV4.query([("uploadId", "a+/=b c"), ("partNumber", "1"), ("prefix", "é~.-_")])
        == "partNumber=1&prefix=%C3%A9~.-_&uploadId=a%2B%2F%3Db%20c")
  }

  @Test("Credentials that end are sent with their token, which is signed")
  func token() throws {
    let credentials = try #require(UploadBucket.Credentials(id: "AKIA", secret: "s", token: "planted-token"))
    let fields = SignatureV4(credentials: credentials, region: "r").fields(
      for: .init(method: "GET", host: "h", path: "/"), at: Date(timeIntervalSince1970: 0))
    #expect(fields.contains { $0.name == "x-amz-security-token" && $0.value == "planted-token" })
    #expect(
      fields.last?.value.contains("SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token") == true)
  }
}
