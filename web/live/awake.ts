/**
 * Waits. While nobody looks it waits until the page is seen again, or for so long as `unseenMs` says. A return of the
 * network ends the wait.
 */
export function pause(ms: number, signal: AbortSignal, unseenMs?: number): Promise<void> {
  return new Promise((resolve) => {
    let timer = setTimeout(() => {
      if (!document.hidden) end();
      else if (unseenMs !== undefined) timer = setTimeout(() => end(), unseenMs);
    }, ms);
    const wake = () => !document.hidden && end();
    const end = () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", wake);
      window.removeEventListener("online", wake);
      signal.removeEventListener("abort", end);
      resolve();
    };
    document.addEventListener("visibilitychange", wake);
    window.addEventListener("online", wake);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}
