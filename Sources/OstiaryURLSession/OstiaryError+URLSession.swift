internal import HTTPTypes
internal import OstiaryCore

#if canImport(FoundationNetworking)
  internal import Foundation
  internal import FoundationNetworking
#else
  internal import Foundation
#endif

extension OstiaryError {
  static func malformed(_ request: HTTPRequest) -> OstiaryError {
    OstiaryError(.malformedResponse, "The server's response is not HTTP.", request: request)
  }

  static func timedOut(_ request: HTTPRequest) -> OstiaryError {
    OstiaryError(.timedOut, "The server did not answer in time.", request: request)
  }

  /// What an error of URLSession means. Where it doesn't prove that the request stayed here, the request counts as
  /// possibly executed.
  ///
  /// The error itself is not kept: its description has the whole address in it.
  static func describing(_ error: any Error, of request: HTTPRequest, headArrived: Bool = false) -> any Error {
    if error is CancellationError || Task.isCancelled { return CancellationError() }
    guard let code = (error as? URLError)?.code else {
      return error is OstiaryError
        ? error : OstiaryError(.connectionLost, "The connection to the server broke.", request: request)
    }
    func failure(_ name: Code, _ message: String, sent: Bool = true) -> OstiaryError {
      OstiaryError(name, message, request: request, requestMayHaveExecuted: sent || headArrived)
    }
    return switch code {
    case .cannotFindHost, .dnsLookupFailed:
      failure(.hostNotFound, "The host's name has no address.", sent: false)
    case .cannotConnectToHost:
      failure(.cannotConnect, "The server refuses connections.", sent: false)
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
      .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
      failure(.tlsFailed, "No trusted connection to the server could be made.", sent: false)
    case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
      failure(.connectionLost, "There is no connection to the network.")
    case .timedOut:
      timedOut(request)
    case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData:
      malformed(request)
    case .badURL, .unsupportedURL:
      request.unsendable("The request's address is not a usable URL.")
    default:
      failure(.connectionLost, "The connection to the server broke.")
    }
  }
}
