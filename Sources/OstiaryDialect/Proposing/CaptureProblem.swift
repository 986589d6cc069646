/// Why a `curl` line or a HAR file can't be read as a login call. It holds no value of the call.
package enum CaptureProblem: Error, Sendable, Hashable {
  case tooLarge(limit: Int)
  /// A quotation without its end.
  case openQuote
  /// Several commands, a pipe, or a redirection.
  case notOneCommand
  /// A variable or the output of another command, which only the shell knows.
  case expansion
  case notCurl
  /// An option whose meaning is not known.
  case unknownOption(String)
  case optionWithoutValue(String)
  case noAddress
  case severalAddresses
  case badAddress
  case badMethod
  case badField
  /// The call sends the content of a file.
  case readsFile(option: String)
  /// The call sends a form in parts (`multipart/form-data`), which a dialect can't describe.
  case multipart
  case notHAR
  /// No call of the HAR file sends a password.
  case noLogin
}
