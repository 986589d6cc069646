internal import Foundation
internal import HTTPTypes
internal import Ostiary

/// A login form as `submitLoginForm` describes it.
struct LoginForm: Sendable {
  private let address: String
  private let parameters: FormParameters
  private let fields: [RequestDraft.FieldChoice]
  private let milliseconds: Int32
  private let isPost: Bool

  init(
    address: String?, parameters: [AnyHashable: Any]?, fields: [AnyHashable: Any]?, milliseconds: Int32, method: String?
  ) {
    self.address = address ?? ""
    self.parameters = FormParameters(parameters)
    self.fields = FormParameters(fields).pairs.map { RequestDraft.FieldChoice(name: $0.name, value: $0.value) }
    self.milliseconds = milliseconds
    isPost = method?.uppercased() != "GET"
  }

  /// The request that submits it.
  /// - Parameter timeout: how long it may take when the app said nothing of use.
  func draft(_ timeout: Duration) -> RequestDraft {
    var draft = RequestDraft(
      method: isPost ? .post : .get, address: address, fields: fields,
      timeout: milliseconds > 0 ? .milliseconds(milliseconds) : timeout)
    if isPost {
      draft.body = Data(parameters.encoded.utf8)
      draft.contentType = "\(FormEncoding.mediaType); charset=UTF-8"
    } else {
      draft.query = parameters.encoded
    }
    return draft
  }
}
