/** `provider/name`; the name may hold slashes of its own. */
export const MODEL_NAME = /^[a-z][a-z0-9-]*\/\S+$/;
