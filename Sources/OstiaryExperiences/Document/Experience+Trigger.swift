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
