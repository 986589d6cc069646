/// There is no delegate (any more) that could answer a question. Nothing is accepted then: a log-in that no app has checked is
/// none.
///
/// A delegate that passes questions on to an object that may be gone throws it, as ``WeakExperienceDelegate`` does.
public struct DelegateMissing: Error, Sendable, Hashable, CustomStringConvertible {
  /// Makes the error.
  public init() {}

  /// What is missing, and what to do.
  public var description: String {
    "There is no experience delegate, so nothing is accepted. Keep the delegate alive while an experience is shown."
  }
}
