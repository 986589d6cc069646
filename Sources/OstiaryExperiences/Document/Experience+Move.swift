public import Foundation

extension Experience {
  /// A step that needs only the user's answer.
  public enum Move: Sendable, Hashable {
    /// Submits the screen and goes to the next one; from the last one, submits the flow.
    case next
    /// Submits the screen and then the flow.
    case submit
    /// Returns to the screen before, submitting nothing.
    case back
    /// Goes to the next screen, submitting nothing. Required screens can't be skipped.
    case skipScreen
    /// Leaves the experience because the user did not want it. Required screens can't be left so.
    case skip
    /// Closes the experience.
    case dismiss
    /// Goes to the first screen of a flow.
    case goToFlow(String)
    /// Goes to a screen of the same flow.
    case goToScreen(String)
    /// Asks the app to open an address (`https`, `http`, `mailto`, `tel`, or a scheme of the app's own).
    case openURL(URL)
  }
}
