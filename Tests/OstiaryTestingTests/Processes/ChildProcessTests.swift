#if os(macOS) || os(Linux)
  import Foundation
  import OstiaryTesting
  import TestSupport
  import Testing

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  @Suite("Child processes", .timeLimit(.minutes(20)))
  struct ChildProcessTests {
    private let shell = URL(filePath: "/bin/sh")

    @Test("What a program reads, writes and ends with")
    func run() async throws {
      let result = try await ChildProcess.run(
        shell, ["-c", "read line; echo \"got $line\"; echo \"$NAME in $PWD\" >&2; exit 3"],
        environment: ["NAME": "ann"], directory: URL(filePath: "/"), input: "words\n")
      #expect(result == .init(status: 3, output: "got words\n", error: "ann in /\n"))
    }

    @Test("A program ended by a signal has 128 and its number, as shells say it")
    func signalled() async throws {
      #expect(try await ChildProcess.run(shell, ["-c", "kill -9 $$"]).status == 137)
      let sleeper = try ChildProcess(shell, ["-c", "exec sleep 1000"])
      #expect(sleeper.isRunning)
      sleeper.terminate()
      #expect(await sleeper.status() == 143)
      #expect(!sleeper.isRunning)
      // Its number may be another process's by now.
      sleeper.kill()
      #expect(await sleeper.status() == 143)
    }

    @Test("Signals that this thread holds back and those this process ignores reach the program")
    func signals() async throws {
      let process = try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
          var all = sigset_t()
          sigfillset(&all)
          pthread_sigmask(SIG_SETMASK, &all, nil)
          continuation.resume(with: Result { try ChildProcess(shell, ["-c", "exec sleep 1000"]) })
        }
      }
      process.terminate()
      #expect(await process.status() == 143)
      // SIGPIPE is ignored by programs that speak to sockets; `yes` would go on for ever.
      let pipeline = try await ChildProcess.run(shell, ["-c", "yes | head -n 1"])
      #expect(pipeline.output == "y\n")
    }

    #if os(Linux)
      @Test("A program gets no descriptor but its three")
      func descriptors() async throws {
        let ours = try FileHandle(forReadingFrom: URL(filePath: "/etc/passwd"))
        defer { try? ours.close() }
        // Far above those that the shell opens itself.
        let copy = fcntl(ours.fileDescriptor, F_DUPFD, 500)
        defer { close(copy) }
        let listing = try await ChildProcess.run(shell, ["-c", "for f in /proc/$$/fd/*; do echo ${f##*/}; done"])
        let open = listing.output.split(separator: "\n").map(String.init)
        #expect(copy >= 500 && open.contains("1") && !open.contains("\(copy)"))
      }
    #endif

    @Test("Pipes carry words both ways while the program runs")
    func pipes() async throws {
      let cat = try #require(ChildProcess.find("cat"))
      let process = try ChildProcess(cat, input: .pipe, output: .pipe)
      try process.input?.write(contentsOf: Data("hello".utf8))
      let output = try #require(process.output)
      let heard = await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: output.availableData) }
      }
      #expect(heard == Data("hello".utf8))
      try process.input?.close()
      #expect(await process.status() == 0)
    }

    @Test("What a program leaves running keeps nobody waiting")
    func leftBehind() async throws {
      let result = try await ChildProcess.run(shell, ["-c", "sleep 1000 & echo $!"])
      let left = try #require(pid_t(result.output.trimmingCharacters(in: .whitespacesAndNewlines)))
      #expect(kill(left, SIGKILL) == 0)
    }

    @Test("Cancelling ends the program")
    func cancelling() async throws {
      let task = Task { try await ChildProcess.run(shell, ["-c", "exec sleep 1000"]) }
      task.cancel()
      #expect(try await task.value.status == 137)
    }

    @Test("A program that isn't there is an error, and a search finds those that are")
    func missing() async throws {
      #expect(throws: POSIXError(.ENOENT)) { try ChildProcess(URL(filePath: "/there/is/none")) }
      #expect(throws: POSIXError(.ENOENT)) { try ChildProcess(shell, input: .file(URL(filePath: "/there/is/none"))) }
      #expect(ChildProcess.find("a-program-that-nobody-has") == nil)
      #expect(ChildProcess.find("sh", alsoIn: ["/bin"])?.path(percentEncoded: false) == "/bin/sh")
    }

    @Test("Being stopped is heard, and is no end")
    func stopping() async throws {
      let (stops, continuation) = AsyncStream<Int32>.makeStream()
      let process = try ChildProcess(shell, ["-c", "exec sleep 1000"], onStop: { continuation.yield($0) })
      process.signal(SIGSTOP)
      var iterator = stops.makeAsyncIterator()
      #expect(await iterator.next() == process.identifier)
      #expect(process.isRunning)
      process.signal(SIGCONT)
      process.signal(SIGSTOP)
      #expect(await iterator.next() == process.identifier)
      process.kill()
      #expect(await process.status() == 137)
    }

    @Test("Many at once, started by many threads")
    func many() async throws {
      let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
        for number in 0..<64 {
          group.addTask { try await ChildProcess.run(shell, ["-c", "exit \(number)"]).status }
        }
        return try await group.reduce(into: []) { $0.append($1) }.sorted()
      }
      #expect(statuses == Array(0..<64))
    }

    @Test("Scripts and copies that a test writes run at once, whatever else is being started")
    func programs() async throws {
      let folder = try TemporaryFolder()
      let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
        for number in 0..<32 {
          let (script, copy) = (folder.file("script-\(number)"), folder.file("copy-\(number)"))
          group.addTask {
            try await ChildProcess.writeScript("#!/bin/sh\nexit \(number)\n", to: script)
            return try await ChildProcess.run(script).status
          }
          group.addTask {
            try await ChildProcess.copyProgram(shell, to: copy)
            return try await ChildProcess.run(copy, ["-c", "exit \(number)"]).status
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }.sorted()
      }
      #expect(statuses == (0..<64).map { $0 / 2 })
      let nowhere = folder.file("none/script")
      await #expect(throws: ChildProcess.NotMade.self) { try await ChildProcess.writeScript("", to: nowhere) }
    }
  }
#endif
