/*
 * Where the page is, behind the # of its address: no server has to know it. `#/tasks/t123/change` is the change of a task.
 */

export const TASK_TABS = ["live", "steps", "change", "evidence"] as const;
export type TaskTab = (typeof TASK_TABS)[number];

export type Route =
  | { page: "tasks" }
  | { page: "new" }
  | { page: "task"; id: string; tab: TaskTab }
  | { page: "approvals" }
  | { page: "evidence" }
  | { page: "compare"; left: string; right: string }
  | { page: "memory" }
  | { page: "metrics" }
  | { page: "team" }
  | { page: "settings" };

export function readRoute(hash: string): Route {
  const [first = "", second = "", third = ""] = hash.replace(/^#\/?/, "").split("/").map(decoded);
  switch (first) {
    case "tasks":
      if (second === "") return { page: "tasks" };
      return { page: "task", id: second, tab: TASK_TABS.find((tab) => tab === third) ?? "live" };
    case "compare":
      return { page: "compare", left: second, right: third };
    case "new":
    case "approvals":
    case "evidence":
    case "memory":
    case "metrics":
    case "team":
    case "settings":
      return { page: first };
    default:
      return { page: "tasks" };
  }
}

export function hrefOf(route: Route): string {
  switch (route.page) {
    case "task":
      return `#/tasks/${encodeURIComponent(route.id)}${route.tab === "live" ? "" : `/${route.tab}`}`;
    case "compare":
      return `#/${["compare", route.left, route.right]
        .filter((part) => part !== "")
        .map(encodeURIComponent)
        .join("/")}`;
    default:
      return `#/${route.page}`;
  }
}

export const taskHref = (id: string, tab: TaskTab = "live"): string => hrefOf({ page: "task", id, tab });

/** An address that somebody typed may hold anything. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
