internal import Foundation
package import HTTPTypes
package import OstiaryCore

extension HTMLForm {
  /// One name and value as a form sends them.
  package struct Entry: Sendable, Hashable {
    package var name: String
    package var value: String
    /// Whether it is a file input without a chosen file: that is a part of its own kind.
    package var isFile = false
  }

  /// What a browser would send of this form (HTML standard §4.10.21.4).
  /// - Parameter button: the button that is pressed, by its index in ``fields``; of buttons, only its name is sent.
  package func entries(pressing button: Int? = nil, charset: TextCharset = .utf8) -> [Entry] {
    var entries: [Entry] = []
    for (index, field) in fields.enumerated() where !field.isDisabled {
      let name = field.name ?? ""
      let value = field.value?.reveal() ?? ""
      switch (field.element, field.type) {
      case ("input", "image"):
        guard index == button else { continue }
        let prefix = name.isEmpty ? "" : name + "."
        entries += [Entry(name: prefix + "x", value: "0"), Entry(name: prefix + "y", value: "0")]
      case _ where name.isEmpty: continue
      case ("input", "submit"), ("button", "submit"):
        if index == button { entries.append(Entry(name: name, value: value)) }
      case ("input", "reset"), ("input", "button"), ("button", _): continue
      case ("input", "checkbox"), ("input", "radio"):
        if field.isChecked { entries.append(Entry(name: name, value: field.value?.reveal() ?? "on")) }
      case ("input", "file"):
        entries.append(Entry(name: name, value: "", isFile: true))
      case ("input", "hidden") where name == "_charset_":
        entries.append(Entry(name: name, value: charset.name))
      case ("select", _):
        entries += field.chosenOptions.map { Entry(name: name, value: $0.value) }
      default:
        entries.append(Entry(name: name, value: value))
      }
    }
    return entries
  }

  /// The button that sends the form when a person presses Enter in a field: the first one.
  package var defaultButton: Int? { fields.firstIndex { $0.isSubmitButton && !$0.isDisabled } }

  /// The request that sends this form.
  /// - Parameters:
  ///   - page: the page that it is on, which says what its address is relative to and what it is written in.
  ///   - button: the button that is pressed; by default the first.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `redirectRefused` for an address that HTTP can't send to; `invalidInput` for
  ///   characters that the page's character set can't carry. `nil` when the page has no address.
  package func submission(on page: HTMLPage, pressing button: Int? = nil) throws -> TransportRequest? {
    guard let url = page.url, let here = try? HTTPRequest(.get, to: url) else { return nil }
    let button = button ?? defaultButton
    let pressed = button.flatMap { fields.indices.contains($0) ? fields[$0] : nil }
    var target = try page.resolve(pressed?.formAction ?? action, from: here)
    let encoding = pressed?.formEncoding ?? self.encoding
    let charset = charset ?? page.charset
    let writer = FormWriter(entries: entries(pressing: button, charset: charset), charset: charset)
    guard (pressed?.formMethod ?? method) == .post else {
      let path = target.path ?? "/"
      target.path = path.prefix { $0 != "?" } + "?" + (try writer.urlEncoded())
      return TransportRequest(target)
    }
    target.method = .post
    let (body, contentType) = try writer.body(encoding)
    target.headerFields[.contentType] = contentType
    return TransportRequest(target, body: body)
  }
}

extension HTMLForm.Field {
  /// The options of a select that are sent: those chosen, or the first that can be where one has to.
  fileprivate var chosenOptions: [Option] {
    let chosen = options.filter { $0.isSelected && !$0.isDisabled }
    if takesSeveral { return chosen }
    if let last = chosen.last { return [last] }
    // One that is chosen and disabled is shown, and not sent.
    if options.contains(where: \.isSelected) { return [] }
    return options.first { !$0.isDisabled }.map { [$0] } ?? []
  }
}

extension HTMLPage {
  /// The address that one written on this page means.
  package func resolve(_ address: String?, from here: HTTPRequest) throws -> HTTPRequest {
    func resolved(_ text: String, _ base: RedirectTarget) throws -> RedirectTarget {
      // Browsers drop line breaks and tabs, and what surrounds an address.
      let cleaned = text.unicodeScalars.filter { $0 != "\t" && $0 != "\n" && $0 != "\r" }
      let trimmed = String(String.UnicodeScalarView(cleaned)).trimmingCharacters(in: .whitespaces)
      switch base.resolving(trimmed) {
      case .success(let target): return target
      case .failure:
        throw OstiaryError(
          .redirectRefused, "A form of the page leads to an address that can't be sent to.", request: here,
          requestMayHaveExecuted: false)
      }
    }
    var target = RedirectTarget(scheme: here.scheme ?? "", authority: here.authority ?? "", path: here.path ?? "/")
    let own = target
    if let base { target = try resolved(base, target) }
    // Without an address a form goes to the page's own; its base has no effect.
    if let address, !address.allSatisfy(\.isWhitespace) { target = try resolved(address, target) } else { target = own }
    return HTTPRequest(method: .get, scheme: target.scheme, authority: target.authority, path: target.path)
  }
}
