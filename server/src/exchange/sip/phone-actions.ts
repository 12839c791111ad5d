/** What a phone's user may ask of the product within a call. Left out: only the SIP side reacts. */
export interface PhoneActions {
  /** The phone put its call on hold, or resumed it. */
  hold?: ((on: boolean) => Promise<unknown>) | undefined;
  /** Transfers the call to this user or number. Resolves to why it cannot, or null. */
  transfer?: ((to: string) => Promise<string | null>) | undefined;
}
