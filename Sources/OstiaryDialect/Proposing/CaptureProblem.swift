/// Why a `curl` line or a HAR file can't be read as a login call. It holds no value of the call.
public enum CaptureProblem: Error, Sendable, Hashable {
  /// It is larger than is read: bytes, or words of a line.
  case tooLarge(limit: Int)
  /// A quotation without its end.
  case openQuote
  /// Several commands, a pipe, or a redirection.
  case notOneCommand
  /// A variable or the output of another command, which only the shell knows.
  case expansion
  /// The line does not begin with `curl`.
  case notCurl
  /// An option whose meaning is not known.
  case unknownOption(String)
  /// An option that needs a value has none.
  case optionWithoutValue(String)
  /// The line names no address.
  case noAddress
  /// The line names several addresses.
  case severalAddresses
  /// The address is none of HTTP, or has a user name.
  case badAddress
  /// The method is none.
  case badMethod
  /// A field has no name.
  case badField
  /// The call sends the content of a file.
  case readsFile(option: String)
  /// The call sends a form in parts (`multipart/form-data`), which a dialect can't describe.
  case multipart
  /// The file is no HTTP Archive.
  case notHAR
  /// No call of the HAR file sends a password.
  case noLogin
}
