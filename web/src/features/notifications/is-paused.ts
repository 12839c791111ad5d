import { calls } from '#contract';
import { api, hasPermission, session } from '#ui';

/** Several notifications in a row ask once. Milliseconds. */
const rememberedMs = 30_000;
let last: { at: number; company: number | null; paused: Promise<boolean> } | null = null;

/**
 * Whether the signed-in person's notifications are held back now: do not disturb, or outside their
 * own hours. Asked when there is something to show, as hours begin and end with the clock. On an
 * error nothing is held back.
 */
export function isPaused(): Promise<boolean> {
  const company = session.get().selectedCompanyId;
  if (!hasPermission('calling.use')) return Promise.resolve(false);
  if (last && last.company === company && Date.now() - last.at < rememberedMs) return last.paused;
  const paused = api(calls.getAvailability, {}, { silent: true }).then(
    // Hours that never open mean no calls, but texts are still of interest.
    ({ data: { pause } }) =>
      pause !== null && (pause.reason === 'do_not_disturb' || pause.until !== null),
    () => false,
  );
  last = { at: Date.now(), company, paused };
  return paused;
}
