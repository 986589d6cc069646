internal import Foundation

/// The domain of the `NSError`s that this module hands over.
///
/// The vendor's page doesn't give the string; this one follows the names that it does give.
public let PMAuthenticationErrorDomain = "PMAuthenticationErrorDomain"

/// The codes of errors in ``PMAuthenticationErrorDomain``.
///
/// The vendor's page names the codes but not their numbers. These count from 1 in the order of the page; the code for a
/// locked account, which came later, is last.
public enum PMAuthenticationError: Int, Sendable, Hashable, CaseIterable {
  /// The server does not accept the user name and password, or there is no session.
  case invalidCredentials = 1
  /// The call can't be carried out as things are, such as logging in while a user is logged in; the description says
  /// why.
  case `internal` = 2
  /// The user name or password is missing or can't be right. Nothing was sent.
  case invalidInputData = 3
  /// The server could not be reached.
  case network = 4
  /// The server answered something that isn't understood.
  case unexpectedServerResponse = 5
  /// The server does not work with this version of the client.
  case wrongClientVersion = 6
  /// The account is locked.
  case accountLocked = 7
}

/// ``PMAuthenticationError/invalidCredentials`` in the vendor's spelling.
public let PMAuthenticationErrorInvalidCredentials = PMAuthenticationError.invalidCredentials.rawValue
/// ``PMAuthenticationError/internal`` in the vendor's spelling.
public let PMAuthenticationErrorInternal = PMAuthenticationError.internal.rawValue
/// ``PMAuthenticationError/invalidInputData`` in the vendor's spelling.
public let PMAuthenticationErrorInvalidInputData = PMAuthenticationError.invalidInputData.rawValue
/// ``PMAuthenticationError/network`` in the vendor's spelling.
public let PMAuthenticationErrorNetwork = PMAuthenticationError.network.rawValue
/// ``PMAuthenticationError/unexpectedServerResponse`` in the vendor's spelling.
public let PMAuthenticationErrorUnexpectedServerResponse = PMAuthenticationError.unexpectedServerResponse.rawValue
/// ``PMAuthenticationError/wrongClientVersion`` in the vendor's spelling.
public let PMAuthenticationErrorWrongClientVersion = PMAuthenticationError.wrongClientVersion.rawValue
/// ``PMAuthenticationError/accountLocked`` in the vendor's manner.
public let PMAuthenticationErrorAccountLocked = PMAuthenticationError.accountLocked.rawValue
