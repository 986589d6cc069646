/// Why a check of `ostiary doctor` was left out or has failed, as the end of a sentence.
enum DoctorReason: CommandMessage, Equatable {
  case noProfile
  /// The first check on the way that has failed.
  case hasFailed(check: String)
  case noAnswer
  case serverSilent
  case fileMissing
  case fileUnreadable
  case noCertificateInFile
  case noAddress
  case nameWithoutAddress
  case tooSlow
  case broken

  var line: Line {
    switch self {
    case .noProfile: "there is no profile"
    case .hasFailed(let check): "the check of \(check) has failed"
    case .noAnswer: "there was no answer"
    case .serverSilent: "the server has not answered"
    case .fileMissing: "there is no such file"
    case .fileUnreadable: "it can't be read"
    case .noCertificateInFile: "it has no certificate that can be read"
    case .noAddress: "it has no address"
    case .nameWithoutAddress: "its name has no address"
    case .tooSlow: "no connection in time"
    case .broken: "the connection broke"
    }
  }

  static let isSentences = false
  static let examples: [DoctorReason] = [
    .noProfile, .hasFailed(check: "the profile"), .noAnswer, .serverSilent, .fileMissing, .fileUnreadable,
    .noCertificateInFile, .noAddress, .nameWithoutAddress, .tooSlow, .broken,
  ]
}
