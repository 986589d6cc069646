#if PostgreSQL
  public import Foundation
  public import OstiaryCore

  /// A value that is bound to a statement. It prints its kind alone.
  ///
  /// No value is sent with a type: the server infers that of each parameter from the statement. Where it can't, as in
  /// `SELECT $1`, it takes text; a cast (`$1::bytea`) says otherwise.
  public enum PostgreSQLValue: Hashable, Sendable {
    /// NULL.
    case null
    /// A whole number, in decimal digits.
    case integer(Int64)
    /// A number in the fewest digits that are read back as the same; also infinity and NaN.
    case real(Double)
    /// A text. One with a NUL character is refused before it is sent: PostgreSQL has no place for it.
    case text(String)
    /// Bytes (`bytea`), as they are.
    case bytes(Data)
  }

  extension PostgreSQLValue: Redacted {
    /// Which kind of value it is.
    public var description: String {
      switch self {
      case .null: "null"
      case .integer: "integer"
      case .real: "real"
      case .text: "text"
      case .bytes: "bytes"
      }
    }
  }
#endif
