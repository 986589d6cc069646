import TestSupport

try await Worker.run()
