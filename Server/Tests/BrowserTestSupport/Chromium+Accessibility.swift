public import OstiaryCore

// What a page tells people who can't see it, and who go through it by keyboard.
extension Chromium {
  /// Something that can have the focus, as assistive technology is told of it.
  public struct Control: Sendable, Hashable, CustomStringConvertible {
    public let role: String
    public let name: String
    /// What describes it: its help, and what is wrong.
    public let details: String
    public var description: String { "\(role) \(name)" }
  }

  /// Everything that can have the focus, in the order of the accessibility tree.
  public func accessibleControls() async throws -> [Control] {
    let nodes = try await call("Accessibility.getFullAXTree")["nodes"]?.array ?? []
    return nodes.compactMap { node -> Control? in
      func text(_ member: String) -> String { node[member]?["value"]?.string ?? "" }
      let canHaveFocus = (node["properties"]?.array ?? []).contains {
        $0["name"] == "focusable" && $0["value"]?["value"] == true
      }
      guard canHaveFocus, node["ignored"] != true, text("role") != "RootWebArea" else { return nil }
      return Control(role: text("role"), name: text("name"), details: text("description"))
    }
  }

  /// Runs a script in every page that is opened from now on, before anything else.
  public func addScript(_ source: String) async throws {
    try await call("Page.addScriptToEvaluateOnNewDocument", ["source": .string(source)])
  }
}
