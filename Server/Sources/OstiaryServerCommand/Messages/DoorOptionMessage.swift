internal import OstiaryClientCommand

/// What is said of the options of doors, and of the files that they name.
enum DoorOptionMessage: CommandMessage {
  case badUpstream(String)
  case badChoice(String, known: [String])
  case emptyDocument(String)
  /// A file that has nothing but remarks.
  case noKeyInFile(String)
  case noAppInFile(String)
  case badApp(String)
  case badAppWord(place: String, word: Int, known: [String])
  case badKeyWord(place: String, word: Int, known: [String])
  case badKey(place: String)
  case badSize(String)
  /// Without the address, which might have a password in it.
  case badBucket
  /// Options about a bucket that is not named.
  case bucketMissing
  case badBucketCredentials(String)
  case noBucketCredentials

  var line: Line {
    switch self {
    case .badUpstream(let text): "“\(text)” is no upstream."
    case .badChoice(let text, let known): "“\(text)” is none of these: \(known.joined(separator: ", "))."
    case .emptyDocument(let path): "\(path) is empty, or can't be read."
    case .noKeyInFile(let path): "\(path) has no API key in it."
    case .noAppInFile(let path): "\(path) has no connected app in it."
    case .badApp(let text): "“\(text)” is no app."
    case .badAppWord(let place, let word, _): "\(place): the word \(word) says nothing about an app."
    case .badKeyWord(let place, let word, _): "\(place): the word \(word) says nothing about a key."
    case .badKey(let place): "\(place): there is no API key."
    case .badSize(let text): "“\(text)” is not the size of a file."
    case .badBucket: "What --newzulu-s3 names is no bucket."
    case .bucketMissing: "There are options about a bucket, and no bucket."
    case .badBucketCredentials(let path): "\(path) has no credentials in it, or other users can read it."
    case .noBucketCredentials: "There are no credentials for the bucket."
    }
  }

  var advice: String {
    switch self {
    case .badUpstream: "Write --gateway-upstream with a URL, or with a path and a URL: /app=http://127.0.0.1:9000."
    case .badChoice: "Write one of them."
    case .emptyDocument: "Check the path and its permissions."
    case .noKeyInFile, .noAppInFile: "Write one on a line, or leave the option out."
    case .badApp: "Write --salesforce-app KEY=CALLBACK-URL."
    case .badAppWord(_, _, let known), .badKeyWord(_, _, let known):
      "Write KEY, then any of: \(known.joined(separator: ", "))."
    case .badKey: "A key is 32 hexadecimal digits, and a tenant a name like 206."
    case .badSize: "Write --newzulu-max-file with bytes, or a number with K, M, G or T."
    case .badBucket:
      "Write --newzulu-s3 https://host/bucket, or with a prefix of letters, digits, dots, hyphens and slashes behind it."
    case .bucketMissing: "Name it with --newzulu-s3, or leave them out."
    case .badBucketCredentials, .noBucketCredentials:
      "Write aws_access_key_id=… and aws_secret_access_key=… into a file that only its owner can read, and name it with "
        + "--newzulu-s3-credentials; or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
    }
  }

  static let examples: [DoorOptionMessage] = [
    .badUpstream("app"), .badChoice("tivoli", known: ["ostiary", "webseal", "ltpa", "classic"]),
    .emptyDocument("signup.json"), .noKeyInFile("keys.txt"), .noAppInFile("apps.txt"), .badApp("3MVG9"),
    .badAppWord(place: "apps.txt, line 2", word: 3, known: ["callback=URL", "secret=TEXT"]),
    .badKeyWord(place: "keys.txt, line 2", word: 3, known: ["tenant=ID", "register-users"]),
    .badKey(place: "keys.txt, line 1"), .badSize("large"), .badBucket, .bucketMissing,
    .badBucketCredentials("s3.txt"), .noBucketCredentials,
  ]
}
