internal import Foundation
public import OstiaryCore

/// What an event may be. The tracker keeps nothing else, and Ostiary's server takes all that these rules allow: its door uses
/// them too.
public enum EventRules {
  /// The most bytes that an event's id, its name, and the identifiers of its user have, in UTF-8. 200.
  public static let mostNameBytes = 200
  /// The most bytes of an event: see ``size(of:)``. 256 KiB.
  public static let mostBytes = 256 << 10

  /// Whether a text can be an event's id or name, or an identifier of its user: 1 to ``mostNameBytes`` bytes without control
  /// characters and line ends. Joiners and the other characters that scripts are written with without being seen may be there.
  public static func isName(_ text: String) -> Bool {
    (1...mostNameBytes).contains(text.utf8.count)
      && !text.unicodeScalars.contains { scalar in
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
      }
  }

  /// How many bytes an event has: those of its JSON, and one that separates it from the next.
  public static func size(of event: JSONValue) -> Int { encoded(event).count + 1 }

  static func encoded(_ value: JSONValue) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Numbers without a value are all that JSON can't say, and the limits have refused them.
    return (try? encoder.encode(value)) ?? Data()
  }

  /// The event without what breaks a rule.
  /// - Returns: `nil` for an event that servers would not take at all; and what was left out or refused.
  static func checked(_ event: UserEvent, _ limits: PropertyLimits) -> (event: UserEvent?, problems: [PropertyProblem])
  {
    guard isName(event.id), isName(event.name), isName(event.subject.anonymousID) else {
      return (nil, [PropertyProblem(name: event.name, reason: .eventName)])
    }
    var event = event
    var parameters = UserProperties()
    var problems = parameters.merge(event.parameters, limits: limits)
    event.parameters = parameters.values
    if let id = event.subject.userID, !isName(id) {
      event.subject.userID = nil
      // An empty one says that the app does not know.
      if !id.isEmpty { problems.append(PropertyProblem(name: event.name, reason: .userID)) }
    }
    return (event, problems)
  }
}
