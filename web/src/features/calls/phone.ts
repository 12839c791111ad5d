import { calls, live, type EventData } from '#contract';
import { ask, flash, makeStore, Refusal, session, t, touch, type Store } from '#ui';
import {
  MediaClient,
  PhoneRefusal,
  type Line,
  type PhoneSnapshot,
} from '#ui/phone/media-client.ts';
import { cache } from '../../app/cache.ts';
import { holdPhoneLock } from './phone-lock.ts';
import { startRinging } from './ringer.ts';

/**
 * The in-app telephone of this tab: one media client, joined while the page stands, and what the server says about its
 * lines. It lives outside React, so that going from screen to screen changes nothing. The engine on the server decides;
 * answer goes through the media plane, everything else is asked of the API.
 */
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
  /** A supervisor's line: it listens, and is no party of the call. */
  monitoring?: boolean;
  /** This line answers itself: a call taken from its slot, or one that is monitored. */
  own?: boolean;
  /** When both sides could hear each other, epoch ms; null while it rings. */
  connectedAt: number | null;
}
export interface PhoneState {
  /** `elsewhere`: another tab of this browser has the phone. */
  place: 'off' | 'here' | 'elsewhere';
  status: 'active' | 'away' | 'on_call' | 'offline' | null;
  media: PhoneSnapshot | null;
  /** The server heard this device lately; without that it sends no calls here. */
  heard: boolean;
  info: Record<string, CallInfo>;
  dialler: { open: boolean; to: string; numberId: number | null };
  /** A number is being called, but its line is not there yet. */
  dialling: boolean;
}

const idle: PhoneState = {
  place: 'off',
  status: null,
  media: null,
  heard: true,
  info: {},
  dialler: { open: false, to: '', numberId: null },
  dialling: false,
};
export const phone: Store<PhoneState> = makeStore<PhoneState>(idle);

/** A tab is a device of its own; it stays the same over reloads. */
const device = (() => {
  const kept = sessionStorage.getItem('trunkline.device');
  const made =
    kept ?? `app-${(crypto.randomUUID?.() ?? Math.random().toString(36).slice(2)).slice(0, 18)}`;
  sessionStorage.setItem('trunkline.device', made);
  return made;
})();

const BEAT_MS = 15_000;
let client: MediaClient | null = null;
/** The company the client is joined in; the selected one may already be another. */
let joinedCompany = 0;
let running: { companyId: number; stop: () => void; take: () => Promise<boolean> } | null = null;
let stopRinging: (() => void) | null = null;

/** Be reachable in this company, in the one tab of this browser that has the phone. Calling it again changes nothing. */
export function startPhone(companyId: number): void {
  if (running?.companyId === companyId) return;
  stopPhone();
  const { take, release } = holdPhoneLock(
    () => client !== null && lines().some((l) => l.state === 'answered'),
    (here) => (here ? join(companyId) : leave('elsewhere')),
  );
  running = { companyId, stop: release, take };
}
/** Take the phone from the other tab of this browser that has it, unless it is in a call there. */
export async function takePhone(): Promise<void> {
  if (running && !(await running.take()))
    flash.warn(t('The other tab is in a call. The phone stays there until it ends.'));
}
export function stopPhone(): void {
  running?.stop();
  running = null;
  leave('off');
}

const lines = (): readonly Line[] => client?.snapshot().lines ?? [];

function join(companyId: number): void {
  if (client) return;
  const mine = new MediaClient({
    url: '/media',
    token: () =>
      ask(calls.callingToken, { body: { device, company_id: companyId } }, { quiet: true }).then(
        ({ data }) => data.token,
        (refusal: unknown) => {
          // Refused once is refused again: the line stops asking.
          if (refusal instanceof Refusal && (refusal.status === 401 || refusal.status === 403))
            throw new PhoneRefusal(refusal.status, refusal.text);
          throw refusal;
        },
      ),
    onRing: (line) => {
      void learn(line.leg);
      ring(line);
    },
    onState: (media) => {
      if (client === mine) {
        phone.set({ media });
        if (!media.lines.some((l) => l.state === 'ringing')) hush();
        for (const line of media.lines) if (line.state === 'answered') askWhenNotTold(line.leg);
      }
    },
    onEnded: (line) => forget(line.leg),
  });
  client = mine;
  joinedCompany = companyId;
  phone.set({ place: 'here', media: mine.snapshot() });
  mine.join().catch((refused: unknown) => {
    if (client === mine && refused instanceof PhoneRefusal && refused.status !== 0)
      phone.set({ media: mine.snapshot() });
  });
  void beat();
  const timer = setInterval(() => void beat(), BEAT_MS);
  // A call does not survive its page: ask before it is closed or reloaded.
  const stay = (e: BeforeUnloadEvent): void => {
    if (lines().some((l) => l.state === 'answered')) e.preventDefault();
  };
  window.addEventListener('beforeunload', stay);
  const back = (): void => {
    mine.rejoin();
    void beat();
  };
  window.addEventListener('online', back);
  leaving = () => {
    clearInterval(timer);
    window.removeEventListener('beforeunload', stay);
    window.removeEventListener('online', back);
  };
}
let leaving: () => void = () => {};

