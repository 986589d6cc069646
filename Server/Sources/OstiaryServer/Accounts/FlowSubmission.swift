import Foundation
import OstiaryCore

/// A client's submission: the flow, the call, the fields, and the turn of the form.
struct FlowSubmission: Sendable {
  let flow: String
  let action: String
  let fields: [FormFields.Field]
  /// The flow's turn when the form was drawn. Without one nothing is recognised as a repeat: a program need not send it.
  let turn: Int?

  /// The names that are not those of fields.
  private static let reserved: Set<String> = ["flow", "action", "turn"]

  init(flow: String, action: String, fields: [FormFields.Field], turn: Int? = nil) {
    self.flow = flow
    self.action = action
    self.fields = fields
    self.turn = turn
  }

  /// The submission of a page's form.
  init(form: FormFields) {
    self.init(
      flow: form.first("flow") ?? "", action: form.first("action") ?? "",
      fields: form.all.filter { !Self.reserved.contains($0.name) }, turn: form.first("turn").flatMap { Int($0) })
  }

  /// The submission of a program: `{"flow": "…", "action": "…", "fields": {"name": "value"}, "turn": 0}`, the last two if
  /// it has them, with no other member; nil for anything else.
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
    var turn: Int?
    if let given = members["turn"] {
      guard case .integer(let number) = given, let exact = Int(exactly: number), exact >= 0 else { return nil }
      turn = exact
    }
    self.init(flow: flow, action: action, fields: fields, turn: turn)
  }
}

extension FlowSubmission: CustomStringConvertible, CustomReflectable {
  /// The call only; the fields may contain passwords.
  var description: String { FlowCall(rawValue: action)?.rawValue ?? "an unknown call" }
  var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
