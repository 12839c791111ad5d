import { calls } from '#contract';
import { api, ApiError, confirm, createStore, t, toast } from '#ui';
import { MediaClient, PhoneError, type PhoneSnapshot } from '#ui/phone/media-client.ts';
import { acquirePhoneLock } from '#ui/phone/phone-lock.ts';
import { startRinging } from '#ui/phone/ringer.ts';

/** The phone of this browser: in one of its tabs calls ring and are placed. */
export const phone = createStore<{
  media: PhoneSnapshot | null;
  /** Whom a leg of our own calls. */
  called: Record<string, string>;
}>({ media: null, called: {} });

const heartbeatMs = 15_000;
const deviceId = `app-${crypto.getRandomValues(new Uint32Array(2)).join('-')}`;
let client: MediaClient | null = null;

const beat = (): Promise<unknown> =>
  api(calls.beatCalling, { body: { device: deviceId } }, { silent: true }).catch(() => null);

/** A refused token stays refused: the client must not ask again. */
const token = (): Promise<string> =>
  api(calls.callingToken, { body: { device: deviceId } }, { silent: true }).then(
    ({ data }) => data.token,
    (error: unknown) => {
      if (error instanceof ApiError && (error.status === 401 || error.status === 403))
        throw new PhoneError(error.status, error.text);
      throw error;
    },
  );

const isInCall = (): boolean =>
  client?.snapshot().lines.some(({ state }) => state === 'answered') ?? false;

/** Lets calls ring here until the returned function is called. */
export function startPhone(): () => void {
  let leave = (): void => {};
  const { release } = acquirePhoneLock('caddy.phone', isInCall, (isHere) => {
    leave();
    leave = isHere ? connect() : () => {};
  });
  return () => {
    release();
    leave();
  };
}

function connect(): () => void {
  let stopRinging: (() => void) | null = null;
  const mine = new MediaClient({
    url: '/media',
    token,
    onState: (media) => {
      phone.set({ media });
      const rings = media.lines.some((l) => l.state === 'ringing' && !phone.get().called[l.leg]);
      if (rings) stopRinging ??= startRinging();
      else {
        stopRinging?.();
        stopRinging = null;
      }
    },
  });
  client = mine;
  mine.join().catch(() => {});
  void beat();
  const timer = setInterval(() => void beat(), heartbeatMs);
  const stay = (e: BeforeUnloadEvent): void => {
    if (isInCall()) e.preventDefault();
  };
  window.addEventListener('beforeunload', stay);
  window.addEventListener('online', mine.rejoin);
  return () => {
    stopRinging?.();
    clearInterval(timer);
    window.removeEventListener('beforeunload', stay);
    window.removeEventListener('online', mine.rejoin);
    mine.leave();
    if (client === mine) client = null;
    phone.set({ media: null, called: {} });
  };
}

const say = (reason: unknown): void =>
  void toast.warn(
    reason instanceof PhoneError && reason.status === 409
      ? t('This call was already answered or has ended.')
      : t('The phone isn’t connected. Try again in a moment.'),
  );

/** Takes a call that rings. */
export const answer = (leg: string): void => void client?.answer(leg).catch(say);
/** Sends a call that rings to voicemail. */
export const decline = (leg: string): void => void client?.reject(leg).catch(say);
/** Ends a call. */
export const hangUp = (leg: string): void => void client?.hangup(leg).catch(say);
/** Whether the other party hears the person. */
export const mute = (on: boolean): void => client?.mute(on);
/** Sends a key to the other party: 0 to 9, `*` or `#`. */
export const pressKey = (leg: string, key: string): void => void client?.keys(leg, key).catch(say);

const saidUnder = 'caddy.emergency-said';
/** Before the first call: what this phone can't do. False: the person thought better of it. */
async function hasReadLimits(): Promise<boolean> {
  if (localStorage.getItem(saidUnder)) return true;
  const isRead = await confirm({
    title: t('Not for emergencies'),
    body: t('Caddy can’t call 911 or other emergency services. Use another phone for those.'),
    confirmLabel: t('I understand'),
  });
  if (isRead) localStorage.setItem(saidUnder, '1');
  return isRead;
}

/** Calls from one of the person's numbers: our own line is answered at once, then the other rings. */
export async function callFrom(numberId: number, destination: string): Promise<boolean> {
  if (!(await hasReadLimits())) return false;
  const mine = client;
  if (!mine) {
    say(null);
    return false;
  }
  const placed = await api(calls.placeCall, {
    body: { number_id: numberId, destination, device: deviceId },
  }).catch(() => null);
  if (!placed) return false;
  const { leg } = placed.data;
  phone.set(({ called }) => ({ called: { ...called, [leg]: destination } }));
  mine.autoAnswer(leg);
  return true;
}
