internal import OstiaryCore

// What a person does who has a keyboard alone, and what a program reads to a person who can't see the page; whether or not the
// page may run scripts.
extension Chromium {
  /// More stops than any page has.
  private static let mostStops = 60

  /// Whether the focus is on such an element.
  public func hasFocus(_ selector: String) async throws -> Bool {
    try await !all(":focus:is(\(selector))", "tagName").isEmpty
  }

  /// Waits until such an element gets the focus by itself. A page that has just been loaded sets it when it is drawn, which on a busy
  /// machine takes some frames. The page is asked from outside: one that may run no scripts has no frames of its own to wait for.
  public func getsFocus(_ selector: String) async throws {
    try await until("\(selector) has the focus") { try await self.hasFocus(selector) }
  }

  /// Presses the tabulator until the focus is on such an element.
  /// - Returns: How often it was pressed.
  @discardableResult
  public func tab(to selector: String) async throws -> Int {
    for count in 0..<Self.mostStops {
      if try await hasFocus(selector) { return count }
      try await pressTab()
    }
    throw Failed(description: "The tabulator does not lead to \(selector).")
  }

  /// Goes to a field with the tabulator and types, in place of what is there.
  public func type(_ text: String, into name: String) async throws {
    try await tab(to: "[name=\"\(name)\"]")
    try await press("a", "KeyA", 65, commands: ["selectAll"])
    for character in text {
      try await call("Input.dispatchKeyEvent", ["type": "char", "text": .string(String(character))])
    }
  }

  /// Goes to a button or link with the tabulator and presses Return, and waits until another page is there.
  public func choose(_ selector: String) async throws {
    try await tab(to: selector)
    try await pressReturn()
  }

  /// Presses Return where the focus is, and waits until another page is there.
  public func pressReturn() async throws {
    try await loading { try await press("Enter", "Enter", 13, text: "\r") }
  }

  /// Puts a text into the field that has the focus, as a paste or a password manager does: at once, without keys.
  public func paste(_ text: String, into name: String) async throws {
    try await tab(to: "[name=\"\(name)\"]")
    try await press("a", "KeyA", 65, commands: ["selectAll"])
    try await call("Input.insertText", ["text": .string(text)])
  }

  /// What a screen reader gets of one element.
  public struct Spoken: Sendable, Hashable {
    public let role: String
    public let name: String
    public let description: String
    public let isInvalid: Bool
  }

  /// What a screen reader gets of the page's elements that it speaks of, in order.
  public func spoken() async throws -> [Spoken] {
    let nodes = try await call("Accessibility.getFullAXTree")["nodes"]?.array ?? []
    return nodes.compactMap { node in
      guard node["ignored"] != true, let role = node["role"]?["value"]?.string else { return nil }
      let invalid = node["properties"]?.array?.first { $0["name"] == "invalid" }?["value"]?["value"]?.string
      return Spoken(
        role: role, name: node["name"]?["value"]?.string ?? "",
        description: node["description"]?["value"]?.string ?? "",
        isInvalid: invalid == "true")
    }
  }
}
