/** Waits, but not while nobody looks: then until the page is seen again. A return of the network ends the wait. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => !document.hidden && end(), ms);
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
