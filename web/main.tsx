import { render } from "preact";
import { App } from "./app.tsx";
import { applyTheme, keptTheme } from "./theme.ts";

const place = document.getElementById("page");
applyTheme(keptTheme());
if (place) {
  place.textContent = "";
  render(<App />, place);
}
