import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Addresses of buckets, and their credentials")
struct UploadBucketTests {
  static func credentials() throws -> UploadBucket.Credentials {
    try #require(UploadBucket.Credentials(id: "AKIAEXAMPLE", secret: "planted-secret"))
  }

  @Test("S3-01: a bucket with a prefix and without, as a part of the path and of the host")
  func addresses() throws {
    var bucket = try #require(UploadBucket("https://s3.example:9000/uploads/a/b.c", credentials: Self.credentials()))
    #expect(bucket.authority == "s3.example:9000" && bucket.path(nil) == "/uploads")
    #expect(bucket.path(bucket.prefix(ofUpload: 7) + "x") == "/uploads/a/b.c/7/x")
    bucket.isPartOfHost = true
    #expect(bucket.authority == "uploads.s3.example:9000" && bucket.path(nil) == "/" && bucket.path("k") == "/k")
    let plain = try #require(UploadBucket("https://s3.example/uploads/", credentials: Self.credentials()))
    #expect(plain.prefix == "" && plain.prefix(ofUpload: 7) == "7/")
  }

  @Test(
    "What is no bucket is refused",
    arguments: [
      "", "s3.example/uploads", "https://s3.example", "https://s3.example/", "https://s3.example/UP",
      "https://s3.example/ab", "https://user:secret@s3.example/uploads", "https://s3.example/uploads/../x",
      "https://s3.example/uploads//x", "https://s3.example/uploads/ä", "https://s3.example/uploads?x",
      "ftp://h/uploads",
      "https://s3.example/uploads/a b", "https://s3.example/uploads#x",
    ])
  func refused(_ address: String) throws {
    #expect(try UploadBucket(address, credentials: Self.credentials()) == nil)
  }

  @Test("S3-01: without TLS a bucket is on this machine, or the operator has said so")
  func plain() throws {
    for (address, isSafe) in [
      ("https://s3.example/uploads", true), ("http://127.0.0.1:9000/uploads", true),
      ("http://s3.example/uploads", false),
    ] {
      var configuration = NewzuluDoorConfiguration()
      configuration.bucket = try UploadBucket(address, credentials: Self.credentials())
      #expect(configuration.problems.isEmpty == isSafe, "\(address)")
      configuration.bucket?.allowsInsecureHTTP = true
      #expect(configuration.problems.isEmpty)
    }
  }

  @Test("Credentials as AWS's programs write them, and what are none")
  func lines() throws {
    let lines = ["[default]", "aws_access_key_id = AKIAEXAMPLE", "AWS_SECRET_ACCESS_KEY=a/b+c="]
    let credentials = try #require(UploadBucket.Credentials(lines: lines))
    #expect(credentials.id == "AKIAEXAMPLE" && credentials.secret == "a/b+c=" && credentials.token == nil)
    #expect(UploadBucket.Credentials(lines: lines + ["aws_session_token=t"])?.token == "t")
    for wrong in [
      [], ["aws_access_key_id=A"], ["aws_access_key_id=A", "aws_secret_access_key="], lines + ["x"],
      lines + ["aws_access_key_id=B"], ["aws_access_key_id=A B", "aws_secret_access_key=s"],
    ] as [[String]] {
      #expect(UploadBucket.Credentials(lines: wrong) == nil, "\(wrong)")
    }
    #expect(!"\(credentials) \(String(reflecting: credentials))".contains("a/b+c="))
  }

  @Test("Texts of elements are found, and entities are decoded")
  func xml() {
    let text = "<R><Key>a&amp;b</Key><Key>c</Key><Key><x/></Key><Other>d</Other><Key>e"
    #expect(XMLText.all("Key", in: text) == ["a&b", "c"])
    #expect(XMLText.first("Other", in: text) == "d" && XMLText.first("None", in: text) == nil)
    #expect(XMLText.first("K", in: "<K>&amp;lt;</K>") == "&lt;")
  }
}
