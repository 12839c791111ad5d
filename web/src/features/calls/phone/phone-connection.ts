import { calls } from '#contract';
import { api, toast, ApiError, session, t } from '#ui';
import { MediaClient, PhoneError, type Line } from '#ui/phone/media-client.ts';
import { announceCall, silenceRinger } from './announce-call.ts';
import { acquirePhoneLock } from '#ui/phone/phone-lock.ts';
import { deviceId, idleState, phone } from './phone-state.ts';

const HEARTBEAT_MS = 15_000;
let client: MediaClient | null = null;
/** The company the client joined; the selected company may already differ. */
let joinedCompanyId = 0;
let lockSession: { companyId: number; stop: () => void; takeOver: () => Promise<boolean> } | null =
  null;

/**
 * Makes this user reachable in the company, in the one tab of this browser that has the phone.
 * Idempotent.
 */
export function startPhone(companyId: number): void {
  if (lockSession?.companyId === companyId) return;
  stopPhone();
  const { takeOver, release } = acquirePhoneLock(
    'trunkline.phone',
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
/** Leaves the phone and its lock; calls no longer ring in this tab. */
export function stopPhone(): void {
  lockSession?.stop();
  lockSession = null;
  disconnectMedia('off');
}

/** The media client of this tab; null while another tab has the phone or it is off. */
export const mediaClient = (): MediaClient | null => client;

/** The lines of this browser's phone; none while it isn't connected. */
export const currentLines = (): readonly Line[] => client?.snapshot().lines ?? [];

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
      announceCall(
        line,
        currentLines().some((l) => l.state === 'answered'),
      );
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
/** Drops a line that ended, and asks the server what is left. */
export const removeCallInfo = (leg: string): void => {
  confirming.delete(leg);
  phone.set((s) => ({
    info: Object.fromEntries(Object.entries(s.info).filter(([key]) => key !== leg)),
  }));
  void sendHeartbeat();
};
