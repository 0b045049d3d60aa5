import { expect, test } from "vitest";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { executableStatements } from "./executable-lines.ts";

test("of Go neither types nor their fields nor parameters do anything", async () => {
  const text = `package shop

type Game struct {
	word      string
	remaining int
}

func Sum[T int | float64](
	numbers ...T,
) T {
	var sum T
	for _, one := range numbers {
		sum += one
	}
	return sum
}
`;
  const { root } = await new SyntaxParsers().parse("go", text);
  const lines = executableStatements("go", root, text).map(({ from }) => from);
  expect(lines).toEqual([12, 13, 15]);
});
