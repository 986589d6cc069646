/// An issue, and the field that it is about, if it is about one.
struct FlowProblem: Hashable, Sendable {
  let field: String?
  let issue: FlowIssue

  init(_ field: String? = nil, _ code: FlowIssue.Code, _ parameters: [String: Int] = [:]) {
    self.field = field
    issue = FlowIssue(code, parameters)
  }
}
