package import Foundation

/// The file `mfpclient.plist`, in which the vendor's tools put the server's address.
package struct ClientPropertyList {
  /// The address that the file names.
  package let serverURL: URL?

  /// Reads the content of a file; `nil` when it is no property list of that kind.
  package init?(_ data: Data) {
    guard let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any],
      let host = list["host"] as? String, !host.isEmpty
    else { return nil }
    var components = URLComponents()
    components.scheme = (list["protocol"] as? String)?.lowercased() ?? "http"
    components.host = host
    components.port = (list["port"] as? String).flatMap { Int($0) } ?? list["port"] as? Int
    var context = list["wlServerContext"] as? String ?? "/mfp/"
    if !context.hasPrefix("/") { context = "/" + context }
    components.path = context
    serverURL = components.url
  }

  /// The app's own file.
  static var main: ClientPropertyList? {
    guard let file = Bundle.main.url(forResource: "mfpclient", withExtension: "plist"),
      let data = try? Data(contentsOf: file)
    else { return nil }
    return ClientPropertyList(data)
  }
}
