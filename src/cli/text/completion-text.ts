/** What can be completed behind `miracle`. */
export interface Completed {
  name: string;
  summary: string;
  flags: { name: string; summary: string }[];
  subcommands: string[];
}

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** A script for a shell. It holds all words, so that completing starts no process. */
export function completionText(shell: Shell, commands: Completed[]): string {
  switch (shell) {
    case "bash":
      return bash(commands);
    case "zsh":
      return zsh(commands);
    case "fish":
      return fish(commands);
  }
}

const wordsOf = ({ flags, subcommands }: Completed): string =>
  [...subcommands, ...flags.map(({ name }) => name), "--help"].join(" ");

/** Files are completed where no word of ours fits. */
const bash = (commands: Completed[]): string => `# bash completion of miracle
_miracle() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${commands.map(({ name }) => name).join(" ")} --help --version"
  else
    case "\${COMP_WORDS[1]}" in
${commands.map((command) => `      ${command.name}) words="${wordsOf(command)}" ;;`).join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o bashdefault -o default -F _miracle miracle
`;

const zsh = (commands: Completed[]): string => `#compdef miracle
_miracle() {
  local -a found
  if (( CURRENT == 2 )); then
    found=(
${commands.map(({ name, summary }) => `      ${quoted(`${name}:${summary.replaceAll(":", "\\:")}`)}`).join("\n")}
    )
    _describe command found
    return
  fi
  case "$words[2]" in
${commands.map((command) => `    ${command.name}) found=(${wordsOf(command)}) ;;`).join("\n")}
  esac
  compadd -a found
  _files
}
compdef _miracle miracle
`;

const fish = (commands: Completed[]): string =>
  [
    "# fish completion of miracle",
    "complete -c miracle -n __fish_use_subcommand -f",
    ...commands.flatMap((command) => [
      `complete -c miracle -n __fish_use_subcommand -a ${command.name} -d ${quoted(command.summary)}`,
      ...command.subcommands.map((below) => `complete -c miracle -n ${seen(command)} -a ${below}`),
      ...command.flags.map(
        ({ name, summary }) => `complete -c miracle -n ${seen(command)} -l ${name.slice(2)} -d ${quoted(summary)}`,
      ),
    ]),
    "",
  ].join("\n");

const seen = ({ name }: Completed): string => quoted(`__fish_seen_subcommand_from ${name}`);

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