function leave(place: 'off' | 'elsewhere'): void {
  hush();
  leaving();
  leaving = () => {};
  if (client && session.get().user)
    void ask(
      calls.beatCalling,
      { body: { device, leaving: true, company_id: joinedCompany } },
      { quiet: true },
    ).catch(() => {});
  client?.leave();
  client = null;
  phone.set({ ...idle, dialler: phone.get().dialler, place });
}

/** Tell the server that this device is here, and take what it says about our calls: a reloaded page finds them again. */
export async function beat(): Promise<void> {
  const asked = client;
  if (!asked) return;
  try {
    const { data } = await ask(
      calls.beatCalling,
      { body: { device, company_id: joinedCompany } },
      { quiet: true },
    );
    if (client !== asked) return;
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
          own: known?.own ?? false,
          connectedAt:
            known?.connectedAt ?? (c.state === 'answered' && c.outbound === 0 ? Date.now() : null),
        };
      }
      return { status: data.status, heard: true, info };
    });
  } catch {
    if (client === asked) phone.set({ heard: false }); // the next beat comes
  }
}

/** A line began before the server's word about it: ask. */
async function learn(leg: string): Promise<void> {
  if (!phone.get().info[leg]) await beat();
}
const ASK_AFTER_MS = 2000;
const asking = new Set<string>();
/** The server's word that a line was answered may be lost on its way: once, a moment later, it is asked for. */
function askWhenNotTold(leg: string): void {
  if (asking.has(leg)) return;
  asking.add(leg);
  setTimeout(() => {
    if (phone.get().info[leg]?.connectedAt == null) void beat();
  }, ASK_AFTER_MS);
}
const forget = (leg: string): void => {
  asking.delete(leg);
  phone.set((s) => ({
    info: Object.fromEntries(Object.entries(s.info).filter(([key]) => key !== leg)),
  }));
  void beat();
};

/** News on this person's own channel (A27). */
export function hearPhoneNews(news: EventData<typeof calls.inAppCalling>): void {
  if (news.type === 'status') return phone.set({ status: news.status });
  if (!news.leg || !news.callId) return;
  const { leg, callId } = news;
  if (news.type === 'ended') return forgetSoon(leg);
  phone.set((s) => {
    const known = s.info[leg];
    return {
      info: {
        ...s.info,
        [leg]: {
          callId,
          leg,
          joinToken: news.joinToken,
          outbound: news.outbound,
          from: news.from ?? '',
          to: known?.to ?? null,
          number: news.number,
          contact: news.contact,
          held: known?.held ?? false,
          monitoring: news.monitoring ?? false,
          own: known?.own ?? false,
          connectedAt:
            known?.connectedAt ??
            (news.type === 'answered' && (!news.outbound || known?.own) ? Date.now() : null),
        },
      },
    };
  });
}
/** The media plane says the same in a moment; if its word is lost, the panel must not stay. */
const forgetSoon = (leg: string): void =>
  void setTimeout(() => {
    if (!lines().some((l) => l.leg === leg)) forget(leg);
  }, 500);

/** Somebody took our outbound call. */
export function hearAnswered(callId: number): void {
  phone.set((s) => ({
    info: Object.fromEntries(
      Object.entries(s.info).map(([leg, c]) => [
        leg,
        c.callId === callId ? { ...c, connectedAt: c.connectedAt ?? Date.now() } : c,
      ]),
    ),
  }));
}

