/// What a shell can complete for a value.
enum ValueCompletion: Sendable, Hashable {
  case nothing, file, directory
  case choices([String])
}
