public import Foundation

/// A failure of the server, in words for a person and as a code for a program.
///
/// Two errors are equal when their codes are. No error carries a password, a hash or a session id.
public struct ServerError: Error, Sendable, Equatable {
  /// Which failure it is.
  public var code: Code
  /// One sentence for a person: what happened.
  public var message: String
  /// One sentence for a person: what to do next.
  public var advice: String
  /// When trying again makes sense, for temporary failures.
  public var retryAfter: Duration?
  /// The error that caused this one.
  package var underlying: (any Error)?

  /// Makes an error.
  package init(
    _ code: Code,
    _ message: String,
    advice: String = "",
    retryAfter: Duration? = nil,
    underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.advice = advice
    self.retryAfter = retryAfter
    self.underlying = underlying
  }

  public static func == (one: ServerError, other: ServerError) -> Bool { one.code == other.code }

  /// A failure's name. The set is open: doors add theirs in extensions.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Names a failure.
    public init(_ rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }
  }
}

extension ServerError.Code {
  // MARK: Storage

  /// A file is no back-up, or a part of one, or was changed.
  package static let backupRefused = Self("backup_refused")
  /// A back-up is being restored into the database, or was not restored to its end.
  package static let storageIncomplete = Self("storage_incomplete")

  /// A call of the database took longer than its time limit.
  static let workTooLong = Self("work_too_long")

  /// Another program holds the database locked for longer than the busy time-out.
  public static let storageBusy = Self("storage_busy")
  /// The database's server can't be reached, or did not say whether it has made a change.
  package static let storageUnavailable = Self("storage_unavailable")
  /// The database's content was copied to another place.
  package static let storageMoved = Self("storage_moved")
  /// Too many calls wait for a connection to the database.
  static let storageOverloaded = Self("storage_overloaded")
  /// The disk, or the space the database may use, is full.
  public static let storageFull = Self("storage_full")
  /// The database, or its folder, can't be opened or written (permissions, read-only file system).
  package static let storageDenied = Self("storage_denied")
  /// The file is not a database, or is damaged.
  package static let storageCorrupt = Self("storage_corrupt")
  /// The storage has been closed.
  package static let storageClosed = Self("storage_closed")
  /// The database was written by a newer Ostiary.
  public static let storageTooNew = Self("storage_too_new")
  /// Any other failure of the database.
  package static let storageFailed = Self("storage_failed")

  // MARK: Users

  /// A user with that name exists.
  public static let userExists = Self("user_exists")
  /// No user has that name or id.
  public static let userNotFound = Self("user_not_found")
  /// A user name that is empty, too long or has control characters.
  package static let invalidUserName = Self("invalid_user_name")
  /// A tenant's name that is empty, too long or has other characters than letters, digits, dots, hyphens, underscores.
  package static let invalidTenant = Self("invalid_tenant")
  /// The user has been disabled, or their password changed, since the caller read the user.
  package static let userChanged = Self("user_changed")

  // MARK: Passwords

  /// Fewer characters than the policy's minimum.
  package static let passwordTooShort = Self("password_too_short")
  /// More characters or bytes than the documented maximum.
  package static let passwordTooLong = Self("password_too_long")
  /// The password is one of those that attackers try first.
  package static let passwordTooCommon = Self("password_too_common")
  /// A policy below what the server accepts outside development.
  package static let policyTooWeak = Self("policy_too_weak")
  /// Hash parameters below the floor, or above the ceiling.
  package static let hashParametersRefused = Self("hash_parameters_refused")
  /// The hash function failed because memory could not be allocated.
  package static let hashingFailed = Self("hashing_failed")
  /// The queue for password hashing is full.
  public static let overloaded = Self("overloaded")

  // MARK: Sessions

  /// More attributes than a session may carry.
  package static let attributesTooLarge = Self("attributes_too_large")
  /// A session id that isn't 43 characters of base64url.
  static let sessionIDRefused = Self("session_id_refused")

  // MARK: Clients

  /// A client of that id exists.
  package static let clientExists = Self("client_exists")
  /// No client has that id.
  package static let clientNotFound = Self("client_not_found")
  /// A client that can't be registered, or be given a secret.
  package static let clientRefused = Self("client_refused")
  /// A client secret that an attacker might guess.
  package static let clientSecretTooWeak = Self("client_secret_too_weak")
}

extension ServerError {
  /// Whether the storage failed: the answer is 503, and no session or password has been judged.
  package var isStorageFault: Bool { code.rawValue.hasPrefix("storage_") }
}

extension ServerError: LocalizedError {
  public var errorDescription: String? { advice.isEmpty ? message : message + " " + advice }
}

/// A server wasn't started because its configuration is wrong.
public struct ServerConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
  /// One sentence for each problem.
  public let problems: [String]

  public var description: String {
    (["The server was not started:"] + problems.map { "- " + $0 }).joined(separator: "\n")
  }
}

extension ServerConfigurationError: LocalizedError {
  public var errorDescription: String? { description }
}
