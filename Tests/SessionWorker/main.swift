import ProcessTestSupport

try await Worker.run()
