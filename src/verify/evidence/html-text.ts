/** Foreign text as text of a page: never markup, and without what turns the direction of reading. */
export const escapeHtml = (value: string): string =>
  value
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, "")
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

export const PAGE_STYLE = `
:root { color-scheme: light dark; --good: light-dark(#116329, #7ee787); --bad: light-dark(#a40e26, #ff938a);
  --doubt: light-dark(#7d4e00, #e3b341); --line: light-dark(#d0d7de, #3d444d); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin-top: 2rem; } h3 { font-size: 1rem; margin: 0; }
code, pre, .diff { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
.goal { white-space: pre-wrap; } .facts { opacity: 0.8; }
.proven h1, .checked h1, .passed { color: var(--good); }
.not-proven h1, .refused h1, .failed, .error { color: var(--bad); }
.proven-in-part h1, em { color: var(--doubt); }
article { border: 1px solid var(--line); border-left: 4px solid var(--good); padding: 0.6rem 1rem; margin: 0.6rem 0; }
article.open { border-left-color: var(--bad); }
table { border-collapse: collapse; width: 100%; } th { text-align: left; font-weight: 600; }
th, td { padding: 0.1rem 0.6rem 0.1rem 0; vertical-align: top; }
.diff { border: 1px solid var(--line); } .diff td { white-space: pre-wrap; padding: 0 0.5rem; }
.diff .gutter { width: 1.5rem; text-align: center; } .add { color: var(--good); } .del { color: var(--bad); }
.note td { color: var(--doubt); font-style: italic; }
`;