function ring(line: Line): void {
  // Our own line of a call placed here answers itself; a second call knocks without a sound.
  if (phone.get().dialling || lines().some((l) => l.state === 'answered')) return;
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
function hush(): void {
  stopRinging?.();
  stopRinging = null;
}

// ---- what the person does ----

const refusedBy = (reason: unknown): string =>
  reason instanceof PhoneRefusal && reason.status !== 0
    ? reason.message
    : t('The telephone is not connected. Try again in a moment.');

export async function answer(leg: string): Promise<void> {
  hush();
  try {
    await client?.answer(leg);
  } catch (reason) {
    flash.warn(
      reason instanceof PhoneRefusal && reason.status === 409
        ? t('Someone else was faster: this call is taken or over.')
        : refusedBy(reason),
    );
  }
}

/** Decline for this person: the call rings on elsewhere. */
export async function decline(leg: string): Promise<void> {
  hush();
  const known = phone.get().info[leg] ?? (await beat().then(() => phone.get().info[leg]));
  if (!known?.joinToken) return void client?.reject(leg).catch(() => {});
  await ask(
    calls.rejectCall,
    { params: { callId: known.callId }, body: { joinToken: known.joinToken } },
    { quiet: true },
  ).catch(() => client?.reject(leg).catch(() => {}));
}

export async function hangUp(leg: string): Promise<void> {
  const known = phone.get().info[leg];
  // The engine ends it for everyone; only when it cannot be asked does this phone just drop its own line.
  const ended =
    known &&
    (await ask(
      calls.hangUpCall,
      { params: { callId: known.callId }, body: {} },
      { quiet: true },
    ).then(
      () => true,
      () => false,
    ));
  if (!ended) await client?.hangup(leg).catch(() => {});
}

/** Pressed twice in a row, it reaches the server in that order, and only the last answer is shown. */
let holds = Promise.resolve();
let lastHold = 0;
export async function hold(leg: string, on: boolean): Promise<void> {
  const known = phone.get().info[leg];
  if (!known) return;
  const set = (held: boolean): void =>
    phone.set((s) => (s.info[leg] ? { info: { ...s.info, [leg]: { ...s.info[leg], held } } } : {}));
  set(on);
  const mine = ++lastHold;
  const answered = (held: boolean): void => {
    if (mine === lastHold) set(held);
  };
  holds = holds
    .then(() => ask(calls.holdCall, { params: { callId: known.callId }, body: { on } }))
    .then(
      ({ data }) => answered(data.state === 'held'),
      () => answered(!on),
    );
  await holds;
}

export async function pressKeys(leg: string, digits: string): Promise<void> {
  const known = phone.get().info[leg];
  if (known)
    await ask(calls.pressKeys, { params: { callId: known.callId }, body: { digits } }).catch(
      () => {},
    );
}

export const mute = (on: boolean): void => client?.mute(on);
export const useMicrophone = (id: string | null): void => void client?.setMicrophone(id);
export const useSpeaker = (id: string): void => void client?.setSpeaker(id);
export const devices = (): ReturnType<typeof MediaClient.devices> => MediaClient.devices();

/** Call a number from one of ours. This tab's own line rings first and answers itself. True when the call is on its way. */
export async function dial(numberId: number, destination: string): Promise<boolean> {
  if (!client) {
    flash.warn(
      phone.get().place === 'elsewhere'
        ? t('The phone is in another tab of this browser. Call from there.')
        : t('The telephone is not connected. Try again in a moment.'),
    );
    return false;
  }
  phone.set({ dialling: true });
  try {
    const { data } = await ask(calls.placeCall, {
      body: { number_id: numberId, destination, device },
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
    hush();
    void beat();
    return true;
  } catch {
    return false; // the request layer has said why
  } finally {
    phone.set({ dialling: false });
  }
}

/** Bring this phone into a running call (take it from its slot, or monitor it): its own line rings and answers itself. */
async function bring(asked: () => Promise<{ data: { leg: string } }>): Promise<boolean> {
  if (!client) {
    flash.warn(
      phone.get().place === 'elsewhere'
        ? t('The phone is in another tab of this browser. Call from there.')
        : t('The telephone is not connected. Try again in a moment.'),
    );
    return false;
  }
  phone.set({ dialling: true });
  try {
    const { data } = await asked();
    phone.set((s) =>
      s.info[data.leg]
        ? { info: { ...s.info, [data.leg]: { ...s.info[data.leg]!, own: true } } }
        : {},
    );
    client.autoAnswer(data.leg);
    hush();
    void beat();
    return true;
  } catch {
    return false; // the request layer has said why
  } finally {
    phone.set({ dialling: false });
  }
}
export const unpark = (callId: number): Promise<boolean> =>
  bring(() => ask(live.unparkCall, { params: { id: callId }, body: { device } }));
export const monitor = (callId: number, mode: 'listen' | 'whisper' | 'barge'): Promise<boolean> =>
  bring(() => ask(live.monitorCall, { params: { id: callId }, body: { mode, device } }));

/** Open the dial pad from anywhere, with a number filled in. */
export const openDialler = (to = '', numberId: number | null = null): void =>
  phone.set({ dialler: { open: true, to, numberId } });
export const closeDialler = (): void =>
  phone.set((s) => ({ dialler: { ...s.dialler, open: false } }));

/** Receive calls or not; shown at once, taken back when the server refuses (B §4). */
export async function setStatus(status: 'active' | 'away'): Promise<void> {
  const before = phone.get().status;
  phone.set({ status });
  try {
    const { data } = await ask(calls.toggleCallingStatus, { body: { status } });
    phone.set({ status: data.status });
    touch(cache, 'getUser'); // the first time it made this person's credentials
    flash.success(
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
