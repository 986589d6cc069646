/// Something that a Pega server shows or does when an app opens its SnapStart address.
public struct SnapStartAction: Sendable, Hashable {
  /// What to do.
  public var kind: Kind
  /// Further parameters, passed on to the action in this order.
  public var properties: [Property]
  /// Whether to show the whole portal around the work; `nil` leaves it to the server.
  public var showsFullPortal: Bool?

  /// What an action does.
  public enum Kind: Sendable, Hashable {
    /// Creates a case of a class by running a flow (`pyStartCase`).
    case createCase(flowType: String, insClass: String)
    /// Opens a case by its key, `CLASS ID` with a space between.
    case openCase(handle: String)
    /// Opens an assignment by its key.
    case openAssignment(handle: String)
    /// Shows a harness of a class.
    case showHarness(String, className: String)
    /// Runs an activity of a class.
    case runActivity(String, className: String)
  }

  /// A parameter of the app's own.
  public struct Property: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// Its value.
    public var value: String

    /// Makes a parameter.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Makes an action.
  public init(_ kind: Kind, properties: [Property] = [], showsFullPortal: Bool? = nil) {
    self.kind = kind
    self.properties = properties
    self.showsFullPortal = showsFullPortal
  }
}
