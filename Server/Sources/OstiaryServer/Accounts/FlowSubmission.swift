import Foundation
import OstiaryCore

/// A client's submission: the flow, the call, and the fields.
struct FlowSubmission: Sendable {
  let flow: String
  let action: String
  let fields: [FormFields.Field]

  /// The names that are not those of fields.
  private static let reserved: Set<String> = ["flow", "action"]

  init(flow: String, action: String, fields: [FormFields.Field]) {
    self.flow = flow
    self.action = action
    self.fields = fields
  }

  /// The submission of a page's form.
  init(form: FormFields) {
    self.init(
      flow: form.first("flow") ?? "", action: form.first("action") ?? "",
      fields: form.all.filter { !Self.reserved.contains($0.name) })
  }

  /// The submission of a program: `{"flow": "…", "action": "…", "fields": {"name": "value"}}`, with no other member;
  /// nil for anything else.
  init?(json body: [UInt8]) {
    guard let members = JSONValue(json: Data(body))?.object,
      Set(members.keys).isSubset(of: Self.reserved.union(["fields"])),
      let flow = members["flow"]?.string, let action = members["action"]?.string
    else { return nil }
    var fields: [FormFields.Field] = []
    if let given = members["fields"] {
      guard let given = given.object, given.count <= FormFields.limit else { return nil }
      for (name, value) in given.sorted(by: { $0.key < $1.key }) {
        guard let text = value.string else { return nil }
        fields.append(FormFields.Field(name: name, value: text))
      }
    }
    self.init(flow: flow, action: action, fields: fields)
  }
}

extension FlowSubmission: CustomStringConvertible, CustomReflectable {
  /// The call only; the fields may contain passwords.
  var description: String { FlowCall(rawValue: action)?.rawValue ?? "an unknown call" }
  var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
