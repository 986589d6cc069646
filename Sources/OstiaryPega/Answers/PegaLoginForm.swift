internal import Foundation
internal import OstiaryCore
internal import OstiaryHTML

/// The login form of a Pega server.
struct PegaLoginForm: Sendable {
  private let form: HTMLForm

  init(_ form: HTMLForm) {
    self.form = form
  }

  /// Where it is sent; the page's own address where it doesn't say.
  func action(relativeTo page: URL) -> URL? {
    guard let action = form.action?.trimmingCharacters(in: .whitespacesAndNewlines), !action.isEmpty else {
      return page
    }
    return URL(string: action, relativeTo: page)?.absoluteURL
  }

  /// Why the user name and password can't go in this form: it has a password field, but under another name. A form that a script
  /// fills has none.
  func misfit(_ configuration: PegaConfiguration) -> PegaMisfit? {
    let names = [configuration.userParameter, configuration.passwordParameter]
    let missing = names.filter { form.field(named: $0) == nil }
    guard !missing.isEmpty, form.fields.contains(where: { $0.type == "password" }) else { return nil }
    return PegaMisfit(
      "The login form has no field “\(missing.joined(separator: "” and no “"))”.",
      found: form.fields.compactMap(\.name), set: ["userParameter", "passwordParameter"])
  }

  /// What a browser would send, in the order in which browsers have been seen to. The password travels in plain, and the
  /// button's name holds an equals sign. Hidden fields that only this page knows come last.
  func fields(
    username: String, password: Secret, configuration: PegaConfiguration
  ) -> [(name: String, value: String)] {
    var fields: [(name: String, value: String)] = [
      (configuration.guestParameter, configuration.guestValue),
      (configuration.userParameter, username),
      (configuration.passwordParameter, password.reveal()),
      ("\(configuration.activityParameter)=\(configuration.formLoginActivity)", ""),
    ]
    fields += configuration.emptyFormFields.map { ($0, "") }
    let known = Set(fields.map(\.name))
    for field in form.fields where field.type == "hidden" {
      guard let name = field.name, !name.isEmpty, !known.contains(name) else { continue }
      fields.append((name, field.value?.reveal() ?? ""))
    }
    return fields
  }
}
