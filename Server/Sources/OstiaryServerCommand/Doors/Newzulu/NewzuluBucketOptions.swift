internal import ArgumentParser
internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryCore
internal import OstiaryServer

/// Where the Newzulu door stores uploads, if that is a bucket.
struct NewzuluBucketOptions: ParsableArguments {
  /// The variables by which AWS's own programs know credentials.
  private static let variables = (id: "AWS_ACCESS_KEY_ID", secret: "AWS_SECRET_ACCESS_KEY", token: "AWS_SESSION_TOKEN")

  static let settings = [
    FileSetting("newzulu.s3.bucket", "newzulu-s3", .text), FileSetting("newzulu.s3.region", "newzulu-s3-region", .text),
    FileSetting("newzulu.s3.credentialsFile", "newzulu-s3-credentials", .file, variable: variables.id),
    FileSetting("newzulu.s3.virtualHost", "newzulu-s3-virtual-host", .flag()),
    FileSetting("newzulu.s3.insecureHTTP", "insecure-newzulu-s3-http", .flag()),
  ]

  @Option(
    name: .customLong("newzulu-s3"),
    help: ArgumentHelp(
      "A bucket of an S3-compatible store for uploads, with a prefix or without: https://host/bucket/prefix. Servers that share a "
        + "database share it, too. (default: the data folder)", valueName: "url"))
  var address: String?

  @Option(
    name: .customLong("newzulu-s3-region"),
    help: ArgumentHelp("The bucket's region. (default: us-east-1)", valueName: "name"))
  var region: String?

  @Option(
    name: .customLong("newzulu-s3-credentials"),
    help: ArgumentHelp(
      "A file with aws_access_key_id=… and aws_secret_access_key=…, which only its owner can read. (default: the variables "
        + "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY)", valueName: "file"), completion: .file())
  var credentialFile: String?

  @Flag(
    name: .customLong("newzulu-s3-virtual-host"), help: "Address the bucket as bucket.host, and not as host/bucket.")
  var isPartOfHost = false

  @Flag(
    name: .customLong("insecure-newzulu-s3-http"),
    help: "Send uploads to a bucket on another machine without TLS: the network reads along.")
  var allowsInsecureHTTP = false

  /// The bucket that the options describe, if they do.
  /// - Throws: ``OstiaryError`` `invalidInput` for options that can't be right.
  func bucket(_ environment: CommandEnvironment) throws -> UploadBucket? {
    guard let address else {
      guard region == nil, credentialFile == nil, !isPartOfHost, !allowsInsecureHTTP else {
        throw OstiaryError.usage(DoorOptionMessage.bucketMissing)
      }
      return nil
    }
    guard var bucket = UploadBucket(address, credentials: try credentials(environment)) else {
      throw OstiaryError.usage(DoorOptionMessage.badBucket)
    }
    if let region { bucket.region = region }
    bucket.isPartOfHost = isPartOfHost
    bucket.allowsInsecureHTTP = allowsInsecureHTTP
    return bucket
  }

  /// The credentials: of the option, then of the environment. Errors don't contain them.
  private func credentials(_ environment: CommandEnvironment) throws -> UploadBucket.Credentials {
    if let credentialFile {
      let file = OperatorSecret(url: environment.url(path: credentialFile), environment: environment)
      guard let lines = try? file.lines(), let credentials = UploadBucket.Credentials(lines: lines) else {
        throw OstiaryError.usage(DoorOptionMessage.badBucketCredentials(credentialFile))
      }
      return credentials
    }
    let variables = environment.variables
    let token = variables[Self.variables.token].flatMap { $0.isEmpty ? nil : Secret($0) }
    guard let id = variables[Self.variables.id], let secret = variables[Self.variables.secret],
      let credentials = UploadBucket.Credentials(id: id, secret: Secret(secret), token: token)
    else { throw OstiaryError.usage(DoorOptionMessage.noBucketCredentials) }
    return credentials
  }
}
