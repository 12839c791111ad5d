import { calls, live } from '#contract';
import { api, toast, t, invalidate } from '#ui';
import { PhoneError } from '#ui/phone/media-client.ts';
import { cache } from '../../../shared/query-client.ts';
import { silenceRinger } from './announce-call.ts';
import { mediaClient, sendHeartbeat } from './phone-connection.ts';
import { deviceId, phone } from './phone-state.ts';

export { phone };

const phoneErrorText = (reason: unknown): string =>
  reason instanceof PhoneError && reason.status !== 0
    ? reason.message
    : t('The phone isn’t connected. Try again in a moment.');

/** Answers a ringing line; a failure is shown as a warning. */
export async function answerCall(leg: string): Promise<void> {
  silenceRinger();
  try {
    await mediaClient()?.answer(leg);
  } catch (reason) {
    toast.warn(
      reason instanceof PhoneError && reason.status === 409
        ? t('This call was already answered or has ended.')
        : phoneErrorText(reason),
    );
  }
}

/** Declines for this user only: the call keeps ringing elsewhere. */
export async function declineCall(leg: string): Promise<void> {
  silenceRinger();
  const known = phone.get().info[leg] ?? (await sendHeartbeat().then(() => phone.get().info[leg]));
  if (!known?.joinToken)
    return void mediaClient()
      ?.reject(leg)
      .catch(() => {});
  await api(
    calls.rejectCall,
    { params: { callId: known.callId }, body: { joinToken: known.joinToken } },
    { silent: true },
  ).catch(() =>
    mediaClient()
      ?.reject(leg)
      .catch(() => {}),
  );
}

/** Ends the call, or only this phone's line when the server can't be reached. */
export async function hangUp(leg: string): Promise<void> {
  const known = phone.get().info[leg];
  // The server ends it for everyone; when it can't be reached, only this phone's line is dropped.
  const ended =
    known &&
    (await api(
      calls.hangUpCall,
      { params: { callId: known.callId }, body: {} },
      { silent: true },
    ).then(
      () => true,
      () => false,
    ));
  if (!ended)
    await mediaClient()
      ?.hangup(leg)
      .catch(() => {});
}

/**
 * Serializes hold requests: they reach the server in order, and only the last response is shown.
 */
let holdQueue = Promise.resolve();
let lastHoldRequest = 0;
/** Holds or resumes the call; shown at once, undone when the server rejects it. */
export async function setHold(leg: string, on: boolean): Promise<void> {
  const known = phone.get().info[leg];
  if (!known) return;
  const set = (held: boolean): void =>
    phone.set((s) => (s.info[leg] ? { info: { ...s.info, [leg]: { ...s.info[leg], held } } } : {}));
  set(on);
  const mine = ++lastHoldRequest;
  const answered = (held: boolean): void => {
    if (mine === lastHoldRequest) set(held);
  };
  holdQueue = holdQueue
    .then(() => api(calls.holdCall, { params: { callId: known.callId }, body: { on } }))
    .then(
      ({ data }) => answered(data.state === 'held'),
      () => answered(!on),
    );
  await holdQueue;
}

/** Sends DTMF digits to the other side. */
export async function pressKeys(leg: string, digits: string): Promise<void> {
  const known = phone.get().info[leg];
  if (known)
    await api(calls.pressKeys, { params: { callId: known.callId }, body: { digits } }).catch(
      () => {},
    );
}

export const setMuted = (on: boolean): void => mediaClient()?.mute(on);
export const selectMicrophone = (id: string | null): void => void mediaClient()?.setMicrophone(id);
export const selectSpeaker = (id: string): void => void mediaClient()?.setSpeaker(id);

/** Whether this tab has the phone; if not, a warning is shown. */
function hasPhone(): boolean {
  if (mediaClient()) return true;
  toast.warn(
    phone.get().tabState === 'elsewhere'
      ? t('The phone is open in another tab. Call from there.')
      : t('The phone isn’t connected. Try again in a moment.'),
  );
  return false;
}

/** Lets this tab's line of a new call answer automatically. False when the phone left meanwhile. */
function answerOwnLine(leg: string): boolean {
  const client = mediaClient();
  if (!client) return false;
  client.autoAnswer(leg);
  silenceRinger();
  void sendHeartbeat();
  return true;
}

/**
 * Calls a number from one of ours: this tab's line rings first and answers automatically. True when
 * the call was placed.
 * @param shown the number as the user sees it
 */
export async function dial(
  numberId: number,
  destination: string,
  shown = destination,
): Promise<boolean> {
  if (!hasPhone()) return false;
  phone.set({ dialling: true });
  try {
    const { data } = await api(calls.placeCall, {
      body: { number_id: numberId, destination, device: deviceId },
    });
    phone.set((s) => ({
      info: {
        ...s.info,
        [data.leg]: {
          ...(s.info[data.leg] ?? { number: null, contact: null, held: false, connectedAt: null }),
          callId: data.call_id,
          leg: data.leg,
          joinToken: data.token,
          outbound: true,
          from: data.caller_id,
          to: shown,
        },
      },
    }));
    return answerOwnLine(data.leg);
  } catch {
    return false; // the request layer showed the error
  } finally {
    phone.set({ dialling: false });
  }
}

/**
 * Joins this phone to a running call (unpark or monitor): its line rings and answers automatically.
 * False: the error was shown.
 */
async function joinCall(request: () => Promise<{ data: { leg: string } }>): Promise<boolean> {
  if (!hasPhone()) return false;
  phone.set({ dialling: true });
  try {
    const { data } = await request();
    phone.set(({ info }) => {
      const own = info[data.leg];
      return own ? { info: { ...info, [data.leg]: { ...own, selfAnswered: true } } } : {};
    });
    return answerOwnLine(data.leg);
  } catch {
    return false; // the request layer showed the error
  } finally {
    phone.set({ dialling: false });
  }
}
export const unparkCall = (callId: number): Promise<boolean> =>
  joinCall(() => api(live.unparkCall, { params: { id: callId }, body: { device: deviceId } }));
export const monitorCall = (
  callId: number,
  mode: 'listen' | 'whisper' | 'barge',
): Promise<boolean> =>
  joinCall(() =>
    api(live.monitorCall, { params: { id: callId }, body: { mode, device: deviceId } }),
  );

/** Opens the dial pad with a number filled in; `party` is how the request names it (`partyFor`). */
export const openDialler = (to = '', numberId: number | null = null, party = to): void =>
  phone.set({ dialler: { open: true, to, party, numberId } });
export const closeDialler = (): void =>
  phone.set((s) => ({ dialler: { ...s.dialler, open: false } }));

/** Sets whether calls ring here; shown at once, undone when the server rejects it (B §4). */
export async function setStatus(status: 'active' | 'away'): Promise<void> {
  const before = phone.get().status;
  phone.set({ status });
  try {
    const { data } = await api(calls.toggleCallingStatus, { body: { status } });
    phone.set({ status: data.status });
    invalidate(cache, 'getAvailability'); // receiving calls ends do not disturb
    invalidate(cache, 'getUser'); // the first activation creates the user's calling credentials
    toast.success(
      data.status === 'active'
        ? t('You are now receiving incoming call notifications')
        : t('You are no longer receiving incoming call notifications'),
    );
    if (
      data.status === 'active' &&
      'Notification' in window &&
      Notification.permission === 'default'
    )
      void Notification.requestPermission();
  } catch {
    phone.set({ status: before });
  }
}
