public import MartletJSON

/// Thrown by a tool that cannot go on without something from outside: an answer of the user, or what an app does itself.
///
/// The call waits on an `input_requested` event, and the run parks when nobody is there to give it
/// (``AgentConfiguration/inputProvider``). Once it is given, in this process or another (``Agent/resolve(input:_:)``), the
/// tool is called again with the same arguments, and with what was given in ``ToolContext/inputs``. So throw it before
/// anything has had an effect.
public struct InputNeeded: Error, Sendable, Hashable {
  /// What kind of input. An open set.
  public struct Kind: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The app performs the call itself and gives its result (``ClientTool``).
    public static let clientTool = Self(rawValue: "client_tool")
    /// A server asks the user something.
    public static let elicitation = Self(rawValue: "elicitation")
    /// The user does something in a view of the app's.
    public static let widget = Self(rawValue: "widget")
    /// A question, in words.
    public static let question = Self(rawValue: "question")
  }

  /// What kind of input.
  public var kind: Kind
  /// What is asked. Of a question: `{"question": "…"}`.
  public var payload: JSONValue
  /// When it is too late: then the input counts as declined. Nil for never.
  public var expires: Timestamp?

  /// Something that is needed.
  public init(_ kind: Kind, payload: JSONValue, expires: Timestamp? = nil) {
    self.kind = kind
    self.payload = payload
    self.expires = expires
  }
}
