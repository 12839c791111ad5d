/** Which of our exchanges takes a call. A call stays where it began. */
export interface ExchangeChoice {
  /** For a new call: the one with the most room; null: none runs. */
  choose(): Promise<string | null>;
  /** False: some run, and none takes another call. */
  hasRoom(): Promise<boolean>;
  /**
   * Where a carrier dials to join a call with ours: the call's exchange or, if it has none yet, the
   * one with the most room among those that carriers reach, and its address, `host:port`. Null: no
   * exchange says that carriers reach it.
   */
  forCarriers(ofCall: string | null): Promise<{ exchange: string; at: string } | null>;
  /** Whether this one answers. */
  answers(exchange: string): Promise<boolean>;
}
