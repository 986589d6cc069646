/// Where a template is filled, which decides how its values are escaped and which are refused.
package enum TemplatePlace: Sendable, Hashable {
  /// A path. A value is one segment, or a part of one.
  case path
  /// The name or value of a query's item.
  case query
  /// A field of the request.
  case header
  /// A text of a JSON body.
  case json
  /// A value of a form.
  case form
  /// User name or password of the scheme `Basic`.
  case basic
  /// The value of a cookie.
  case cookie
  /// A text that is not sent, such as an attribute.
  case text

  /// Whether a password or a code may stand there: in a body or in Basic, never where it would be logged.
  var admitsPassword: Bool {
    switch self {
    case .json, .form, .basic: true
    case .path, .query, .header, .cookie, .text: false
    }
  }

  /// The place for a person.
  var name: String {
    switch self {
    case .path: "a path"
    case .query: "a query"
    case .header: "a field of the request"
    case .json: "a JSON body"
    case .form: "a form"
    case .basic: "Basic credentials"
    case .cookie: "a cookie"
    case .text: "a text"
    }
  }
}
