/// Where one value of an answer is.
public struct DialectRead: Sendable, Hashable {
  /// What is read.
  public var source: Source
  /// What the value begins with and is taken off, such as `Bearer `. A value without it is absent.
  public var prefix: String?
  /// Whether the value is percent-encoded where it stands, as in many cookies.
  public var isPercentDecoded: Bool

  /// Makes a read.
  public init(_ source: Source, after prefix: String? = nil, isPercentDecoded: Bool = false) {
    self.source = source
    self.prefix = prefix
    self.isPercentDecoded = isPercentDecoded
  }

  /// What a value is read of.
  public enum Source: Sendable, Hashable {
    /// A place in the JSON body.
    case pointer(DialectPointer)
    /// The whole body as a text of one line, without white space around it.
    case body
    /// A field of the answer.
    case header(String)
    /// A cookie that the session has after the answer.
    case cookie(String)
    /// A field of a form in an HTML page.
    case formField(String)
    /// The content of an HTML `meta` element, by its name.
    case meta(String)
    /// A claim of a JWT that has been read as a named value. Its signature is not verified.
    case claim(of: String, DialectPointer)
    /// A text of values that are there.
    case template(DialectTemplate)
    /// The password itself, which is a long-lived token that the server made for one application. For `token` only.
    case applicationPassword
  }

  /// A place in the JSON body.
  public static func pointer(_ pointer: DialectPointer) -> DialectRead { DialectRead(.pointer(pointer)) }

  /// The whole body as a text of one line.
  public static let body = DialectRead(.body)

  /// A field of the answer.
  public static func header(_ name: String, after prefix: String? = nil) -> DialectRead {
    DialectRead(.header(name), after: prefix)
  }

  /// A cookie.
  public static func cookie(_ name: String, isPercentDecoded: Bool = false) -> DialectRead {
    DialectRead(.cookie(name), isPercentDecoded: isPercentDecoded)
  }

  /// A claim of a JWT. Its signature is not verified.
  public static func claim(of value: String = "token", _ pointer: DialectPointer) -> DialectRead {
    DialectRead(.claim(of: value, pointer))
  }
}

extension DialectRead: ExpressibleByStringLiteral {
  /// A place in the JSON body.
  public init(stringLiteral value: String) { self.init(.pointer(DialectPointer(value))) }
}
