import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

/** The fast part of the suite is what needs nothing but this process: here nothing else can be started or reached. */
const refuse = () => {
  throw new Error(
    "the fast part of the suite starts no process and no server; a test that must says so: see fast-files.ts",
  );
};
for (const name of ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"]) {
  Reflect.set(childProcess, name, refuse);
}
Reflect.set(net.Server.prototype, "listen", refuse);
Reflect.set(net.Socket.prototype, "connect", refuse);
syncBuiltinESMExports();
