public import OstiaryCore

/// A push notification that an org sent about something of Service Cloud.
public enum SalesforceNotification: Sendable, Hashable {
  /// About a case; `nil` for cases in general.
  case cases(id: SalesforceID?)

  /// The name of the case's identifier in a payload (`SCSNotificationPayloadKeyCaseId`). Salesforce has not published
  /// its text; this is our choice, and other usual spellings are recognised as well.
  public static let caseIDKey = "caseid"
  /// Other usual spellings, in the order in which they count.
  private static let otherCaseIDKeys = ["case_id", "sid"]

  /// Recognises a payload.
  /// - Parameter caseIDKey: the name of the case's identifier in it.
  /// - Returns: `nil` for a notification that is about something else.
  public init?(payload: [String: JSONValue], caseIDKey: String = SalesforceNotification.caseIDKey) {
    let keys = [caseIDKey.lowercased()] + Self.otherCaseIDKeys
    func find(_ members: [String: JSONValue]) -> SalesforceID? {
      let found = members.sorted { $0.key < $1.key }.compactMap { name, value -> (order: Int, id: SalesforceID)? in
        // Cases are the records whose identifiers begin so.
        guard let order = keys.firstIndex(of: name.lowercased()),
          let id = value.string.flatMap({ SalesforceID($0) }), id.id15.hasPrefix("500")
        else { return nil }
        return (order, id)
      }
      return found.min { $0.order < $1.order }?.id
    }
    let nested = ["data", "payload", "userInfo"].lazy.compactMap { payload[$0]?.object }.compactMap(find).first
    if let id = find(payload) ?? nested {
      self = .cases(id: id)
    } else if payload["notificationType"]?.string?.lowercased() == "case" || payload["sobject"]?.string == "Case" {
      self = .cases(id: nil)
    } else {
      return nil
    }
  }

  /// The case; `nil` when the notification refers to none in particular.
  public var caseID: SalesforceID? { if case .cases(let id) = self { id } else { nil } }
}
