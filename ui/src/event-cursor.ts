/**
 * How far the news had come when answers were begun (`live-seq`). Screens read before somebody listens: at first before the
 * live connection stands, later before the channels of another company do. From here one asks whether anything happened in between.
 */
let firstSeq: number | null = null;
let newestSeq: number | null = null;
/** When the first answer of this session was begun. */
export const firstCursor = (): number | null => firstSeq;
/** No answer that is yet to be asked for is begun before this. */
export const newestCursor = (): number | null => newestSeq;
export function recordCursor(headers: Headers): void {
  const seq = Number(headers.get('live-seq'));
  if (!(seq > 0)) return;
  firstSeq = Math.min(firstSeq ?? seq, seq);
  newestSeq = Math.max(newestSeq ?? seq, seq);
}
export const resetCursor = (): void => {
  firstSeq = newestSeq = null;
};
