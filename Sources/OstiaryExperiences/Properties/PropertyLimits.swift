internal import Foundation

/// How much a user's properties, or an event's parameters, may hold, so that no page and no mistake can fill a device or a
/// server.
public struct PropertyLimits: Sendable, Hashable {
  /// How many properties there may be. 200.
  public var count = 200
  /// How long a name may be, in bytes of UTF-8. 128.
  public var nameLength = 128
  /// How long a text may be, in bytes of UTF-8. 4 KiB, which is room for addresses of pictures.
  public var textLength = 4096
  /// How many values a list may have. 100.
  public var listCount = 100

  /// The defaults.
  public init() {}

  /// Why a property can't be had, or `nil` when it can.
  func problem(of value: PropertyValue, named name: String) -> PropertyProblem.Reason? {
    if name.isEmpty || name.utf8.count > nameLength { return .name }
    return problem(of: value)
  }

  private func problem(of value: PropertyValue) -> PropertyProblem.Reason? {
    switch value {
    case .string(let text): return text.utf8.count > textLength ? .tooLong : nil
    case .number(let number): return number.isFinite ? nil : .notAValue
    case .date(let date): return date.timeIntervalSince1970.isFinite ? nil : .notAValue
    case .integer, .bool: return nil
    case .list(let values):
      if values.count > listCount { return .tooLong }
      if values.contains(where: \.isList) { return .notAValue }
      return values.lazy.compactMap { problem(of: $0) }.first
    }
  }
}

/// A property that was refused, and why. The others of the same call were taken.
public struct PropertyProblem: Sendable, Hashable, CustomStringConvertible {
  /// Why a property is refused.
  public enum Reason: String, Sendable, Hashable {
    /// The name is empty or too long.
    case name = "its name is empty or too long"
    /// The text or the list is too long.
    case tooLong = "it is too long"
    /// It is a number that is none, or a list in a list.
    case notAValue = "it is not a value that can be kept"
    /// There are as many properties as there may be.
    case tooMany = "there are as many as there may be"
    /// The event's name or one of its identifiers is none: see ``EventRules/isName(_:)``. The event was not kept.
    case eventName = "an event needs a name of 1 to 200 bytes without control characters"
    /// The event is larger than ``EventRules/mostBytes``. It was not kept.
    case eventSize = "the event has more than 256 KiB"
    /// The event would be larger than ``EventRules/mostBytes`` with the user's properties. It was kept without them.
    case userProperties = "the event has no room for the user's properties"
    /// The user's identifier is longer than ``EventRules/mostNameBytes``, or has control characters. The event was kept
    /// without it.
    case userID = "the user's identifier has more than 200 bytes, or control characters"
  }

  /// The property's name, or the event's.
  public let name: String
  /// Why it was refused.
  public let reason: Reason

  /// The name, shortened if need be, and the reason; never the value. A name that tells who a person is is not shown.
  public var description: String { "“\(PersonalData.shown(String(name.prefix(64))))” was refused: \(reason.rawValue)." }
}

extension PropertyProblem: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}
