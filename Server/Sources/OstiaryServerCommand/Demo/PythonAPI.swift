internal import Foundation
internal import OstiaryCore

/// An API that others wrote, in a process of its own: Django REST framework with Simple JWT, from PyPI. It keeps its users in memory.
final class PythonAPI: Sendable {
  /// Where it listens.
  let url: URL
  private let process: Locked<Process>

  /// The Python that has the product: the variable's, or `python3`.
  /// - Returns: nil where it has not.
  static func interpreter(_ variables: [String: String]) async -> String? {
    let name = name(variables)
    let process = process(name, ["-c", "import rest_framework_simplejwt"], variables)  // data: a program
    process.standardOutput = FileHandle.nullDevice
    return await ended(process) == 0 ? name : nil
  }

  /// The name of the Python that is looked at.
  static func name(_ variables: [String: String]) -> String {
    variables["OSTIARY_DEMO_PYTHON"].flatMap { $0.isEmpty ? nil : $0 } ?? "python3"
  }

  /// Starts it, with one user.
  /// - Throws: ``OstiaryError`` where it does not start.
  init(_ interpreter: String, user: String, password: Secret, _ variables: [String: String]) async throws {
    let own = ["OSTIARY_DEMO_USER": user, "OSTIARY_DEMO_PASSWORD": password.reveal()]
    let process = Self.process(interpreter, ["-c", Self.program], variables.merging(own) { $1 })
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    // A process that hangs ends, and with it the wait.
    let watchdog = Task {
      try await Task.sleep(for: .seconds(60))
      process.terminate()
    }
    let line = await Self.firstLine(output.fileHandleForReading)
    watchdog.cancel()
    guard let port = Int(line), let url = URL(string: "http://127.0.0.1:\(port)") else {
      process.terminate()
      throw DemoStory.Unexpected(APIStory.started)
    }
    self.url = url
    self.process = Locked(process)
  }

  /// Ends it.
  func stop() { process.withLock { $0.terminate() } }

  // MARK: Inside

  private static func process(_ name: String, _ arguments: [String], _ variables: [String: String]) -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [name] + arguments
    process.environment = variables
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return process
  }

  /// The status of a process that is run to its end.
  private static func ended(_ process: Process) async -> Int32 {
    await withCheckedContinuation { continuation in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch {
        process.terminationHandler = nil
        continuation.resume(returning: -1)
      }
    }
  }

  private static func firstLine(_ handle: FileHandle) async -> String {
    await withCheckedContinuation { continuation in
      // Reading blocks, so it has a thread of its own.
      Thread.detachNewThread {
        var data = Data()
        while !data.contains(UInt8(ascii: "\n")) {
          let piece = handle.availableData
          guard !piece.isEmpty else { break }
          data.append(piece)
        }
        let line = data.prefix { $0 != UInt8(ascii: "\n") }
        continuation.resume(returning: String(decoding: line, as: UTF8.self))
      }
    }
  }

  private static let program = #"""
    import os
    import django
    from django.conf import settings

    settings.configure(
        SECRET_KEY=os.urandom(32).hex(), ALLOWED_HOSTS=["127.0.0.1"], ROOT_URLCONF="__main__", USE_TZ=True,
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "rest_framework",
                        "rest_framework_simplejwt.token_blacklist"],
        REST_FRAMEWORK={"DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework_simplejwt.authentication.JWTAuthentication"],
                        "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"]},
        SIMPLE_JWT={"ROTATE_REFRESH_TOKENS": True, "BLACKLIST_AFTER_ROTATION": True})
    django.setup()

    from django.contrib.auth.models import User
    from django.core.handlers.wsgi import WSGIHandler
    from django.core.management import call_command
    from django.urls import path
    from rest_framework.decorators import api_view
    from rest_framework.response import Response
    from rest_framework_simplejwt import views
    from wsgiref import simple_server

    call_command("migrate", verbosity=0)
    User.objects.create_user(os.environ["OSTIARY_DEMO_USER"], password=os.environ["OSTIARY_DEMO_PASSWORD"])


    @api_view()
    def orders(request):
        return Response([request.user.username])


    urlpatterns = [
        path("api/token/", views.TokenObtainPairView.as_view()),
        path("api/token/refresh/", views.TokenRefreshView.as_view()),
        path("api/token/verify/", views.TokenVerifyView.as_view()),
        path("api/token/blacklist/", views.TokenBlacklistView.as_view()),
        path("orders", orders),
    ]


    class Quiet(simple_server.WSGIRequestHandler):
        def log_message(self, *arguments):
            pass


    server = simple_server.make_server("127.0.0.1", 0, WSGIHandler(), handler_class=Quiet)
    print(server.server_port, flush=True)
    server.serve_forever()
    """#  // data: a program
}
