public import OstiaryCore

/// What Newzulu does not publish, in one place: every name and rule here is Ostiary's choice unless a comment says where
/// it comes from. A server that differs needs another value here and nothing else.
///
/// The platform is Filemobile's "Media Factory", whose API reference publishes the methods; "published" below means there.
/// ``NewzuluPlatformConfiguration`` reads all of it from a file.
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

  /// The methods.
  public var calls = CallNames()

  // MARK: Arguments

  /// The argument for the method; published.
  public var methodArgument = "method"
  /// The argument for the tenant; published.
  public var vhostArgument = "vhost"
  /// The argument for the user's name or e-mail address at login. That the method takes two is published, their names
  /// are not.
  public var usernameArgument = "username"
  /// The argument for the password at login.
  public var passwordArgument = "password"
  /// What else a login says, by argument: that it asks for the user and for a session; published. A server may want more.
  public var signInArguments: [String: JSONValue] = ["returnUserInfo": true, "login": true]
  /// The argument for the API key; published.
  public var keyArgument = "APIKEY"
  /// The argument, and the member of a login's result, for the session token; published.
  public var tokenName = "sessiontoken"

  // MARK: What a server answers

  /// The members of every answer.
  public var answerKeys = AnswerKeys()
  /// The members of a user; published.
  public var userKeys = UserKeys()
  /// The members of a media item.
  public var fileKeys = FileKeys()
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

/// How the arguments of a call travel.
public enum NewzuluEncoding: String, Sendable, Hashable, Codable, CaseIterable {
  /// As a JSON object.
  case json
  /// As a form, with nested arguments in brackets: `filters[channel]=3`.
  case form
}
