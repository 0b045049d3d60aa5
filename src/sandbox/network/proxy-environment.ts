import { existsSync } from "node:fs";
import type { Mount } from "../sandbox.ts";
import { RELAY_PORT } from "./relay.ts";

const PROXY = `http://127.0.0.1:${RELAY_PORT}`;
const DIRECT = "localhost,127.0.0.1,::1";

/** What makes curl, pip, npm, Go, Node and their like use the proxy. */
export const PROXY_ENVIRONMENT: Record<string, string> = {
  ...both("http_proxy", PROXY),
  ...both("https_proxy", PROXY),
  ...both("all_proxy", PROXY),
  ...both("no_proxy", DIRECT),
  npm_config_proxy: PROXY,
  npm_config_https_proxy: PROXY,
  npm_config_noproxy: DIRECT,
  PIP_PROXY: PROXY,
  NODE_USE_ENV_PROXY: "1",
};

/** What programs check certificates against, at the places that distributions use. */
const CERTIFICATES = [
  "/etc/ssl/certs",
  "/etc/ssl/openssl.cnf",
  "/etc/ssl/cert.pem",
  "/etc/pki/tls/certs",
  "/etc/pki/ca-trust/extracted",
  "/etc/ca-certificates",
];

export const certificateMounts = (): Mount[] =>
  CERTIFICATES.filter((path) => existsSync(path)).map((path) => ({ from: path, to: path }));

function both(name: string, value: string): Record<string, string> {
  return { [name]: value, [name.toUpperCase()]: value };
}
