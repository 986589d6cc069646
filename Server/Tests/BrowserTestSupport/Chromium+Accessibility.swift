internal import OstiaryCore

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

  /// Everything that can have the focus, in the order in which the accessibility tree is read.
  public func accessibleControls() async throws -> [Control] {
    let nodes = try await call("Accessibility.getFullAXTree")["nodes"]?.array ?? []
    let known = Dictionary(nodes.map { ($0["nodeId"]?.string ?? "", $0) }) { first, _ in first }
    // The tree is told level by level, and is read child by child.
    var ordered: [JSONValue] = []
    var next = nodes.filter { $0["parentId"] == nil }
    while let node = next.popLast() {
      ordered.append(node)
      next += (node["childIds"]?.array ?? []).reversed().compactMap { $0.string.flatMap { known[$0] } }
    }
    return ordered.compactMap { node -> Control? in
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
