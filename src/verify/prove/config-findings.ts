import type { IntegrityFinding } from "../../domain/evidence/evidence-document.ts";
import type { JudgingTree } from "../integrity/judging-tree.ts";

/** What the change does to the configuration of the tests, and with which they ran. For a person to look at. */
export function configFindings({ taken, asked }: Pick<JudgingTree, "taken" | "asked">): IntegrityFinding[] {
  const named = (place: string, message: string): IntegrityFinding => {
    const [path = place, field] = place.split(": ");
    const what = field === undefined ? "" : `\`${field}\` `;
    return { code: "config.changed", weight: "named", path, message: what + message };
  };
  return [
    ...taken.map((place) => named(place, "configures tests and was changed: the tests ran as the base has it")),
    ...asked.map((place) =>
      named(place, "configures tests and comes with the change: the base has nothing to judge with"),
    ),
  ];
}
