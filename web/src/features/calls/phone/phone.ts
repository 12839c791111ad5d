import { calls, live, type EventData } from '#contract';
import { api, toast, createStore, ApiError, session, t, invalidate, type Store } from '#ui';
import { MediaClient, PhoneError, type Line, type PhoneSnapshot } from '#ui/phone/media-client.ts';
import { cache } from '../../../shared/query-client.ts';
import { acquirePhoneLock } from './phone-lock.ts';
import { startRinging } from './ringer.ts';

/** A call on this tab's phone, as the server last described it. */
export interface CallInfo {
  callId: number;
  leg: string;
  joinToken: string | null;
  outbound: boolean;
  from: string;
  to: string | null;
  number: { id: number; number: string; label: string } | null;
  contact: { id: number; name: string } | null;
  held: boolean;
  /** A supervisor's line: it monitors the call and is not a party to it. */
  monitoring?: boolean;
  /** This line answers automatically: a call picked up from its slot, or a monitored one. */
  selfAnswered?: boolean;
  /** When both sides could first hear each other, epoch ms; null while it rings. */
  connectedAt: number | null;
}
export interface PhoneState {
  /** `elsewhere`: another tab of this browser has the phone. */
  tabState: 'off' | 'here' | 'elsewhere';
  status: 'active' | 'away' | 'on_call' | 'offline' | null;
  media: PhoneSnapshot | null;
  /** The last heartbeat reached the server; without it the server sends no calls here. */
  registered: boolean;
  info: Record<string, CallInfo>;
  dialler: { open: boolean; to: string; numberId: number | null };
  /** A call was requested, but its line does not exist yet. */
  dialling: boolean;
}

const idleState: PhoneState = {
  tabState: 'off',
  status: null,
  media: null,
  registered: true,
  info: {},
  dialler: { open: false, to: '', numberId: null },
  dialling: false,
};
export const phone: Store<PhoneState> = createStore<PhoneState>(idleState);

/** Each tab is a device of its own; the id survives reloads. */
const deviceId = (() => {
  const kept = sessionStorage.getItem('trunkline.device');
  const made =
    kept ?? `app-${(crypto.randomUUID?.() ?? Math.random().toString(36).slice(2)).slice(0, 18)}`;
  sessionStorage.setItem('trunkline.device', made);
  return made;
})();

const HEARTBEAT_MS = 15_000;
let client: MediaClient | null = null;
/** The company the client joined; the selected company may already differ. */
let joinedCompanyId = 0;
let lockSession: { companyId: number; stop: () => void; takeOver: () => Promise<boolean> } | null =
  null;
let stopRinging: (() => void) | null = null;

/**
 * Makes this user reachable in the company, in the one tab of this browser that has the phone.
 * Idempotent.
 */
export function startPhone(companyId: number): void {
  if (lockSession?.companyId === companyId) return;
  stopPhone();
  const { takeOver, release } = acquirePhoneLock(
    () => client !== null && currentLines().some((l) => l.state === 'answered'),
    (here) => (here ? connectMedia(companyId) : disconnectMedia('elsewhere')),
  );
  lockSession = { companyId, stop: release, takeOver };
}
/** Takes the phone from another tab of this browser, unless that tab is in a call. */
export async function takeOverPhone(): Promise<void> {
  if (lockSession && !(await lockSession.takeOver()))
    toast.warn(t('Another tab is on a call. The phone stays there until the call ends.'));
}
export function stopPhone(): void {
  lockSession?.stop();
  lockSession = null;
  disconnectMedia('off');
}

const currentLines = (): readonly Line[] => client?.snapshot().lines ?? [];

