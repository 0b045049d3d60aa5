import { useEffect, useState } from "preact/hooks";

/** As in the style sheets. */
const NARROW = "(max-width: 720px)";

/** Whether the page is as narrow as a phone. */
export function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const query = matchMedia(NARROW);
    const look = () => setNarrow(query.matches);
    query.addEventListener("change", look);
    look();
    return () => query.removeEventListener("change", look);
  }, []);
  return narrow;
}
