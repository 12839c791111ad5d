/**
 * How far the news had come when answers were begun (`live-seq`). Screens read before somebody listens: at first before the
 * live connection stands, later before the channels of another company do. From here one asks whether anything happened in between.
 */
let first: number | null = null;
let newest: number | null = null;
/** When the first answer of this session was begun. */
export const placeOfFirstAnswer = (): number | null => first;
/** No answer that is yet to be asked for is begun before this. */
export const placeOfNewestAnswer = (): number | null => newest;
export function notePlace(headers: Headers): void {
  const seq = Number(headers.get('live-seq'));
  if (!(seq > 0)) return;
  first = Math.min(first ?? seq, seq);
  newest = Math.max(newest ?? seq, seq);
}
export const forgetPlace = (): void => {
  first = newest = null;
};
