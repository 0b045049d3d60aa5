// The floor: as little as an agent can be. fetch and bash, no framework, no sandbox, no journal, no prompt to speak of.
// node floor-agent.mjs BASE_URL GOAL
import { spawn } from "node:child_process";

const [baseUrl, goal] = process.argv.slice(2);
const parameters = { type: "object", properties: { command: { type: "string" } }, required: ["command"] };
const tools = [{ type: "function", function: { name: "bash", description: "Run a command.", parameters } }];
const messages = [{ role: "user", content: goal }];

for (;;) {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "scripted", messages, tools }),
  });
  const { message } = (await response.json()).choices[0];
  messages.push(message);
  if (!message.tool_calls) break;
  for (const { id, function: call } of message.tool_calls) {
    messages.push({ role: "tool", tool_call_id: id, content: await bash(JSON.parse(call.arguments).command) });
  }
}

function bash(command) {
  return new Promise((resolve) => {
    const child = spawn("bash", ["-c", command], { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    child.on("close", (code) => resolve(`${output}exit code ${code}`));
  });
}
