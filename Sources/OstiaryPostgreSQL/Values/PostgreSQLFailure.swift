#if PostgreSQL
  import OstiaryCore

  /// What went wrong between a program and PostgreSQL. It quotes neither the password nor a value.
  public struct PostgreSQLFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a failure means for the session.
    public enum Kind: Sendable {
      /// There is no session: the server was not reached, or let the user not in.
      case cannotConnect
      /// The connection broke. What was under way may have been done or not; the session is over.
      case lost
      /// No answer came in time. What was under way may have been done or not, or be done later; the session is over.
      case noAnswer
      /// The server refused the statement, or it could not be sent as it is. The session lives; a transaction that
      /// was open has failed if the server was asked.
      case refused
    }

    /// What it means for the session.
    public let kind: Kind
    /// The SQLSTATE (PostgreSQL, Appendix A), such as `40001`; empty where there is none.
    public let state: String
    /// One sentence: the server's, or that of its library, without the password. Never the server's DETAIL.
    public let message: String

    /// Makes a failure.
    public init(_ kind: Kind, state: String = "", message: String) {
      self.kind = kind
      self.state = state
      self.message = message
    }

    /// The message, after the SQLSTATE if there is one.
    public var description: String { state.isEmpty ? message : "\(state): \(message)" }

    /// The connection string is none. Its text is not quoted: it may hold the password anywhere.
    public static let unreadableConnectionString = Self(
      .cannotConnect, message: "the connection string can't be understood")

    /// A statement or one of its texts has a NUL character, at which C would end it.
    static let zeroCharacter = Self(.refused, state: "22021", message: "a NUL character can't be sent")

    /// More parameters than the protocol can count.
    static let tooManyParameters = Self(.refused, state: "54023", message: "a statement has at most 65535 parameters")

    /// A script tried to copy, which nothing here can carry on.
    static let copying = Self(.lost, state: "0A000", message: "COPY is not supported")
  }

  extension PostgreSQLFailure {
    /// Makes a failure of what was said.
    /// - Parameters:
    ///   - words: the first line is kept: the others describe places and hints.
    ///   - password: what must not be in it.
    init(_ kind: Kind, state: String = "", words: String, without password: Secret?) {
      let line = words.split(separator: "\n").first.map(String.init) ?? "no reason is known"
      // The messages of data exceptions quote the value.
      let quiet = state.utf8.starts(with: "22".utf8) ? Self.withoutQuotations(line) : line
      self.init(kind, state: state, message: Self.remove(password, from: quiet))
    }

    /// As bytes: what follows a password must not hide its last character.
    private static func remove(_ password: Secret?, from text: String) -> String {
      guard let password, !password.isEmpty else { return text }
      let bytes = Array(text.utf8).replacing(Array(password.reveal().utf8), with: Array("…".utf8))
      return String(decoding: bytes, as: UTF8.self)
    }

    /// From the first quotation mark to the last one: a value may have some itself.
    private static func withoutQuotations(_ text: String) -> String {
      guard let first = text.utf8.firstIndex(of: 0x22), let last = text.utf8.lastIndex(of: 0x22) else { return text }
      return "\(text[..<first])…\(text[text.utf8.index(after: last)...])"
    }
  }
#endif
