/**
 * The event `seq` at the time responses were generated (`live-seq`). Screens read before the live
 * connection, or the channels of another company, are set up; from here the client asks for events
 * in between.
 */
let firstSeq: number | null = null;
let newestSeq: number | null = null;
/** Cursor of the session's first response; null before it. */
export const firstCursor = (): number | null => firstSeq;
/** Later responses are never older than this cursor. Null: nothing was read yet. */
export const newestCursor = (): number | null => newestSeq;
/** Notes the `live-seq` of a response. Responses without one are ignored. */
export function recordCursor(headers: Headers): void {
  const seq = Number(headers.get('live-seq'));
  if (!(seq > 0)) return;
  firstSeq = Math.min(firstSeq ?? seq, seq);
  newestSeq = Math.max(newestSeq ?? seq, seq);
}
/** Forgets all cursors, for sign-out and for another session. */
export const resetCursor = (): void => {
  firstSeq = newestSeq = null;
};
