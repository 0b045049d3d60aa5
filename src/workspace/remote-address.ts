export interface RemoteAddress {
  /** The /trees of a Miracle server, or any address that git knows. */
  address: string;
  /** For a Miracle server. */
  token?: string | undefined;
}

/** A Miracle server has an address for each task, where nothing else can be seen or changed. */
export const addressFor = ({ address }: RemoteAddress, task: string): string =>
  serverAddress({ address }, task) ?? address;

/** Where a Miracle server lends what belongs to a task; null: it is a plain git address. */
export const serverAddress = ({ address }: RemoteAddress, task: string): string | null =>
  isServer(address) ? `${address.replace(/\/$/, "")}/${task}` : null;

/** What git needs to be let in. By the environment: arguments of a process can be seen by others. */
export function accessTo({ address, token }: RemoteAddress): Record<string, string> {
  if (!isServer(address) || token === undefined || token === "") return forSsh();
  return {
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `http.${new URL(address).origin}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Bearer ${token}`,
  };
}

const isServer = (address: string): boolean => /^https?:\/\/[^/]+(\/.*)?\/trees\/?$/.test(address);

/** Keys of the person who runs this process. */
function forSsh(): Record<string, string> {
  const { HOME, SSH_AUTH_SOCK } = process.env;
  return { ...(HOME && { HOME }), ...(SSH_AUTH_SOCK && { SSH_AUTH_SOCK }) };
}

/** For people: without a password that stands in it. */
export const printableAddress = ({ address }: RemoteAddress): string => address.replace(/\/\/[^/@]*@/, "//");