function connectMedia(companyId: number): void {
  if (client) return;
  const mine = new MediaClient({
    url: '/media',
    token: () =>
      api(
        calls.callingToken,
        { body: { device: deviceId, company_id: companyId } },
        { silent: true },
      ).then(
        ({ data }) => data.token,
        (error: unknown) => {
          // A refused token stays refused: the client must not retry.
          if (error instanceof ApiError && (error.status === 401 || error.status === 403))
            throw new PhoneError(error.status, error.text);
          throw error;
        },
      ),
    onRing: (line) => {
      void ensureCallInfo(line.leg);
      announceCall(line);
    },
    onState: (media) => {
      if (client === mine) {
        phone.set({ media });
        if (!media.lines.some((l) => l.state === 'ringing')) silenceRinger();
        for (const line of media.lines) if (line.state === 'answered') confirmAnswered(line.leg);
      }
    },
    onEnded: (line) => removeCallInfo(line.leg),
  });
  client = mine;
  joinedCompanyId = companyId;
  phone.set({ tabState: 'here', media: mine.snapshot() });
  mine.join().catch((refused: unknown) => {
    if (client === mine && refused instanceof PhoneError && refused.status !== 0)
      phone.set({ media: mine.snapshot() });
  });
  void sendHeartbeat();
  const timer = setInterval(() => void sendHeartbeat(), HEARTBEAT_MS);
  // A call does not survive its page: ask before it is closed or reloaded.
  const stay = (e: BeforeUnloadEvent): void => {
    if (currentLines().some((l) => l.state === 'answered')) e.preventDefault();
  };
  window.addEventListener('beforeunload', stay);
  const back = (): void => {
    mine.rejoin();
    void sendHeartbeat();
  };
  window.addEventListener('online', back);
  removePageListeners = () => {
    clearInterval(timer);
    window.removeEventListener('beforeunload', stay);
    window.removeEventListener('online', back);
  };
}
let removePageListeners: () => void = () => {};

function disconnectMedia(place: 'off' | 'elsewhere'): void {
  silenceRinger();
  removePageListeners();
  removePageListeners = () => {};
  if (client && session.get().user)
    void api(
      calls.beatCalling,
      { body: { device: deviceId, leaving: true, company_id: joinedCompanyId } },
      { silent: true },
    ).catch(() => {});
  client?.leave();
  client = null;
  phone.set({ ...idleState, dialler: phone.get().dialler, tabState: place });
}

/**
 * Registers this device as present and stores the calls the server returns, so a reloaded page
 * finds them again.
 */
export async function sendHeartbeat(): Promise<void> {
  const requestedBy = client;
  if (!requestedBy) return;
  try {
    const { data } = await api(
      calls.beatCalling,
      { body: { device: deviceId, company_id: joinedCompanyId } },
      { silent: true },
    );
    if (client !== requestedBy) return;
    phone.set((s) => {
      const info = { ...s.info };
      for (const c of data.calls) {
        const known = info[c.leg];
        info[c.leg] = {
          callId: c.callId,
          leg: c.leg,
          joinToken: c.joinToken,
          outbound: c.outbound === 1,
          from: c.from,
          to: c.to,
          number: c.number,
          contact: c.contact,
          held: c.onHold,
          monitoring: c.monitoring ?? false,
          selfAnswered: known?.selfAnswered ?? false,
          connectedAt:
            known?.connectedAt ?? (c.state === 'answered' && c.outbound === 0 ? Date.now() : null),
        };
      }
      return { status: data.status, registered: true, info };
    });
  } catch {
    if (client === requestedBy) phone.set({ registered: false }); // the next heartbeat retries
  }
}

/** Loads the call's details when its line rings before the event arrives. */
async function ensureCallInfo(leg: string): Promise<void> {
  if (!phone.get().info[leg]) await sendHeartbeat();
}
const CONFIRM_AFTER_MS = 2000;
const confirming = new Set<string>();
/** The event that a line was answered may be lost: ask the server once, shortly after. */
function confirmAnswered(leg: string): void {
  if (confirming.has(leg)) return;
  confirming.add(leg);
  setTimeout(() => {
    if (phone.get().info[leg]?.connectedAt == null) void sendHeartbeat();
  }, CONFIRM_AFTER_MS);
}
const removeCallInfo = (leg: string): void => {
  confirming.delete(leg);
  phone.set((s) => ({
    info: Object.fromEntries(Object.entries(s.info).filter(([key]) => key !== leg)),
  }));
  void sendHeartbeat();
};

/** Handles an event on the user's private channel (A27). */
export function onPhoneEvent(event: EventData<typeof calls.inAppCalling>): void {
  if (event.type === 'status') return phone.set({ status: event.status });
  if (!event.leg || !event.callId) return;
  const { leg, callId } = event;
  if (event.type === 'ended') return removeCallInfoSoon(leg);
  phone.set((s) => {
    const known = s.info[leg];
    return {
      info: {
        ...s.info,
        [leg]: {
          callId,
          leg,
          joinToken: event.joinToken,
          outbound: event.outbound,
          from: event.from ?? '',
          to: known?.to ?? null,
          number: event.number,
          contact: event.contact,
          held: known?.held ?? false,
          monitoring: event.monitoring ?? false,
          selfAnswered: known?.selfAnswered ?? false,
          connectedAt:
            known?.connectedAt ??
            (event.type === 'answered' && (!event.outbound || known?.selfAnswered)
              ? Date.now()
              : null),
        },
      },
    };
  });
}
/**
 * The media connection reports the same shortly; this removes the panel when that report is lost.
 */
