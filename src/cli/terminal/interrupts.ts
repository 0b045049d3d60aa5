import { Stopped } from "../../engine/hands/stop.ts";
import { EXIT } from "../text/exit-codes.ts";

interface Interrupts extends Disposable {
  signal: AbortSignal;
}

/** The first Ctrl-C stops cleanly, a second one at once: what was recorded is safe either way. */
export function listenForInterrupts(onFirst: () => void, onSecond: () => void = () => {}): Interrupts {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) {
      onSecond();
      process.exit(EXIT.interrupted);
    }
    controller.abort(new Stopped("interrupted"));
    onFirst();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, stop);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      for (const signal of signals) process.off(signal, stop);
    },
  };
}
