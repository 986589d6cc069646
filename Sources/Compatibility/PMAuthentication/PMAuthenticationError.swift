internal import Foundation
package import OstiaryPega

/// The domain of the `NSError`s that this module hands over.
///
/// The vendor's page doesn't give the string. An app that knows it sets `errorNumbers.domain` in ``PMPegaConfiguration``.
public var PMAuthenticationErrorDomain: String { PMPegaConfiguration.errorNumbers.domain }

/// The codes of errors in ``PMAuthenticationErrorDomain``.
///
/// The vendor's page names the codes but not their numbers. These count from 1 in the order of the page; the code for a
/// locked account, which came later, is last. An app that compares with numbers of its own sets them in
/// ``PMPegaConfiguration``, before the first call.
public enum PMAuthenticationError: RawRepresentable, Sendable, Hashable, CaseIterable {
  /// The server does not accept the user name and password, or there is no session.
  case invalidCredentials
  /// The call can't be carried out as things are, such as logging in while a user is logged in; the description says
  /// why.
  case `internal`
  /// The user name or password is missing or can't be right. Nothing was sent.
  case invalidInputData
  /// The server could not be reached.
  case network
  /// The server answered something that isn't understood.
  case unexpectedServerResponse
  /// The server does not work with this version of the client.
  case wrongClientVersion
  /// The account is locked.
  case accountLocked

  /// The code with a number; `nil` for a number that is none's.
  public init?(rawValue: Int) {
    let numbers = PMPegaConfiguration.errorNumbers
    guard let code = Self.allCases.first(where: { $0.number(in: numbers) == rawValue }) else { return nil }
    self = code
  }

  /// The code's number.
  public var rawValue: Int { number(in: PMPegaConfiguration.errorNumbers) }

  /// The code's number among these.
  package func number(in numbers: PegaErrorNumbers) -> Int {
    switch self {
    case .invalidCredentials: numbers.invalidCredentials
    case .internal: numbers.internal
    case .invalidInputData: numbers.invalidInputData
    case .network: numbers.network
    case .unexpectedServerResponse: numbers.unexpectedServerResponse
    case .wrongClientVersion: numbers.wrongClientVersion
    case .accountLocked: numbers.accountLocked
    }
  }
}

/// The number of ``PMAuthenticationError/invalidCredentials``, in the vendor's spelling.
public var PMAuthenticationErrorInvalidCredentials: Int { PMAuthenticationError.invalidCredentials.rawValue }
/// The number of ``PMAuthenticationError/internal``, in the vendor's spelling.
public var PMAuthenticationErrorInternal: Int { PMAuthenticationError.internal.rawValue }
/// The number of ``PMAuthenticationError/invalidInputData``, in the vendor's spelling.
public var PMAuthenticationErrorInvalidInputData: Int { PMAuthenticationError.invalidInputData.rawValue }
/// The number of ``PMAuthenticationError/network``, in the vendor's spelling.
public var PMAuthenticationErrorNetwork: Int { PMAuthenticationError.network.rawValue }
/// The number of ``PMAuthenticationError/unexpectedServerResponse``, in the vendor's spelling.
public var PMAuthenticationErrorUnexpectedServerResponse: Int {
  PMAuthenticationError.unexpectedServerResponse.rawValue
}
/// The number of ``PMAuthenticationError/wrongClientVersion``, in the vendor's spelling.
public var PMAuthenticationErrorWrongClientVersion: Int { PMAuthenticationError.wrongClientVersion.rawValue }
/// The number of ``PMAuthenticationError/accountLocked``, in the vendor's manner.
public var PMAuthenticationErrorAccountLocked: Int { PMAuthenticationError.accountLocked.rawValue }
