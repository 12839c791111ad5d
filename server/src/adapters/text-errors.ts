/**
 * What a vendor's code for a text that failed means for people. `word` is ours (DeliveryReport.code): `opted_out` enters the
 * ledger, `landline` and `no_number` count against the contact's number, `carrier_busy` may be tried again by itself.
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
/** `later`: the same text may go through later. `fixed`: once somebody has mended the cause. `ask`: it may have arrived, so ask first. */
export type RetryAdvice = 'later' | 'fixed' | 'ask' | 'no';
export interface TextError {
  code: number;
  kind: TextErrorKind;
  meaning: string;
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

export const textErrorTable = (rows: readonly ErrorRow[]): ReadonlyMap<number, TextError> =>
  new Map(
    rows.map(([code, kind, retry, meaning, message]) => [
      code,
      { code, kind, retry, meaning, message },
    ]),
  );

/** What became of the text: a report that no report came leaves it as sent. */
export const deliveryStateOf = (kind: TextErrorKind): 'sent' | 'undelivered' =>
  kind === 'unconfirmed' ? 'sent' : 'undelivered';
