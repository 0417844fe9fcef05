#if os(Linux)
  import Foundation
  import Martlet
  import MartletHTTP
  import MartletHTTPServer
  import MartletTesting
  import MartletTools
  import Testing

  @Suite(.timeLimit(.minutes(5))) struct `A tool catalogue on a server` {
    static let sound = #"{"version": 1, "tools": [{"name": "calculator", "description": "Sums."}]}"#
    let transport = CurlTransport(.init(proxy: .none))
    let folder =
      FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path + "/martlet-" + UUID().uuidString

    private var copy: String { folder + "/deep/catalogue.json" }

    private static func route(_ path: String, status: Int = 200, _ body: String) -> HTTPRoute {
      HTTPRoute(.get, path) { _ in HTTPResponse(status: status, body: HTTPBody(Array(body.utf8))) }
    }

    private func remote(_ url: String, timeout: Duration = .seconds(20)) -> RemoteToolCatalogue {
      RemoteToolCatalogue(url: url, copy: copy, transport: transport, timeout: timeout)
    }

    @Test func `is fetched and kept, for the user alone`() async throws {
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let routes = [Self.route("/tools", Self.sound)]
      try await HTTPServer.withServer(routes: routes) { server in
        let fetched = try await remote(server.url + "/tools?token=secret").fetch()
        #expect(fetched.warning == nil)
        #expect(fetched.catalogue.entries.map(\.name) == ["calculator"])
      }
      #expect(FileManager.default.contents(atPath: copy) == Data(Self.sound.utf8))
      let attributes = try FileManager.default.attributesOfItem(atPath: copy)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func `the last good copy holds when the server fails, sends nonsense or is gone`() async throws {
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let gate = Gate()
      let routes = [
        Self.route("/good", Self.sound), Self.route("/error", status: 500, Self.sound), Self.route("/text", "<html>"),
        Self.route("/twice", #"{"version": 1, "version": 1, "tools": []}"#), Self.route("/newer", #"{"version": 9}"#),
        Self.route("/long", String(repeating: " ", count: RemoteToolCatalogue.limit + 1)),
        HTTPRoute(.get, "/slow") { _ in
          try await gate.waitUnlessCancelled()
          return HTTPResponse(status: 200)
        },
      ]
      let url = try await HTTPServer.withServer(routes: routes) { server in
        for path in ["/error", "/text"] {
          let fetched = try await remote(server.url + path).fetch()
          #expect(fetched.catalogue.entries.isEmpty)
          #expect(fetched.warning?.hasSuffix("the tools stay as they are") == true)
        }
        _ = try await remote(server.url + "/good").fetch()
        for (path, reason) in [
          ("/error", "status 500"), ("/text", "cannot stand here"), ("/twice", "appears twice"),
          ("/newer", "version: only 1"),
          ("/long", "larger than"),
          ("/missing", "status 404"), ("/slow", "time limit"),
        ] {
          let timeout: Duration = path == "/slow" ? .milliseconds(50) : .seconds(20)
          let fetched = try await remote(server.url + path + "?token=secret", timeout: timeout).fetch()
          #expect(fetched.catalogue.entries.map(\.name) == ["calculator"], "\(path)")
          let warning = try #require(fetched.warning, "\(path)")
          #expect(warning.contains(reason) && warning.hasSuffix("the last good copy is used"), "\(warning)")
          #expect(warning.contains(server.url + path) && !warning.contains("secret"), "\(warning)")
        }
        gate.open()
        return server.url
      }
      let gone = try await remote(url + "/good").fetch()
      #expect(gone.catalogue.entries.map(\.name) == ["calculator"])
      try Data("{".utf8).write(to: URL(filePath: copy))
      let damaged = try await remote(url + "/good").fetch()
      #expect(damaged.catalogue.entries.isEmpty)
      #expect(damaged.warning?.contains("nor can the last good copy") == true)
    }

    @Test func `a cancelled fetch is cancelled, not a failure of the server`() async throws {
      let gate = Gate()
      let routes = [
        HTTPRoute(.get, "/slow") { _ in
          try await gate.waitUnlessCancelled()
          return HTTPResponse(status: 200)
        }
      ]
      try await HTTPServer.withServer(routes: routes) { server in
        let task = Task { try await remote(server.url + "/slow").fetch() }
        await gate.arrived()
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        gate.open()
      }
    }
  }
#endif
