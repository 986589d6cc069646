/// What Newzulu does not publish, in one place: every name and rule here is Ostiary's choice unless a comment says where
/// it comes from. A server that differs needs another value here and nothing else.
///
/// The platform is Filemobile's "Media Factory", whose API reference publishes the methods; "published" below means there.
public struct NewzuluConfiguration: Sendable, Hashable {
  // MARK: Calls

  /// The path below the server's address that takes calls; published.
  public var servicesPath = "services/json"
  /// How arguments travel; both ways are published.
  public var encoding = NewzuluEncoding.json
  /// How long a login may take: 15 seconds, as a published client allows.
  public var loginTimeout: Duration = .seconds(15)
  /// How long any other call may take. 30 seconds.
  public var callTimeout: Duration = .seconds(30)

  // MARK: Arguments

  /// The argument for the user's name or e-mail address at login. That the method takes two is published, their names
  /// are not.
  public var usernameArgument = "username"
  /// The argument for the password at login.
  public var passwordArgument = "password"
  /// The argument for the API key; published.
  public var keyArgument = "APIKEY"
  /// The argument, and the member of a login's result, for the session token; published.
  public var tokenName = "sessiontoken"

  // MARK: What a server answers

  /// The members of a user; published.
  public var userKeys = UserKeys()
  /// The numbers of failures that are about the session. A failure without a number is told by its text.
  public var sessionFailureNumbers: Set<Int> = [102, 103]
  /// What the text of a failure without a number says, in lower case, when it is about the session. Nothing else ends
  /// one: when in doubt, the session is good.
  public var sessionFailurePhrases = [
    "invalid session", "session expired", "session has expired", "expired session", "session token is invalid",
    "session required", "not logged in",
  ]
  /// The number of the failure for a method that the server doesn't have.
  public var unknownMethodNumber = 199
  /// What the text of such a failure without a number says, in lower case.
  public var unknownMethodPhrase = "unknown method"
  /// The number of the failure for an item or an upload that the server doesn't have.
  public var unknownItemNumber = 130
  /// What the text of such a failure without a number says, in lower case.
  public var unknownItemPhrase = "not found"
  /// The number of the failure for an upload whose parts are not all there.
  public var missingPartsNumber = 142

  // MARK: Uploads

  /// How files are uploaded.
  public var uploads = UploadOptions()

  /// The defaults.
  public init() {}
}

extension NewzuluConfiguration {
  /// The members of a user, as published clients read them.
  public struct UserKeys: Sendable, Hashable {
    /// The user's identifier.
    public var id = "id"
    /// The user's name on the platform.
    public var username = "user"
    /// The first name.
    public var firstName = "firstname"
    /// The last name.
    public var lastName = "lastname"
    /// The e-mail address.
    public var email = "email"

    /// The defaults.
    public init() {}
  }

  /// How files are uploaded.
  public struct UploadOptions: Sendable, Hashable {
    /// How large a part should be, in bytes: 8 MiB. The published minimum is 5 MiB; files that would have more than
    /// ``maximumParts`` get larger ones.
    public var partSize: Int64 = 8 * 1024 * 1024
    /// The largest part that is kept in memory, in bytes, also when a server asks for larger ones. 64 MiB.
    public var maximumPartSize: Int64 = 64 * 1024 * 1024
    /// How many parts a file may have. 10,000, the limit of the storage that the vendor used.
    public var maximumParts = 10_000
    /// How many parts are under way at once. So many times the part's size is what an upload needs in memory. 2.
    public var parallelParts = 2
    /// How often one part is tried again. 5.
    public var attempts = 5
    /// The slowest connection that isn't given up, in bytes a second. 32 KiB.
    public var slowestRate: Int64 = 32 * 1024
    /// The method that tells which parts a server has; `nil` asks none and trusts what this side remembers.
    public var resumeMethod: String? = "media.getMultiPartUpload"
    /// How long a part may wait before the journal says that it is uploaded, where the journal is large beside a part. Else
    /// that is written at once. 1 second.
    public var journalDelay: Duration = .seconds(1)

    /// The defaults.
    public init() {}
  }
}

/// How the arguments of a call travel.
public enum NewzuluEncoding: String, Sendable, Hashable, Codable, CaseIterable {
  /// As a JSON object.
  case json
  /// As a form, with nested arguments in brackets: `filters[channel]=3`.
  case form
}
