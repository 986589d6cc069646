#if AsyncHTTPClient
  import NIOCore
  import NIOPosix
  import NIOSSL

  /// A TLS server that answers every connection with the same bytes. Its certificate is for localhost alone, signed
  /// by an authority that no client trusts; both are good for a hundred years and for nothing but this test.
  struct TLSTestServer {
    let port: Int
    private let channel: any Channel

    init(answering response: String = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") async throws {
      try await self.init(speaking: nil) { Answer(response) }
    }

    /// A server that answers as a handler does.
    /// - Parameter name: The application protocol, in the words of ALPN.
    init(
      speaking name: String?, handler: @escaping @Sendable () -> any ChannelInboundHandler
    ) async throws {
      let certificate = try NIOSSLCertificate.fromPEMBytes(Array(Self.certificate.utf8))
      let key = try NIOSSLPrivateKey(bytes: Array(Self.key.utf8), format: .pem)
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: certificate.map { .certificate($0) }, privateKey: .privateKey(key))
      configuration.applicationProtocols = name.map { [$0] } ?? []
      let context = try NIOSSLContext(configuration: configuration)
      channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
            try channel.pipeline.syncOperations.addHandler(handler())
          }
        }
        .bind(host: "127.0.0.1", port: 0).get()
      port = channel.localAddress?.port ?? 0
    }

    func stop() async throws {
      try await channel.close()
    }

    private final class Answer: ChannelInboundHandler {
      typealias InboundIn = ByteBuffer
      typealias OutboundOut = ByteBuffer
      private let response: String

      init(_ response: String) { self.response = response }

      func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: response)), promise: nil)
      }

      func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
      }
    }

    static let authority = """
      -----BEGIN CERTIFICATE-----
      MIIBdDCCARugAwIBAgIBATAKBggqhkjOPQQDAjAhMR8wHQYDVQQDDBZPc3RpYXJ5
      IHRlc3QgYXV0aG9yaXR5MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAw
      WjAhMR8wHQYDVQQDDBZPc3RpYXJ5IHRlc3QgYXV0aG9yaXR5MFkwEwYHKoZIzj0C
      AQYIKoZIzj0DAQcDQgAE8QaQ5MuNsDhc1I5Zxk3ffQLwQd6tcgsh6KixQjsLdg/R
      PQBUUELAb5wGf7qlzyg6fYnvhq+MDqoXowcV64I3eaNCMEAwDwYDVR0TAQH/BAUw
      AwEB/zAOBgNVHQ8BAf8EBAMCAgQwHQYDVR0OBBYEFBVH7/JVz6x9DGKldioJEhLx
      oi/fMAoGCCqGSM49BAMCA0cAMEQCIDKUzrf00t55pnWViOO+P2iZWlh8cvXLrqoj
      MnTtRdEAAiAqKlhV6/w24bQswUf9ftDUGoUTBzX9WTlRhtK5Q+7Tig==
      -----END CERTIFICATE-----
      """

    private static let certificate = """
      -----BEGIN CERTIFICATE-----
      MIIBnTCCAUSgAwIBAgIBAjAKBggqhkjOPQQDAjAhMR8wHQYDVQQDDBZPc3RpYXJ5
      IHRlc3QgYXV0aG9yaXR5MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAw
      WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
      AARK40IXr1ERL7IGBXuiI+cZ5+NF5bp0/m2I30U6t/Ee7UpYen31AFnAOO9zBgFV
      5FhByi5jVmIkyCepZIxGVX+Ao3gwdjAJBgNVHRMEAjAAMBMGA1UdJQQMMAoGCCsG
      AQUFBwMBMBQGA1UdEQQNMAuCCWxvY2FsaG9zdDAdBgNVHQ4EFgQUcWCys+0OpruU
      DcaDjnhV75frXfkwHwYDVR0jBBgwFoAUFUfv8lXPrH0MYqV2KgkSEvGiL98wCgYI
      KoZIzj0EAwIDRwAwRAIgfOUSclst8pB+5q9o5Ihq9PgOu8uPWz9Nxq46Z3oRvHwC
      IBiXgopJICtodZ93GA8DmPiC7peS9C3mW8raTPI3lIfw
      -----END CERTIFICATE-----
      """

    private static let key = """
      -----BEGIN PRIVATE KEY-----
      MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgvmFDmM+Po54F8rV2
      SRl2EkhDvCL690fwcWCoEEGphL2hRANCAARK40IXr1ERL7IGBXuiI+cZ5+NF5bp0
      /m2I30U6t/Ee7UpYen31AFnAOO9zBgFV5FhByi5jVmIkyCepZIxGVX+A
      -----END PRIVATE KEY-----
      """
  }
#endif
