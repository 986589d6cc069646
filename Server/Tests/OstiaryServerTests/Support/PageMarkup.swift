import Foundation

/// The elements of a page, as far as tests look at them. It reads markup as the server writes it, and is no parser of HTML.
struct PageMarkup {
  struct Element {
    let name: String
    let attributes: [String: String]
    /// The element around it.
    let parent: Int?
    fileprivate var inside = ""

    subscript(attribute: String) -> String? { attributes[attribute] }
    /// The text inside, as it is read: one blank for each gap.
    var text: String { inside.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    /// Whether a person can put something in.
    var isControl: Bool {
      name == "select" || name == "textarea" || name == "input" && !["hidden", "submit"].contains(attributes["type"])
    }
    var isButton: Bool { name == "button" || name == "input" && attributes["type"] == "submit" }
    var isLink: Bool { name == "a" && attributes["href"] != nil }
    func ids(_ attribute: String) -> [String] {
      attributes[attribute, default: ""].split(separator: " ").map(String.init)
    }
  }

  private(set) var elements: [Element] = []

  private static let empty: Set = ["input", "meta", "link", "br", "hr", "img"]

  init(_ source: String) {
    var open: [Int] = []
    var end = source.startIndex
    for tag in source.matches(of: /<(\/?)([A-Za-z][A-Za-z0-9]*)([^>]*)>/) {
      let text = Self.decoded(String(source[end..<tag.range.lowerBound]))
      for index in open { elements[index].inside += text }
      end = tag.range.upperBound
      let name = tag.output.2.lowercased()
      if tag.output.1.isEmpty {
        elements.append(
          Element(name: name, attributes: Self.attributes(String(tag.output.3)), parent: open.last))
        if !Self.empty.contains(name) { open.append(elements.count - 1) }
      } else if let last = open.lastIndex(where: { elements[$0].name == name }) {
        open.removeSubrange(last...)
      }
    }
  }

  private static func attributes(_ source: String) -> [String: String] {
    var attributes: [String: String] = [:]
    for found in source.matches(of: /([A-Za-z\-]+)(?:=(?:"([^"]*)"|([^\s"]+)))?/) {
      let name = found.output.1.lowercased()
      let value = decoded(String(found.output.2 ?? found.output.3 ?? ""))
      attributes[name] = name == "type" ? value.lowercased() : value
    }
    return attributes
  }

  private static func decoded(_ text: String) -> String {
    guard text.contains("&") else { return text }
    return text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
      .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
  }

  // MARK: What is asked for

  var root: Element? { elements.first { $0.name == "html" } }
  var title: String { elements.first { $0.name == "title" }?.text ?? "" }
  var controls: [Element] { elements.filter(\.isControl) }

  func element(_ id: String) -> Element? { elements.first { $0["id"] == id } }
  func all(_ name: String) -> [Element] { elements.filter { $0.name == name } }

  func isInside(_ element: Element, _ container: (Element) -> Bool) -> Bool {
    var at = element.parent
    while let index = at {
      if container(elements[index]) { return true }
      at = elements[index].parent
    }
    return false
  }

  /// The labels of a control.
  func labels(of control: Element) -> [Element] {
    guard let id = control["id"] else { return [] }
    return all("label").filter { $0["for"] == id }
  }

  /// What a control, button or link is called.
  func name(of element: Element) -> String {
    if element.isControl { return labels(of: element).map(\.text).joined(separator: " ") }
    return element.name == "input" ? element["value"] ?? "" : element.text
  }

  /// Everything that can have the focus, in the order of reading.
  var targets: [Element] { elements.filter { $0.isControl || $0.isButton || $0.isLink } }

  /// Where a form is sent, and the fields that go along unseen.
  /// - Parameter id: The form's; nil for the first form.
  func form(_ id: String?) -> (action: String, hidden: [(String, String)])? {
    guard let form = elements.first(where: { $0.name == "form" && (id == nil || $0["id"] == id) }),
      let action = form["action"]
    else { return nil }
    let hidden = elements.filter { element in
      element.name == "input" && element["type"] == "hidden"
        && isInside(element) { $0.name == "form" && $0["action"] == action && $0["id"] == form["id"] }
    }
    return (action, hidden.map { ($0["name"] ?? "", $0["value"] ?? "") })
  }
}
