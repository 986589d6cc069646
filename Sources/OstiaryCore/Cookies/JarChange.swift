/// What a response did to a cookie jar: what there is to save.
public enum JarChange: Int, Sendable, Hashable, Comparable {
  /// Nothing that would have to be saved.
  case none
  /// Cookies live longer or shorter, or changed another attribute, but every value is as it was.
  case attributes
  /// A cookie was added, removed, or has another value.
  case values

  public static func < (lhs: JarChange, rhs: JarChange) -> Bool { lhs.rawValue < rhs.rawValue }
}
