import ArgumentParser
import Foundation
import OstiaryCore
import OstiaryServer
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand
@testable import OstiaryServerCommand

@Suite("serve: a bucket for uploads", .timeLimit(.minutes(20)))
struct NewzuluBucketOptionsTests {
  private static let address = "https://s3.example/uploads/prefix"

  private func door(
    _ arguments: [String], in sandbox: Sandbox, variables: [String: String] = [:]
  ) throws -> NewzuluDoorConfiguration {
    try NewzuluCommandDoor.parse(arguments).configuration(sandbox.environment(variables: variables))
  }

  @Test("S3-01: credentials come from a file that only its owner can read, or from the environment")
  func credentials() throws {
    let sandbox = try Sandbox()
    #expect(try door([], in: sandbox).bucket == nil)
    let variables = [
      "AWS_ACCESS_KEY_ID": "AKIAEXAMPLE", "AWS_SECRET_ACCESS_KEY": "planted-secret", "AWS_SESSION_TOKEN": "",
    ]
    let bucket = try #require(door(["--newzulu-s3", Self.address], in: sandbox, variables: variables).bucket)
    #expect(bucket.region == "us-east-1" && !bucket.isPartOfHost && !bucket.allowsInsecureHTTP)
    #expect(!"\(bucket)".contains("planted"))

    let file = sandbox.folder.appending(path: "s3.txt")
    try "[default]\n# ours\naws_access_key_id = AKIAEXAMPLE\naws_secret_access_key = planted-secret\n"
      .write(to: file, atomically: true, encoding: .utf8)
    let arguments = [
      "--newzulu-s3", Self.address, "--newzulu-s3-credentials", "s3.txt", "--newzulu-s3-region", "eu-central-1",
      "--newzulu-s3-virtual-host", "--insecure-newzulu-s3-http",
    ]
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path(percentEncoded: false))
    #expect(throws: OstiaryError.self) { try self.door(arguments, in: sandbox) }
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path(percentEncoded: false))
    let other = try #require(door(arguments, in: sandbox).bucket)
    #expect(other.region == "eu-central-1" && other.isPartOfHost && other.allowsInsecureHTTP)
  }

  @Test("S3-08: a mistake about a bucket shows no secret")
  func notShown() async throws {
    let sandbox = try Sandbox()
    let outcome = await sandbox.run(
      ["serve", "--in-memory", "--port", "0", "--newzulu-s3", "https://AKIA:planted@s3.example/uploads"],
      variables: ["AWS_ACCESS_KEY_ID": "AKIAEXAMPLE", "AWS_SECRET_ACCESS_KEY": "planted-secret"])
    #expect(outcome.status == 2 && !outcome.error.contains("planted") && outcome.output.isEmpty)
    let plain = await sandbox.run(
      ["serve", "--in-memory", "--port", "0", "--newzulu-s3", "http://s3.example/uploads"],
      variables: ["AWS_ACCESS_KEY_ID": "AKIAEXAMPLE", "AWS_SECRET_ACCESS_KEY": "planted-secret"])
    #expect(plain.status == 2 && plain.error.contains("https") && !plain.error.contains("planted"))
  }
}
