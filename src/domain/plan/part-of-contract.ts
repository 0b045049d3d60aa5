import type { Contract } from "./contract.ts";
import type { Todo } from "./plan.ts";

/**
 * What of a contract the coder of one todo needs: what is promised in its files in full, of the others the names and
 * types that it may call. A web API stays whole: it has no files.
 */
export function partOfContract(contract: Contract, { artifacts }: Pick<Todo, "artifacts">): Contract {
  const isOwn = ({ file }: { file: string }) => artifacts.includes(file);
  if (![...contract.functions, ...contract.classes].some(isOwn)) return contract;
  const brief = <Item extends { description: string }>(item: Item): Item => ({ ...item, description: "" });
  return {
    ...contract,
    functions: contract.functions.map((item) => (isOwn(item) ? item : brief(item))),
    classes: contract.classes.map((item) =>
      isOwn(item) ? item : { ...brief(item), fields: item.fields, methods: item.methods.map(brief) },
    ),
  };
}
