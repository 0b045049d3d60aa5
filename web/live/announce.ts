/** Says something to whoever listens to the page instead of looking at it. */
export function announce(words: string): void {
  const announcer = document.getElementById("announcer");
  if (announcer) announcer.textContent = words;
}
