public import OstiaryCore

/// What an app thinks of the fields it was given. Fresh, it is valid; any `invalidate` makes it invalid.
///
/// A field shows its own message, or else ``message``, or else the document's for that field, or else a general one. With
/// no field to show it, ``message`` stands at the top of the screen.
public struct ValidationResult: Sendable, Hashable {
  /// Whether nothing was invalidated.
  public private(set) var isValid = true
  /// What is wrong as a whole.
  public private(set) var message: String?
  /// The fields that are not accepted, each with its own message if it has one.
  public private(set) var fields: [String: String?] = [:]
  /// The stable code of the message, and those of the fields' messages.
  private var code: MessageCode?
  private var codes: [String: MessageCode] = [:]

  /// Makes a valid result.
  public init() {}

  /// Nothing is wrong.
  public static let valid = ValidationResult()

  /// A result that is invalid as a whole.
  public static func invalid(_ message: String) -> ValidationResult {
    var result = ValidationResult()
    result.invalidate(message: message)
    return result
  }

  /// A result with one invalid field.
  public static func invalid(field key: String, message: String? = nil) -> ValidationResult {
    var result = ValidationResult()
    result.invalidate(field: key, message: message)
    return result
  }

  /// Says what is wrong as a whole. The last message counts.
  /// - Parameters:
  ///   - message: what is said where there is no text for the code.
  ///   - code: a stable code of Ostiary's server, such as `credentials.wrong`: it is worded in the user's language.
  ///   - limit: the number that the code's text names, such as the seconds to wait.
  public mutating func invalidate(message: String, code: String? = nil, limit: Int? = nil) {
    isValid = false
    self.message = message
    self.code = code.map { MessageCode(name: $0, limit: limit) }
  }

  /// Says that a field is wrong. Of several messages the last counts; without one, an earlier stays.
  /// - Parameters:
  ///   - message: what is said where there is no text for the code.
  ///   - code: a stable code of Ostiary's server, such as `email.taken`: it is worded in the user's language.
  ///   - limit: the number that the code's text names, such as the least length.
  public mutating func invalidate(
    field key: String, message: String? = nil, code: String? = nil, limit: Int? = nil
  ) {
    isValid = false
    if message != nil || code != nil {
      codes[key] = code.map { MessageCode(name: $0, limit: limit) }
    }
    if let message {
      fields[key] = .some(message)
    } else if fields[key] == nil {
      fields.updateValue(nil, forKey: key)
    }
  }

  /// The result with the texts that codes have in place of their messages.
  func worded(_ text: (MessageCode) -> String?) -> ValidationResult {
    var worded = self
    if let text = code.flatMap(text) { worded.message = text }
    for (key, code) in codes { if let text = text(code) { worded.fields[key] = .some(text) } }
    return worded
  }
}

/// What an app answers to a log-in or sign-up.
public struct UserValidation: Sendable, Hashable {
  /// What it thinks of the fields.
  public var result: ValidationResult
  /// Who the user is, if it knows. Counts only with a valid result.
  public var userID: String?

  /// Makes an answer.
  public init(_ result: ValidationResult = .valid, userID: String? = nil) {
    self.result = result
    self.userID = userID
  }

  /// The user is logged in.
  public static func accepted(_ userID: String? = nil) -> UserValidation { UserValidation(userID: userID) }
  /// The user is not logged in.
  public static func refused(_ result: ValidationResult) -> UserValidation { UserValidation(result) }
}

/// What an app answers when a user has signed in with a provider.
public struct ProviderValidation: Sendable, Hashable {
  /// What it thinks of the user.
  public var result: ValidationResult
  /// Who the user is, if it knows. Counts only with a valid result.
  public var userID: String?
  /// Whether the user was not known before.
  public var isNewUser: Bool
  /// What the provider told; all of it becomes user properties.
  public var properties: [String: JSONValue]

  /// Makes an answer.
  public init(
    _ result: ValidationResult = .valid, userID: String? = nil, isNewUser: Bool = false,
    properties: [String: JSONValue] = [:]
  ) {
    self.result = result
    self.userID = userID
    self.isNewUser = isNewUser
    self.properties = properties
  }
}

// What an app answers may name who it is about.
extension ValidationResult: CustomStringConvertible, CustomReflectable {
  /// Whether it is valid, and the fields that are not. Messages are not shown.
  public var description: String {
    isValid ? "ValidationResult(valid)" : "ValidationResult(invalid: \(PersonalData.list(fields.keys)))"
  }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

extension UserValidation: CustomStringConvertible, CustomReflectable {
  /// The result, and whether there is an identifier; nothing that is about a person.
  public var description: String { "UserValidation(\(result), \(userID == nil ? "no identifier" : "identified"))" }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

extension ProviderValidation: CustomStringConvertible, CustomReflectable {
  /// The result, and the names of the properties; nothing that is about a person.
  public var description: String {
    "ProviderValidation(\(result), \(userID == nil ? "no identifier" : "identified"), "
      + "\(PersonalData.list(properties.keys)))"
  }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}
