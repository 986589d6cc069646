/// A failure in the words of the vendor's enumeration of this name.
public struct WLClientErrorCode: RawRepresentable, Hashable, Sendable {
  /// The number.
  public var rawValue: UInt32

  /// The code of a number.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The code of a number.
  public init(_ rawValue: UInt32) {
    self.rawValue = rawValue
  }
}

/// Something that has no code of its own.
public let WLErrorCodeUnexpectedError = WLClientErrorCode(0)
/// A procedure failed at the server.
public let WLErrorCodeProcedureError = WLClientErrorCode(1)
/// An answer to a challenge could not be sent.
public let WLErrorCodeSubmitFailure = WLClientErrorCode(2)
