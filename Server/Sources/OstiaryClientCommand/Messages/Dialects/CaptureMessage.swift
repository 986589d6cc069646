internal import OstiaryDialect

/// Why `ostiary dialect new` can't read a curl line or a HAR file.
struct CaptureMessage: CommandMessage {
  let problem: CaptureProblem

  var line: Line {
    switch problem {
    case .tooLarge(let limit): "What was captured is too large: more than \(limit) bytes or words."
    case .openQuote: "A quotation of the curl line has no end."
    case .notOneCommand: "The curl line is more than one command."
    case .expansion: "The curl line has a variable or a command in it, which only your shell knows."
    case .notCurl: "The line does not begin with curl."
    case .unknownOption(let option): "The option \(option) of curl is not known here."
    case .optionWithoutValue(let option): "The option \(option) of curl has no value."
    case .noAddress: "The curl line has no address."
    case .severalAddresses: "The curl line has several addresses."
    case .badAddress: "The address is none of http or https, or has a user name in it."
    case .badMethod: "The method of the call is none."
    case .badField: "A field of the call has no name."
    case .readsFile(let option): "The option \(option) of curl sends the content of a file, and no file is read here."
    case .multipart: "The call sends a form in parts (multipart/form-data), which a dialect can't describe."
    case .notHAR: "What was read is no HAR file."
    case .noLogin: "No call of the HAR file sends a password."
    }
  }

  var advice: String {
    switch problem {
    case .tooLarge, .notOneCommand, .severalAddresses: "Keep the call that signs in, and leave the others out."
    case .openQuote: "Copy the whole line; one that goes on ends with a backslash."
    case .expansion: "Write the value into the line: it is not kept."
    case .notCurl: "Copy the call as a line of curl (POSIX or bash), or write --har for a HAR file."
    case .unknownOption: "Leave it out, if the server does not need it."
    case .optionWithoutValue: "Write its value."
    case .noAddress, .badAddress: "Write one such as https://api.host/login."
    case .badMethod, .badField: "Check the line."
    case .readsFile: "Write the content into the line: it is not kept."
    case .multipart: "Ask for JSON or for a form with -d, if the server takes one."
    case .notHAR: "Save it with “Save all as HAR” in the network view of a browser's tools."
    case .noLogin: "Record it while you sign in, or name the member with --password-field."
    }
  }

  static let examples: [CaptureMessage] = [
    .tooLarge(limit: 1024), .openQuote, .notOneCommand, .expansion, .notCurl, .unknownOption("--fancy"),
    .optionWithoutValue("-H"), .noAddress, .severalAddresses, .badAddress, .badMethod, .badField,
    .readsFile(option: "--data"), .multipart, .notHAR, .noLogin,
  ].map { CaptureMessage(problem: $0) }
}
