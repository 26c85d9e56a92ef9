import Support
import Testing

struct DisplayTextTests {
  @Test(arguments: [
    ("cannot open https://u:secret@h/p: no", "cannot open https://…@h/p: no"),
    ("s3://key:se@cret@bucket/p", "s3://…@bucket/p"),
    ("'https://h/p?Signature=secret' is an address", "'https://h/p?…' is an address"),
    ("https://h/a@b, expected a?b", "https://h/a@b, expected a?b"),
  ])
  func `a message hides the secrets of addresses`(_ text: String, _ expected: String) {
    #expect(text.hidingSecretsOfAddresses == expected)
  }
}
