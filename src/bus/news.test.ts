import { describe } from "vitest";
import { wireConformance } from "../../test/conformance/wire.ts";
import { LocalWire } from "./wire.ts";

describe("a wire of this process", () => {
  wireConformance(async () => {
    const wire = new LocalWire();
    return { open: () => wire, interfere: async (channel, text) => wire.send(channel, text) };
  });
});
