/// The two halves of "What is 23*4, and what day of the week is it in Tokyo?" and the whole, in ten wordings each.
enum Wordings {
  static let arithmetic = [
    "What is 23*4?", "Calculate 23*4.", "How much is 23 times 4?", "What's 23 multiplied by 4?",
    "Please compute 23*4 for me.", "23*4 = ?", "Can you work out 23 × 4?", "Tell me the product of 23 and 4.",
    "I need the result of 23*4.", "If I buy 23 boxes of 4 pens, how many pens do I have?",
  ]
  static let weekday = [
    "What day of the week is it in Tokyo?", "Which weekday is it in Tokyo right now?", "What day is it today in Tokyo?",
    "Tell me the current day of the week in Tokyo.", "Is it Monday or Tuesday in Tokyo?",
    "In Tokyo, what day of the week is it now?", "What's the weekday in Tokyo at the moment?",
    "Could you tell me which day of the week it is in Tokyo?", "Today in Tokyo is which day of the week?",
    "I'm calling someone in Tokyo: what day of the week is it there?",
  ]
  static let joint = [
    "What is 23*4, and what day of the week is it in Tokyo?", "Compute 23*4 and tell me which weekday it is in Tokyo.",
    "What day of the week is it in Tokyo, and what is 23*4?", "How much is 23 times 4? And what day is it in Tokyo?",
    "Give me 23*4 and the current day of the week in Tokyo.", "Two things: 23*4, and the weekday in Tokyo.",
    "Please work out 23*4. Also, which day of the week is it in Tokyo?",
    "I need two answers: what is 23*4 and what day is it in Tokyo?",
    "Tell me the weekday in Tokyo and the product of 23 and 4.",
    "What's 23 multiplied by 4 and what day is it in Tokyo?",
  ]
  /// Nothing here needs a tool.
  static let chat = [
    "Hello! How are you?", "Write a one-line poem about the sea.", "Thanks, that's all.", "Tell me a joke.",
    "Translate 'good morning' to French.", "What is the capital of France?", "Who wrote Hamlet?",
    "Explain what a mutex is.", "Name three colours.", "Write a Python function that reverses a string.",
  ]
}
