import { expect } from "vitest";
import { runCommandLine } from "../src/cli/command-line.ts";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import { AppBuilder } from "./app-builder.ts";
import { fakeTerminal } from "./fake-terminal.ts";
import { byRole, call } from "./scripted-goal.ts";
import { withPandas } from "./with-pandas.ts";

/** The modules of the strategy, as a coder writes them. */
const CODE: Record<string, string> = {
  "backtesting_adapter.py": `import pandas

COLUMNS = ["timestamp", "open", "high", "low", "close", "volume"]


def fetch_and_prepare_data(path):
    frame = pandas.read_csv(path, dtype={"timestamp": str})
    missing = [name for name in COLUMNS if name not in frame.columns]
    if missing:
        raise ValueError("missing columns: " + ", ".join(missing))
    frame = frame[COLUMNS].astype({"open": float, "high": float, "low": float, "close": float, "volume": "int64"})
    if (frame["high"] < frame["low"]).any():
        raise ValueError("a high is below its low")
    if frame["timestamp"].duplicated().any():
        raise ValueError("two rows have the same timestamp")
    return frame.sort_values("timestamp").reset_index(drop=True)
`,
  "ai_strategy_exit.py": `def should_exit(bar, indicators, position):
    if position is None:
        return None
    if bar["low"] <= position["entry_price"] * (1 - 2 / 100):
        return "stop"
    if bar["high"] >= position["entry_price"] * (1 + 4 / 100):
        return "target"
    if indicators["fast"] < indicators["slow"]:
        return "signal"
    return None
`,
};

const loaded = (name: string, path: string, close: string, count: number) =>
  `from backtesting_adapter import fetch_and_prepare_data


def test_${name}_columns():
    frame = fetch_and_prepare_data("fixtures/${path}")
    assert list(frame.columns) == ["timestamp", "open", "high", "low", "close", "volume"]
    assert frame["close"].tolist()[-1] == ${close}
    assert len(frame) == ${count}
    assert frame["timestamp"].tolist() == sorted(frame["timestamp"])
    assert str(frame["open"].dtype) == "float64" and str(frame["volume"].dtype) == "int64"
`;
const refused = (name: string, rows: string[]) =>
  `import pytest
from backtesting_adapter import fetch_and_prepare_data


@pytest.mark.parametrize("rows", ${JSON.stringify(rows)})
def test_${name}_refused(tmp_path, rows):
    (tmp_path / "a.csv").write_text("timestamp,open,high,low,close,volume\\n" + rows)
    with pytest.raises(ValueError):
        fetch_and_prepare_data(tmp_path / "a.csv")


def test_${name}_columns_needed(tmp_path):
    (tmp_path / "b.csv").write_text("timestamp,open,high,low,volume\\n2024-01-01,1,2,0,1\\n")
    with pytest.raises(ValueError, match="close"):
        fetch_and_prepare_data(tmp_path / "b.csv")
`;
const exits = (name: string, price: number) =>
  `import pandas
from ai_strategy_exit import should_exit

RISING = {"fast": 2, "slow": 1}


def test_${name}_exit():
    position = {"entry_price": ${price}.0}
    bar = pandas.Series({"low": ${price}.0 * 0.98, "high": ${price}.0 * 1.05})
    assert should_exit(bar, RISING, position) == "stop"
    assert should_exit({"low": ${price}.0, "high": ${price}.0 * 1.05}, RISING, position) == "target"
    assert should_exit({"low": ${price}.0, "high": ${price}.0 * 1.03}, {"fast": 1, "slow": 2}, position) == "signal"
    assert should_exit({"low": ${price}.0, "high": ${price}.0}, RISING, position) is None
    assert should_exit({"low": ${price}.0, "high": ${price}.0}, {"fast": 1, "slow": 1}, position) is None
    assert should_exit({"low": 0.0, "high": 0.0}, {"fast": 1, "slow": 2}, None) is None
`;

const written = (path: string, content: string, todo: string, test: string, requirement: string, heldOut = false) => ({
  path: `tests/${path}`,
  content,
  todo,
  covers: [{ test, requirement }],
  ...(heldOut && { heldOut }),
});
const BAD = ["2024-01-01,1,2,3,1,5\n", "2024-01-01,1,2,0,1,5\n2024-01-01,1,2,0,1,5\n", "2024-01-01,x,2,0,1,5\n"];

withPandas("a goal about a strategy is built from the template's steps, on data frames, and proven", async () => {
  const requirements = [
    { id: "R1", text: "fetch_and_prepare_data(path) returns a pandas DataFrame with the columns" },
    { id: "R2", text: "fetch_and_prepare_data raises ValueError for a missing column" },
    { id: "R8", text: "should_exit(bar, indicators, position) returns the reason: 'stop', 'target', 'signal'" },
  ];
  const without = ["R3", "R4", "R5", "R6", "R7"].map((id) => `${id}: without indicators and entry`);
  const planner = [
    call("finish", {
      size: "large",
      title: "A strategy",
      kind: "feature",
      language: "python",
      requirements,
      outOfScope: without,
      todos: [
        { id: "load-data", title: "data", requirements: ["R1", "R2"], artifacts: ["backtesting_adapter.py"] },
        { id: "exit", title: "exit", requirements: ["R8"], artifacts: ["ai_strategy_exit.py"] },
      ],
    }),
  ];
  const tester = [
    call("finish", {
      files: [
        written("test_load.py", loaded("seen", "sample_trend.csv", "100.9", 8), "load-data", "test_seen_columns", "R1"),
        written(
          "test_unseen_load.py",
          loaded("kept", "sample_flat.csv", "50.0", 3),
          "load-data",
          "test_kept_columns",
          "R1",
          true,
        ),
        written("test_bad.py", refused("seen", BAD.slice(0, 2)), "load-data", "test_seen_columns_needed", "R2"),
        written("test_unseen_bad.py", refused("kept", BAD), "load-data", "test_kept_columns_needed", "R2", true),
        written("test_exit.py", exits("seen", 100), "exit", "test_seen_exit", "R8"),
        written("test_unseen_exit.py", exits("kept", 50), "exit", "test_kept_exit", "R8", true),
      ],
    }),
  ];
  const coder = Object.entries(CODE).flatMap(([path, content]) => [
    call("create_file", { path, content }),
    call("finish", { summary: `wrote ${path}` }),
  ]);
  const builder = await AppBuilder.create(byRole({ planner, tester, coder, architect: [] }));
  const env = { MIRACLE_HOME: builder.dataDirectory, MIRACLE_BASE_URL: builder.server.baseUrl, PATH: "/usr/bin:/bin" };
  const terminal = fakeTerminal({ directory: builder.directory, home: builder.dataDirectory, env });
  const goal = "Build a trading strategy that loads data and exits, without indicators and entry";
  const exit = await runCommandLine(
    ["run", goal, "--architect", "never", "--parallel", "1", "--effort", "quick", "--yes"],
    terminal,
  );
  const [asked] = builder.server.requests;
  expect(asked?.messages[0]?.text).toContain("R4: indicators/momentum.py has rsi(values, length) for a pandas Series");
  expect(terminal.errors()).toContain(
    "built as a project of the kind trading_strategy, because the goal says “trading strategy”",
  );
  expect(exit, terminal.errors() + terminal.outputs()).toBe(EXIT.done);
  expect(Object.keys(builder.files())).toEqual(
    expect.arrayContaining(["backtesting_adapter.py", "ai_strategy_exit.py", "fixtures/sample_trend.csv"]),
  );
});
