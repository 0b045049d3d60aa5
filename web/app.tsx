import { useEffect, useErrorBoundary, useRef, useState } from "preact/hooks";
import { api } from "./api.ts";
import { useConnection } from "./live/connection.ts";
import { useResource } from "./live/use-resource.ts";
import { ApprovalsPage } from "./pages/approvals-page.tsx";
import { ComparePage } from "./pages/compare-page.tsx";
import { EvidencePage } from "./pages/evidence-page.tsx";
import { MemoryPage } from "./pages/memory-page.tsx";
import { MetricsPage } from "./pages/metrics-page.tsx";
import { NewGoalPage } from "./pages/new-goal-page.tsx";
import { SettingsPage } from "./pages/settings-page.tsx";
import { SignInPage } from "./pages/sign-in-page.tsx";
import { TaskPage } from "./pages/task-page.tsx";
import { TasksPage } from "./pages/tasks-page.tsx";
import { TeamPage } from "./pages/team-page.tsx";
import { hrefOf, type Route, readRoute } from "./route.ts";
import { useSession } from "./session.ts";
import { applyTheme, keptTheme, themeAfter } from "./theme.ts";

const PLACES: { route: Route; title: string }[] = [
  { route: { page: "tasks" }, title: "Tasks" },
  { route: { page: "approvals" }, title: "Approvals" },
  { route: { page: "evidence" }, title: "Evidence" },
  { route: { page: "compare", left: "", right: "" }, title: "Compare" },
  { route: { page: "memory" }, title: "Memory" },
  { route: { page: "metrics" }, title: "Metrics" },
  { route: { page: "team" }, title: "Team" },
  { route: { page: "settings" }, title: "Settings" },
];

export function App() {
  const session = useSession();
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  const connection = useConnection();
  useFocusOnHeading(main, route);
  if (session.state === "out" || connection === "strange") return <SignInPage session={session} />;
  if (session.state === "opening") return null;
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <Shell route={route} />
      <main ref={main} id="main" tabIndex={-1}>
        {connection === "away" && (
          <p class="away" role="status">
            The server does not answer. This page goes on when it is back.
          </p>
        )}
        <Page key={JSON.stringify(pageKey(route))} route={route} />
      </main>
    </>
  );
}

function Shell({ route }: { route: Route }) {
  const [theme, setTheme] = useState(keptTheme());
  const questions = useResource((signal) => api.questions(undefined, signal), [], {
    everyMs: 4000,
    // The title of a page in the background says that somebody is waited for.
    unseenMs: 30_000,
  });
  const open = questions.value?.approvals.length ?? 0;
  useEffect(() => {
    document.title = open > 0 ? `(${open}) Miracle` : "Miracle";
  }, [open]);
  const current = route.page === "task" || route.page === "new" ? "tasks" : route.page;
  const turn = () => {
    const next = themeAfter(theme);
    applyTheme(next);
    setTheme(next);
  };
  return (
    <header class="shell">
      <a class="brand" href={hrefOf({ page: "tasks" })}>
        <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
          <rect width="32" height="32" rx="8" />
          <path d="M8 16.5l5.5 5.5L24 10.5" />
        </svg>
        Miracle
      </a>
      <nav aria-label="Pages">
        <ul>
          {PLACES.map(({ route: place, title }) => (
            <li key={title}>
              <a href={hrefOf(place)} aria-current={current === place.page ? "page" : undefined}>
                {title}
                {place.page === "approvals" && open > 0 && (
                  <>
                    {" "}
                    <span class="badge">
                      {open}
                      <span class="unseen"> waiting</span>
                    </span>
                  </>
                )}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="tools">
        <button type="button" class="plain" onClick={turn}>
          <svg viewBox="0 0 16 16" width="15" height="15" aria-hidden="true" focusable="false">
            <circle cx="8" cy="8" r="6.2" />
            <path d="M8 1.8a6.2 6.2 0 0 1 0 12.4z" />
          </svg>
          <span class="unseen">Colours: </span>
          {theme}
        </button>
        <a class="button strong" href={hrefOf({ page: "new" })}>
          New goal
        </a>
      </div>
    </header>
  );
}

function Page({ route }: { route: Route }) {
  const [fault, again] = useErrorBoundary();
  if (fault) {
    return (
      <>
        <h1 tabIndex={-1}>This page could not be drawn</h1>
        <p class="trouble" role="alert">
          {String(fault)}
        </p>
        <button type="button" onClick={again}>
          Try again
        </button>
      </>
    );
  }
  switch (route.page) {
    case "task":
      return <TaskPage id={route.id} tab={route.tab} />;
    case "new":
      return <NewGoalPage />;
    case "approvals":
      return <ApprovalsPage />;
    case "evidence":
      return <EvidencePage />;
    case "compare":
      return <ComparePage key={`${route.left} ${route.right}`} left={route.left} right={route.right} />;
    case "memory":
      return <MemoryPage />;
    case "metrics":
      return <MetricsPage />;
    case "team":
      return <TeamPage />;
    case "settings":
      return <SettingsPage />;
    default:
      return <TasksPage />;
  }
}

function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const turn = () => setHash(location.hash);
    window.addEventListener("hashchange", turn);
    return () => window.removeEventListener("hashchange", turn);
  }, []);
  return readRoute(hash);
}

/** The parts of one task are one page: its heading is not read out again for each. */
const pageKey = (route: Route) => (route.page === "task" ? [route.page, route.id] : [route.page]);

/** Whoever cannot see that the page changed is led to its heading. The first page is read from its beginning anyway. */
function useFocusOnHeading(main: { current: HTMLElement | null }, route: Route): void {
  const key = pageKey(route).join();
  const seen = useRef(key);
  useEffect(() => {
    if (seen.current === key) return;
    seen.current = key;
    window.scrollTo(0, 0);
    const heading = main.current?.querySelector("h1");
    (heading instanceof HTMLElement ? heading : main.current)?.focus();
  }, [key, main]);
}
