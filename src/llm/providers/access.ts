/** What a provider needs to reach one of its models. */
export interface Access {
  /** The provider's name in the settings. */
  provider: string;
  model: string;
  baseUrl: string;
  key: string | undefined;
  /** Whether the prompt may be written to the provider's cache at an extra price. False if that price is unknown. */
  cacheWrites: boolean;
}
