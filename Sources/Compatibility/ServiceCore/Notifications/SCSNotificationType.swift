/// What a push notification is about.
///
/// See the vendor's class reference for `SCSNotification`.
public enum SCSNotificationType: Int, Sendable, CaseIterable {
  /// A case.
  case `case` = 1
}
