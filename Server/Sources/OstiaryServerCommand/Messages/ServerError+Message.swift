package import OstiaryClientCommand
package import OstiaryServer

extension ServerError {
  /// An error that the command has found itself.
  package init(_ code: Code, _ message: some CommandMessage) {
    self.init(code, message.line.plain, advice: message.advice)
  }
}
