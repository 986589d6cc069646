internal import Foundation
internal import HTTPTypes
internal import Ostiary
#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Tells a delegate of URLSession's what came of a request, as URLSession would.
struct DelegateListener: Sendable {
  let delegate: any URLSessionDataDelegate
  let session: URLSession
  let task: URLSessionDataTask

  /// Makes a listener for a request. The session and task are there to tell requests apart and never run.
  init(_ delegate: any URLSessionDataDelegate, address: URL?, method: String?) {
    self.delegate = delegate
    session = URLSession(configuration: .ephemeral)
    var request = URLRequest(url: address ?? URL(fileURLWithPath: "/"))
    request.httpMethod = method
    task = session.dataTask(with: request)
  }

  /// Tells it all.
  func tell(_ outcome: Outcome) {
    switch outcome {
    case .failure: end(outcome.forCompletion.error)
    case .success(let response), .refusal(let response, _):
      guard let url = response.url,
        let head = HTTPURLResponse(
          url: url, statusCode: response.status.code, httpVersion: "HTTP/1.1", headerFields: response.joinedFields)
      else { return end(nil) }
      let hasAnswered = Locked(false)
      begin(head) { isWanted in
        let isFirst = hasAnswered.withLock { answered in
          defer { answered = true }
          return !answered
        }
        // The app's code may answer twice; only the first answer counts.
        guard isFirst else { return }
        guard isWanted else { return end(URLError(.cancelled)) }
        if !response.body.isEmpty { receive(response.body) }
        end(nil)
      }
    }
  }
}
