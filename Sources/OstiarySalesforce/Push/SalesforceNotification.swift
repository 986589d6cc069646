public import OstiaryCore

/// A push notification that an org sent about something of Service Cloud.
public enum SalesforceNotification: Sendable, Hashable {
  /// About a case; `nil` for cases in general.
  case cases(id: SalesforceID?)

  /// The name of the case's identifier in a payload (`SCSNotificationPayloadKeyCaseId`). Salesforce has not published
  /// its text; this is our choice, and other usual spellings are recognised as well.
  public static let caseIDKey = "caseid"
  private static let caseIDKeys: Set<String> = [caseIDKey, "sid", "case_id"]

  /// Recognises a payload.
  /// - Returns: `nil` for a notification that is about something else.
  public init?(payload: [String: JSONValue]) {
    func find(_ members: [String: JSONValue]) -> SalesforceID? {
      for (name, value) in members where Self.caseIDKeys.contains(name.lowercased()) {
        // Cases are the records whose identifiers begin so.
        if let id = value.string.flatMap({ SalesforceID($0) }), id.id15.hasPrefix("500") { return id }
      }
      return nil
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
