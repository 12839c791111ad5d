/**
 * How far the news had come when the first answer of this session was begun (`live-seq`). Screens read before the live
 * connection stands; from here it asks whether anything happened in between.
 */
let place: number | null = null;
export const placeOfFirstAnswer = (): number | null => place;
export function notePlace(headers: Headers): void {
  const seq = Number(headers.get('live-seq'));
  if (seq > 0 && (place === null || seq < place)) place = seq;
}
export const forgetPlace = (): void => { place = null; };
