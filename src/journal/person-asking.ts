import { userInfo } from "node:os";
import { currentPerson } from "../bus/correlation.ts";

/** For whom a new task spends: who asked the server, or whoever is logged in here. */
export const personAsking = (): string => currentPerson() ?? loginName();

/** A container may run as a user without a name. */
function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}
