/** How phones of others show calls from a number of ours. */
export interface NumberReputation {
  /** E.164. */
  number: string;
  /**
   * The networks and apps that show its calls as spam, by their names. Null: not known yet, because
   * the number was just added or can’t be looked up.
   */
  flaggedBy: readonly string[] | null;
}

/** A service that knows which networks show the calls of a number as spam. */
export interface NumberReputationGateway {
  readonly name: string;
  /**
   * How these numbers (E.164) are shown now, in the order given. From then on the service watches
   * them. Rejects when it can’t be reached or refuses the account.
   */
  check(numbers: readonly string[]): Promise<NumberReputation[]>;
  /** Stops watching these numbers; those that it never watched are no error. Rejects as `check`. */
  forget(numbers: readonly string[]): Promise<void>;
}
