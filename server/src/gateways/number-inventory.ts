/** Finding, ordering and returning numbers. Answers are facts of this moment: availability is checked again at purchase. */
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
  /** `away` hears of a carrier whose numbers are missing from the answer, by its name as people read it. */
  search(
    query: NumberQuery,
    onUnavailable?: (carrier: string, error: unknown) => void,
  ): Promise<AvailableNumber[]>;
  /** Order one number; idempotent by key. `taken` when somebody else has it. `providerId`: whose offer it was, where there are several. */
  order(
    number: string,
    key: string,
    providerId?: number,
  ): Promise<
    { state: 'ordered'; providerRef: string; found: AvailableNumber } | { state: 'taken' }
  >;
  /** Give a number back; giving back twice is one giving back. */
  release(number: string, providerId?: number, providerRef?: string | null): Promise<void>;
}
