extension Experience {
  /// What a field asks for. An open set: a kind that a client does not know is drawn, checked and told as text.
  public struct FieldKind: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    /// Any text.
    public static let text = Self(rawValue: "text")
    /// An e-mail address.
    public static let email = Self(rawValue: "email")
    /// A telephone number.
    public static let phone = Self(rawValue: "phone")
    /// A decimal number, as the user's language writes it.
    public static let number = Self(rawValue: "number")
    /// A day, as `2026-11-22` (RFC 3339 `full-date`).
    public static let date = Self(rawValue: "date")
    /// One of several options.
    public static let choice = Self(rawValue: "choice")
    /// Yes or no.
    public static let toggle = Self(rawValue: "toggle")
    /// The password that the user has.
    public static let password = Self(rawValue: "password")
    /// A password that the user makes up now.
    public static let newPassword = Self(rawValue: "newPassword")
    /// A code that was sent to the user or is shown by an app of theirs.
    public static let oneTimeCode = Self(rawValue: "oneTimeCode")
    /// A value that goes along and is not shown.
    public static let hidden = Self(rawValue: "hidden")

    /// Every kind that this version knows.
    public static let known: [Self] = [
      .text, .email, .phone, .number, .date, .choice, .toggle, .password, .newPassword, .oneTimeCode, .hidden,
    ]

    /// The kind that a client which knows no other draws: itself, or ``text``.
    public var known: Self { Self.known.contains(self) ? self : .text }

    /// Whether values of this kind are secrets, also when the document does not say so.
    public var isSecret: Bool { self == .password || self == .newPassword || self == .oneTimeCode }

    /// The autofill detail token that fits (HTML standard §4.10.18.7).
    public var usualAutofill: String? {
      switch self {
      case .email: "email"
      case .phone: "tel"
      case .password: "current-password"
      case .newPassword: "new-password"
      case .oneTimeCode: "one-time-code"
      default: nil
      }
    }
  }
}
