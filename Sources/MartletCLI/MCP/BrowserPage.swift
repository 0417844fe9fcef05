#if os(Linux) || os(macOS)
  import MartletProcess

  /// A page that is shown to the user: its address on standard error, and the page in a browser where there is one.
  struct BrowserPage {
    let console: Console
    let environment: [String: String]

    /// Shows a page. No browser is no failure: the user has the address.
    func show(_ url: String) async throws {
      console.note("Open this page to sign in:\n\(ControlFilter.line(url))")
      guard let opener, url.hasPrefix("https://") || url.hasPrefix("http://127.0.0.1") else { return }
      do {
        // The first page may start the browser itself, which then is the user's and not the sign-in's.
        try await ProcessCommand(opener, [url], environment: environment).startDetached()
      } catch is ProcessError {
        // There is none.
      }
    }

    /// The program that opens pages; `nil` where there is no screen.
    private var opener: String? {
      #if os(macOS)
        return "/usr/bin/open"
      #else
        let screens = ["DISPLAY", "WAYLAND_DISPLAY"]
        return screens.contains { environment[$0]?.isEmpty == false } ? "xdg-open" : nil
      #endif
    }
  }
#endif
