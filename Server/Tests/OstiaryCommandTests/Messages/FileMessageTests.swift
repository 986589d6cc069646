import OstiaryCore
import Testing

@testable import OstiaryClientCommand

/// The texts of the commands that send files.
@Suite("Messages about files")
struct FileMessageTests {
  @Test("Bug-D11: an error of a body or of a file says what to type or do next")
  func advice() {
    let unanswered: [any CommandMessage] = RequestMessage.examples.filter {
      switch $0 {
      case .withoutSession, .receiving, .received, .answeredWithError: false
      default: true
      }
    }
    for message in unanswered {
      #expect(!message.advice.isEmpty, "\(message.line.plain)")
    }
    let error = OstiaryError(.bodySpent, RequestMessage.spent("standard input"))
    #expect(FailureReport(error).line.plain.contains("--data @FILE"))
  }
}
