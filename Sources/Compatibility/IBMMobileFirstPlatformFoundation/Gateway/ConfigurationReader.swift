internal import Foundation
internal import Ostiary

/// Takes the values out of a configuration, and says which key does not fit.
struct ConfigurationReader {
  private var values: [String: Any]
  private var known: [String] = []

  init(_ values: [String: Any]) { self.values = values }

  mutating func text(_ key: String) throws -> String? {
    guard let value = take(key) else { return nil }
    guard let text = value as? String, !text.isEmpty else {
      throw Self.invalid("The value of \"\(key)\" is not a text.")
    }
    return text
  }

  mutating func url(_ key: String) throws -> URL? {
    guard let text = try text(key) else { return nil }
    guard let url = URL(string: text), ServerAddress(url) != nil else {
      throw Self.invalid("The value of \"\(key)\" is not an http or https address without a user name.")
    }
    return url
  }

  mutating func flag(_ key: String) throws -> Bool {
    guard let value = take(key) else { return false }
    guard let flag = value as? Bool else { throw Self.invalid("The value of \"\(key)\" is neither true nor false.") }
    return flag
  }

  mutating func list(_ key: String) throws -> [String] {
    guard let value = take(key) else { return [] }
    guard let list = value as? [String] else { throw Self.invalid("The value of \"\(key)\" is not a list of texts.") }
    return list
  }

  mutating func texts(_ key: String) throws -> [String: String] {
    guard let value = take(key) else { return [:] }
    guard let texts = value as? [String: String] else {
      throw Self.invalid("The value of \"\(key)\" is not an object whose values are texts.")
    }
    return texts
  }

  /// Refuses keys that were not asked for, which may be misspelled.
  func end() throws {
    guard let key = values.keys.min() else { return }
    throw Self.invalid(
      "The key \"\(key.prefix(80))\" is unknown.", advice: "The keys are \(known.joined(separator: ", ")).")
  }

  private mutating func take(_ key: String) -> Any? {
    known.append(key)
    let value = values.removeValue(forKey: key)
    return value is NSNull ? nil : value
  }

  static func invalid(_ message: String, advice: String? = nil, _ underlying: (any Error)? = nil) -> OstiaryError {
    OstiaryError(
      .invalidInput, "MobileFirstGatewayConfiguration: \(message)", advice: advice, disposition: .misuse,
      requestMayHaveExecuted: false, underlying: underlying)
  }
}
