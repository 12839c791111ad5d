/**
 * What a vendor's code for a text that failed means for people. `word` is ours (DeliveryReport.code): `opted_out` enters the
 * ledger, `landline` and `no_number` count against the contact's number, `carrier_busy` may be tried again by itself.
 */
export type TextWord =
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
export type Retry = 'later' | 'fixed' | 'ask' | 'no';
export interface TextError {
  code: number;
  word: TextWord;
  meaning: string;
  sentence: string;
  retry: Retry;
}
type Row = readonly [code: number, word: TextWord, retry: Retry, meaning: string, sentence: string];

export const textErrorTable = (rows: readonly Row[]): ReadonlyMap<number, TextError> =>
  new Map(
    rows.map(([code, word, retry, meaning, sentence]) => [
      code,
      { code, word, retry, meaning, sentence },
    ]),
  );

/** What became of the text: a report that no report came leaves it as sent. */
export const stateOfWord = (word: TextWord): 'sent' | 'undelivered' =>
  word === 'unconfirmed' ? 'sent' : 'undelivered';
