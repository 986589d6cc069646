public import Foundation

extension Experience {
  /// Something that the user can do on a screen: a button or a link.
  public struct Action: Sendable, Hashable {
    /// Names the action within its screen.
    public var id: String
    /// What stands on it; a usual text for the work when there is none.
    public var label: Text?
    /// How much it stands out.
    public var style: Style
    /// What it does.
    public var work: Work

    /// Makes an action.
    public init(id: String, label: Text? = nil, style: Style = .primary, work: Work) {
      self.id = id
      self.label = label
      self.style = style
      self.work = work
    }

    /// How much an action stands out.
    public enum Style: String, Sendable, Hashable, Codable, CaseIterable {
      /// The one to use.
      case primary
      /// Another one.
      case secondary
      /// A line of text.
      case link
    }

    /// What an action does.
    public enum Work: Sendable, Hashable {
      /// Goes somewhere.
      case move(Move)
      /// Hands fields of this screen to the app (all of them when none are named) and, if it is content, goes on.
      case submitFields([String]?, onSuccess: Move?)
      /// Sets off one of the screen's triggers.
      case trigger(String)
      /// Signs in with a provider, such as `facebook`.
      case provider(String)
      /// Asks for one of the system's permissions, such as `notifications`, and goes on either way.
      case requestPermission(String, onSuccess: Move?, onFailure: Move?)
      /// Something that a newer format knows. It is not drawn.
      case unknown(String)
    }
  }
}

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

extension Experience {
  /// Something that the app decides, and what follows from its decision.
  public struct Trigger: Sendable, Hashable {
    /// The name that the app knows it by.
    public var name: String
    /// What happens when the app says yes.
    public var onSuccess: Move?
    /// What happens when the app says no.
    public var onFailure: Move?

    /// Makes a trigger.
    public init(name: String, onSuccess: Move? = nil, onFailure: Move? = nil) {
      self.name = name
      self.onSuccess = onSuccess
      self.onFailure = onFailure
    }
  }
}
