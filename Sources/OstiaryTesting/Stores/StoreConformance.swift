/// Everything that the ``/OstiaryCore/SessionStore`` contract promises, as checks to run against a store.
public enum StoreConformance {
  /// All checks. Each wants an empty store.
  public static let checks: [StoreCheck] = content + comparing + listing + ending + exclusion + sharing + faults
}
