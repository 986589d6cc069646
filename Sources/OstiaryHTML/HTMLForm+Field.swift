package import HTTPTypes
public import OstiaryCore

extension HTMLForm {
  /// An input, button, select or textarea.
  public struct Field: Sendable, Hashable {
    /// The element's name in lower case: `input`, `button`, `select`, `textarea`.
    public var element: String
    /// The `type` attribute in lower case; what HTML assumes where there is none (`text`, `submit`).
    public var type: String
    /// The `id` attribute.
    package var id: String?
    /// The `name` attribute. May contain any character.
    public var name: String?
    /// The `value` attribute, or a textarea's text. Hidden fields carry tokens, so it does not print.
    public var value: Secret?
    /// The `autocomplete` attribute in lower case: `username`, `current-password`, `one-time-code`.
    package var autocomplete: String?
    /// Whether it is switched off, itself or with its `fieldset`, and not sent.
    package var isDisabled = false
    /// Whether a checkbox or radio button is checked.
    package var isChecked = false
    /// Whether a select takes several options.
    package var takesSeveral = false
    /// The options of a select.
    package var options: [Option] = []
    /// Where a button sends the form instead, as written.
    package var formAction: String?
    /// How a button sends the form instead.
    package var formMethod: HTTPRequest.Method?
    /// How a button has the form written instead.
    package var formEncoding: Encoding?

    /// Makes a field that no page has.
    package init(element: String, type: String, id: String? = nil, name: String? = nil, value: Secret? = nil) {
      self.element = element
      self.type = type
      self.id = id
      self.name = name
      self.value = value
    }

    /// One option of a select.
    package struct Option: Sendable, Hashable {
      /// The `value` attribute, or the text.
      package var value: String
      /// Whether it is chosen.
      package var isSelected = false
      /// Whether it can't be.
      package var isDisabled = false
    }

    /// Whether pressing it sends the form.
    package var isSubmitButton: Bool {
      switch (element, type) {
      case ("input", "submit"), ("input", "image"), ("button", "submit"): true
      default: false
      }
    }
  }
}

extension HTMLForm {
  /// The form that the start tag makes that came last.
  init(_ tokens: HTMLTokens) {
    let charset = tokens["accept-charset"]?
      .split { $0 == "," || $0.isWhitespace }
      .first { $0.lowercased() != "unknown" }
    self.init(
      id: tokens["id"], name: tokens["name"], action: tokens["action"],
      method: Self.method(tokens["method"]) ?? .get, encoding: Encoding(attribute: tokens["enctype"]),
      charset: charset.map { TextCharset(label: String($0)) }, fields: [])
  }

  /// What a `method` or `formmethod` attribute says.
  fileprivate static func method(_ attribute: String?) -> HTTPRequest.Method? {
    attribute.map { $0.lowercased() == "post" ? .post : .get }
  }
}

extension HTMLForm.Field {
  /// The field that the start tag makes that came last, if it makes one.
  init?(_ name: HTMLName, _ tokens: HTMLTokens) {
    let element: String
    let usualType: String
    switch name {
    case .input: (element, usualType) = ("input", "text")
    case .button: (element, usualType) = ("button", "submit")
    case .select: (element, usualType) = ("select", "select")
    case .textarea: (element, usualType) = ("textarea", "textarea")
    default: return nil
    }
    var type = usualType
    if name == .input || name == .button, let written = tokens["type"], !written.isEmpty { type = written.lowercased() }
    self.init(
      element: element, type: type, id: tokens["id"], name: tokens["name"],
      value: name == .select || name == .textarea ? nil : tokens["value"].map { Secret($0) })
    autocomplete = tokens["autocomplete"]?.lowercased()
    isDisabled = tokens.has("disabled")
    isChecked = tokens.has("checked")
    takesSeveral = tokens.has("multiple")
    guard isSubmitButton else { return }
    formAction = tokens["formaction"]
    formMethod = HTMLForm.method(tokens["formmethod"])
    formEncoding = tokens["formenctype"].map { HTMLForm.Encoding(attribute: $0) }
  }
}

extension HTMLForm.Field: Redacted {
  /// What it is and what it is called. Its value, its options and where it leads may be secret, and are not shown.
  public var description: String { "\(element) \(type) \(name ?? "no name")" }
}
