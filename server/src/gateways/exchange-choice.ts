/** Which of our exchanges takes a call. A call stays where it began. */
export interface ExchangeChoice {
  /** For a new call: the one with the most room; null: none runs. */
  choose(): Promise<string | null>;
  /** False: some run, and none takes another call. */
  hasRoom(): Promise<boolean>;
  /** Whether this one answers. */
  answers(exchange: string): Promise<boolean>;
}
