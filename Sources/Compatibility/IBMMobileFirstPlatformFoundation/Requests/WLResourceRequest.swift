// The vendor's headers say nothing about nil, and Swift has imported them so.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Foundation
internal import HTTPTypes
internal import Ostiary

/// A request for a resource of the server, or of another one.
///
/// A drop-in for the class of this name in IBM's MobileFirst SDK 8.0. When a registered ``GatewayChallengeHandler``
/// says that the response is a challenge, the request waits until the challenge has been answered and is then sent
/// again, with any method, as the vendor documents; after several challenges in a row it fails. An object is not meant
/// to be used by several threads at once. Scopes are kept but have no effect, as there is no token service.
open class WLResourceRequest: NSObject, CustomReflectable {
  /// The address: absolute, or relative to the server's `api/`.
  public private(set) var url: URL!
  /// The method.
  public private(set) var httpMethod: String!
  /// The scope that the resource demands. Without effect.
  public private(set) var scope: String!
  /// What is added to the address's query. Names and values are escaped.
  public var queryParameters: [AnyHashable: Any]! = [:]
  /// How long the request may take, in seconds, the wait for a challenge's answer not included; with 0 and less as long
  /// as ``WLClient/defaultRequestTimeoutInterval`` says.
  public var timeoutInterval: TimeInterval
  /// The encoding of a text that is sent; UTF-8 at first.
  public var stringEncoding: UInt = String.Encoding.utf8.rawValue

  private let client: WLClient
  private var fields: [RequestDraft.FieldChoice] = []

  /// Makes a request.
  public convenience init!(url: URL!, method: String!) {
    self.init(url: url, method: method, timeout: 0, scope: nil, client: .shared)
  }

  /// Makes a request for a resource that demands a scope.
  public convenience init!(url: URL!, method: String!, scope: String!) {
    self.init(url: url, method: method, timeout: 0, scope: scope, client: .shared)
  }

  /// Makes a request.
  /// - Parameter timeout: in seconds; 0 and less mean the client's default.
  public convenience init!(url: URL!, method: String!, timeout: TimeInterval) {
    self.init(url: url, method: method, timeout: timeout, scope: nil, client: .shared)
  }

  /// Makes a request for a resource that demands a scope.
  /// - Parameter timeout: in seconds; 0 and less mean the client's default.
  public convenience init!(url: URL!, method: String!, timeout: TimeInterval, scope: String!) {
    self.init(url: url, method: method, timeout: timeout, scope: scope, client: .shared)
  }

  package init(url: URL?, method: String?, timeout: TimeInterval = 0, scope: String? = nil, client: WLClient) {
    self.url = url
    httpMethod = method ?? "GET"
    timeoutInterval = timeout
    self.scope = scope
    self.client = client
    super.init()
  }

  // MARK: Query

  /// Adds a query parameter, in place of one of the same name.
  public func setQueryParameterValue(_ parameterValue: String!, forName parameterName: String!) {
    guard let parameterName else { return }
    queryParameters = queryParameters ?? [:]
    queryParameters[parameterName] = parameterValue
  }

  /// The query parameters as they are sent.
  public func getQueryString() -> String! { FormParameters(queryParameters).query }

  // MARK: Fields

  /// The fields: one dictionary each, from its name to its value. What is set may also have several fields in a dictionary, or texts
  /// of the form `Name: value`; what is neither is left out. (The vendor has not published what the elements are.)
  public var headers: [Any]! {
    get { fields.map { [$0.name: $0.value] } }
    set {
      fields = []
      for element in newValue ?? [] {
        if let dictionary = element as? [AnyHashable: Any] {
          for field in FormParameters(dictionary).pairs { addHeader(field.value, field.name) }
        } else if let text = element as? String, let colon = text.firstIndex(of: ":") {
          let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
          addHeader(value, text[..<colon].trimmingCharacters(in: .whitespaces))
        }
      }
    }
  }

