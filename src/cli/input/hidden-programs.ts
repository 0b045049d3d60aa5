import { existsSync } from "node:fs";
import { join } from "node:path";

/** What the sandbox shows of a machine; toolchains of our languages are added to it wherever they are. */
const SHOWN = /^\/(usr|bin|sbin|lib|lib64)(\/|$)/;
const TOOLCHAINS = new Set(["node", "npm", "npx", "python", "python3", "pytest", "go", "gofmt"]);

/** Programs of these commands that the person has and the sandbox hides, each as a line that says what to do. */
export function hiddenPrograms(commands: string[], path: string): string[] {
  const directories = path.split(":").filter((directory) => directory !== "");
  return commands.flatMap((command) => {
    const program = /^\s*(?:\w+=\S*\s+)*([\w.+-]+)(?=\s|$)/.exec(command)?.[1];
    if (program === undefined || TOOLCHAINS.has(program)) return [];
    const place = directories.find((directory) => existsSync(join(directory, program)));
    if (place === undefined || SHOWN.test(place)) return [];
    const ways =
      "link it into /usr/local/bin with what it needs below /usr, or use --sandbox docker with sandbox.image";
    return [`\`${program}\` is in ${place}, which the sandbox does not show, so the command will not find it: ${ways}`];
  });
}
