/**
 * Why a text failed (DeliveryReport.code). `opted_out` is recorded as an opt-out, `landline` and
 * `no_number` count against the contact's number, `carrier_busy` is retried automatically.
 */
export type TextErrorKind =
  | 'opted_out'
  | 'landline'
  | 'no_number'
  | 'unreachable'
  | 'blocked'
  | 'not_registered'
  | 'account'
  | 'content'
  | 'rejected'
  | 'carrier_busy'
  | 'unexplained'
  | 'unconfirmed';
/**
 * Whether to send the text again. `later`: it may go through later. `fixed`: once the cause is
 * fixed. `ask`: it may have arrived, so check first.
 */
type RetryAdvice = 'later' | 'fixed' | 'ask' | 'no';
export interface TextError {
  /** The vendor's code. */
  code: number;
  kind: TextErrorKind;
  /** The vendor's own description. */
  meaning: string;
  /** The sentence shown to users. */
  message: string;
  retry: RetryAdvice;
}
type ErrorRow = readonly [
  code: number,
  kind: TextErrorKind,
  retry: RetryAdvice,
  meaning: string,
  message: string,
];

/** A vendor's errors by code. */
export const textErrorTable = (rows: readonly ErrorRow[]): ReadonlyMap<number, TextError> =>
  new Map(
    rows.map(([code, kind, retry, meaning, message]) => [
      code,
      { code, kind, retry, meaning, message },
    ]),
  );

/**
 * The delivery state after this error. Without any report from the recipient's carrier it stays
 * `sent`.
 */
export const deliveryStateOf = (kind: TextErrorKind): 'sent' | 'undelivered' =>
  kind === 'unconfirmed' ? 'sent' : 'undelivered';