  /// The names of the fields, each once.
  public func headerNames() -> [Any]! {
    var names: [String] = []
    for field in fields where !names.contains(where: { $0.lowercased() == field.name.lowercased() }) {
      names.append(field.name)
    }
    return names
  }

  /// The values of a field; those that commas separate are apart.
  public func headers(forName name: String!) -> [Any]! {
    header(forName: name)?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } ?? []
  }

  /// The value of a field; `nil` when there is none. The case of the name does not matter.
  public func header(forName name: String!) -> String! { index(of: name).map { fields[$0].value } }

  /// Sets a field, in place of one of the same name.
  public func setHeaderValue(_ value: NSObject!, forName name: String!) {
    setHeader(value, name)
  }

  /// Sets a field, in place of one of the same name.
  @_disfavoredOverload
  public func setHeaderValue(_ value: String!, forName name: String!) {
    setHeader(value, name)
  }

  /// Adds a value to a field, behind a comma where there is one already.
  public func addHeaderValue(_ value: NSObject!, forName name: String!) {
    addHeader(value, name)
  }

  /// Adds a value to a field, behind a comma where there is one already.
  @_disfavoredOverload
  public func addHeaderValue(_ value: String!, forName name: String!) {
    addHeader(value, name)
  }

  /// Removes a field.
  public func removeHeaders(forName name: String!) {
    if let index = index(of: name) { fields.remove(at: index) }
  }

  private func setHeader(_ value: Any?, _ name: String?) {
    guard let value, let name else { return }
    removeHeaders(forName: name)
    fields.append(RequestDraft.FieldChoice(name: name, value: FormParameters.text(value)))
  }

  private func addHeader(_ value: Any?, _ name: String?) {
    guard let value, let name else { return }
    guard let index = index(of: name) else { return setHeader(value, name) }
    fields[index].value += ", \(FormParameters.text(value))"
  }

  private func index(of name: String?) -> Int? {
    fields.firstIndex { $0.name.lowercased() == name?.lowercased() }
  }

  // MARK: Sending

  /// Sends the request and hands the outcome over.
  func send(_ content: RequestContent, then completion: @escaping @Sendable (Outcome) async -> Void) {
    client.fetch(try draft(content), completion: completion)
  }

  private func draft(_ content: RequestContent) throws -> RequestDraft {
    guard let url, ["http", "https", nil].contains(url.scheme?.lowercased()),
      let method = HTTPRequest.Method(httpMethod.uppercased())
    else {
      throw OstiaryError(
        .invalidRequest, "The request has no address of http or https, or a method that HTTP does not know.",
        requestMayHaveExecuted: false)
    }
    let seconds = timeoutInterval > 0 ? timeoutInterval : client.defaultRequestTimeoutInterval
    var draft = RequestDraft(
      method: method, address: url.scheme == nil ? url.relativeString : url.absoluteString,
      query: getQueryString(), fields: fields,
      timeout: seconds > 0 ? .seconds(min(seconds, 86_400)) : TransportRequest.defaultTimeout)
    // Other methods are sent without a body, as the vendor documents.
    if method == .post || method == .put {
      draft.body = try content.body(encoding: String.Encoding(rawValue: stringEncoding))
      draft.contentType = content.contentType(encoding: String.Encoding(rawValue: stringEncoding))
    }
    return draft
  }

  /// Method and host. Query, fields and body may hold passwords and tokens and are not shown.
  open override var description: String { "\(type(of: self))(\(httpMethod ?? "?") \(url?.host() ?? "the server"))" }
  open override var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["request": description], displayStyle: .class) }
}

/// The method `GET`.
public let WLHttpMethodGet: String = "GET"
/// The method `POST`.
public let WLHttpMethodPost: String = "POST"
/// The method `PUT`.
public let WLHttpMethodPut: String = "PUT"
/// The method `DELETE`.
public let WLHttpMethodDelete: String = "DELETE"
