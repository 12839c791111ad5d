/** A search for available numbers. Availability is checked again at purchase. */
export interface NumberQuery {
  country: string;
  category: 1 | 2 | 3 | 4;
  areaCode?: string | undefined;
  state?: string | undefined;
  city?: string | undefined;
  /** Digits, letters (keypad) and `*` wildcards, or a saved pattern such as AABB. */
  pattern?: string | undefined;
  match: 'Contains' | 'Starts with' | 'Ends with';
  words?: string[] | undefined;
  limit: number;
  exclude?: readonly string[] | undefined;
}
export interface AvailableNumber {
  number: string;
  region: string;
  city: string;
  rateCenter: string;
  vanityText: string | null;
  monthlyCents: number;
  setupCents: number;
  providerId: 1 | 2 | 3 | 4;
  features: ('voice' | 'sms' | 'mms' | 'fax')[];
}
export interface NumberInventory {
  readonly name: string;
  /**
   * `onUnavailable` is called with the label of each carrier whose numbers are missing from the
   * result.
   */
  search(
    query: NumberQuery,
    onUnavailable?: (carrier: string, error: unknown) => void,
  ): Promise<AvailableNumber[]>;
  /**
   * Orders a number; idempotent by key. `taken`: it is not available. `providerId`: whose offer it
   * was.
   */
  order(
    number: string,
    key: string,
    providerId?: number,
  ): Promise<
    { state: 'ordered'; providerRef: string; found: AvailableNumber } | { state: 'taken' }
  >;
  /** Releases a number; doing it twice changes nothing. */
  release(number: string, providerId?: number, providerRef?: string | null): Promise<void>;
}
