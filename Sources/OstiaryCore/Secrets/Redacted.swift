/// A value that shows its description and nothing else, however it is printed: to a log, in a debugger, by `dump` and by
/// reflection.
///
/// What holds secrets conforms to it, so that the one place to look at in a review is its `description`.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
  /// The description.
  public var debugDescription: String { description }
  /// A mirror of the description, in place of what is stored.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