const removeCallInfoSoon = (leg: string): void =>
  void setTimeout(() => {
    if (!currentLines().some((l) => l.leg === leg)) removeCallInfo(leg);
  }, 500);

/** The callee answered our outbound call. */
export function onCallAnswered(callId: number): void {
  phone.set((s) => ({
    info: Object.fromEntries(
      Object.entries(s.info).map(([leg, c]) => [
        leg,
        c.callId === callId ? { ...c, connectedAt: c.connectedAt ?? Date.now() } : c,
      ]),
    ),
  }));
}

function announceCall(line: Line): void {
  // Our own line of a call placed here answers automatically; a second call is offered without a
  // sound.
  if (phone.get().dialling || currentLines().some((l) => l.state === 'answered')) return;
  stopRinging ??= startRinging();
  if (
    document.visibilityState !== 'visible' &&
    'Notification' in window &&
    Notification.permission === 'granted'
  ) {
    const note = new Notification(t('Incoming call'), {
      body: line.callerName ?? line.from,
      tag: line.leg,
    });
    note.onclick = () => {
      window.focus();
      note.close();
    };
  }
}
function silenceRinger(): void {
  stopRinging?.();
  stopRinging = null;
}

// ---- user actions ----

const phoneErrorText = (reason: unknown): string =>
  reason instanceof PhoneError && reason.status !== 0
    ? reason.message
    : t('The phone isn’t connected. Try again in a moment.');

export async function answerCall(leg: string): Promise<void> {
  silenceRinger();
  try {
    await client?.answer(leg);
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
  if (!known?.joinToken) return void client?.reject(leg).catch(() => {});
  await api(
    calls.rejectCall,
    { params: { callId: known.callId }, body: { joinToken: known.joinToken } },
    { silent: true },
  ).catch(() => client?.reject(leg).catch(() => {}));
}

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
  if (!ended) await client?.hangup(leg).catch(() => {});
}

/**
 * Serializes hold requests: they reach the server in order, and only the last response is shown.
 */
let holdQueue = Promise.resolve();
let lastHoldRequest = 0;
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

export async function pressKeys(leg: string, digits: string): Promise<void> {
  const known = phone.get().info[leg];
  if (known)
    await api(calls.pressKeys, { params: { callId: known.callId }, body: { digits } }).catch(
      () => {},
    );
}

export const setMuted = (on: boolean): void => client?.mute(on);
export const selectMicrophone = (id: string | null): void => void client?.setMicrophone(id);
export const selectSpeaker = (id: string): void => void client?.setSpeaker(id);
export const listDevices = (): ReturnType<typeof MediaClient.devices> => MediaClient.devices();

/**
 * Calls a number from one of ours: this tab's line rings first and answers automatically. True when
 * the call was placed.
 */
export async function dial(numberId: number, destination: string): Promise<boolean> {
  if (!client) {
    toast.warn(
      phone.get().tabState === 'elsewhere'
        ? t('The phone is open in another tab. Call from there.')
        : t('The phone isn’t connected. Try again in a moment.'),
    );
    return false;
  }
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
          to: destination,
        },
      },
    }));
    client.autoAnswer(data.leg);
    silenceRinger();
    void sendHeartbeat();
    return true;
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
  if (!client) {
    toast.warn(
      phone.get().tabState === 'elsewhere'
        ? t('The phone is open in another tab. Call from there.')
        : t('The phone isn’t connected. Try again in a moment.'),
    );
    return false;
  }
  phone.set({ dialling: true });
  try {
    const { data } = await request();
    phone.set((s) =>
      s.info[data.leg]
        ? { info: { ...s.info, [data.leg]: { ...s.info[data.leg]!, selfAnswered: true } } }
        : {},
    );
    client.autoAnswer(data.leg);
    silenceRinger();
    void sendHeartbeat();
    return true;
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

/** Opens the dial pad with a number filled in. */
export const openDialler = (to = '', numberId: number | null = null): void =>
  phone.set({ dialler: { open: true, to, numberId } });
export const closeDialler = (): void =>
  phone.set((s) => ({ dialler: { ...s.dialler, open: false } }));

/** Sets whether calls ring here; shown at once, undone when the server rejects it (B §4). */
export async function setStatus(status: 'active' | 'away'): Promise<void> {
  const before = phone.get().status;
  phone.set({ status });
  try {
    const { data } = await api(calls.toggleCallingStatus, { body: { status } });
    phone.set({ status: data.status });
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
