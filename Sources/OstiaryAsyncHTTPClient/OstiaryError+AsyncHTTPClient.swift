#if AsyncHTTPClient
  internal import AsyncHTTPClient
  internal import HTTPTypes
  internal import NIOCore
  internal import NIOHTTP1
  internal import NIOPosix
  internal import NIOSSL
  internal import OstiaryCore

  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #endif

  extension OstiaryError {
    static func malformed(_ request: HTTPRequest, underlying: (any Error)? = nil) -> OstiaryError {
      OstiaryError(
        .malformedResponse, "The server's response is not HTTP.", request: request, underlying: underlying)
    }

    static func timedOut(_ request: HTTPRequest, sent: Bool = true) -> OstiaryError {
      OstiaryError(
        .timedOut, sent ? "The server did not answer in time." : "The connection could not be made in time.",
        request: request, requestMayHaveExecuted: sent)
    }

    /// What an error of AsyncHTTPClient or the libraries below it means.
    ///
    /// Where it doesn't prove that the request stayed here, the request counts as possibly executed.
    /// - Parameter sent: whether the response's head has arrived.
    static func describing(_ error: any Error, of request: HTTPRequest, sent: Bool = false) -> any Error {
      if error is CancellationError || Task.isCancelled { return CancellationError() }
      func failure(_ code: Code, _ message: String, sent: Bool) -> OstiaryError {
        OstiaryError(code, message, request: request, requestMayHaveExecuted: sent, underlying: error)
      }
      switch error {
      case is OstiaryError:
        return error
      case let error as HTTPClientError:
        return describing(error, of: request)
      case let error as NIOConnectionError:
        if error.connectionErrors.isEmpty, error.dnsAError ?? error.dnsAAAAError != nil {
          return failure(.hostNotFound, "The host's name has no address.", sent: false)
        }
        return failure(.cannotConnect, "The server can't be reached.", sent: false)
      case ChannelError.connectTimeout:
        return timedOut(request, sent: false)
      case let error as IOError where error.errnoCode == ECONNREFUSED:
        return failure(.cannotConnect, "The server refuses connections.", sent: false)
      case NIOSSLError.handshakeFailed, NIOSSLError.unableToValidateCertificate, is NIOSSLExtraError:
        return failure(.tlsFailed, "No trusted connection to the server could be made.", sent: sent)
      case HTTPParserError.invalidEOFState, HTTPParserError.closedConnection:
        return failure(
          .connectionLost, "The server closed the connection before its response was complete.", sent: true)
      case is HTTPParserError, is InvalidStatusError:
        return malformed(request, underlying: error)
      default:
        return failure(.connectionLost, "The connection to the server broke.", sent: true)
      }
    }

    private static func describing(_ error: HTTPClientError, of request: HTTPRequest) -> OstiaryError {
      switch error {
      case .deadlineExceeded, .readTimeout, .writeTimeout: return timedOut(request)
      case .connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout: return timedOut(request, sent: false)
      case .alreadyShutdown: return request.unsendable("The transport has been closed.")
      case .invalidURL, .emptyHost, .emptyScheme:
        return request.unsendable("The request's address is not a usable URL.")
      case .traceRequestWithBody: return request.unsendable("A TRACE request can't have a body.")
      case .cancelled:
        return OstiaryError(.connectionLost, "The transport was closed during the request.", request: request)
      default:
        return OstiaryError(
          .connectionLost, "The server closed the connection before its response was complete.", request: request,
          underlying: error)
      }
    }
  }
#endif
