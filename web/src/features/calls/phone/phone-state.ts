import { createStore, type Store } from '#ui';
import type { PhoneSnapshot } from '#ui/phone/media-client.ts';

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
interface PhoneState {
  /** `elsewhere`: another tab of this browser has the phone. */
  tabState: 'off' | 'here' | 'elsewhere';
  status: 'active' | 'away' | 'on_call' | 'offline' | null;
  media: PhoneSnapshot | null;
  /** The last heartbeat reached the server; without it the server sends no calls here. */
  registered: boolean;
  info: Record<string, CallInfo>;
  /** `to` is shown; `party` is called while `to` is unchanged: a hidden number's contact, for example. */
  dialler: { open: boolean; to: string; party: string; numberId: number | null };
  /** A call was requested, but its line does not exist yet. */
  dialling: boolean;
}

export const idleState: PhoneState = {
  tabState: 'off',
  status: null,
  media: null,
  registered: true,
  info: {},
  dialler: { open: false, to: '', party: '', numberId: null },
  dialling: false,
};
/**
 * The phone of this tab: its media connection, and what the server reports about its calls. Lives
 * outside React, so that changing screens does not affect it.
 */
export const phone: Store<PhoneState> = createStore<PhoneState>(idleState);

/** Each tab is a device of its own; the id survives reloads. */
export const deviceId = (() => {
  const kept = sessionStorage.getItem('trunkline.device');
  const made =
    kept ?? `app-${(crypto.randomUUID?.() ?? Math.random().toString(36).slice(2)).slice(0, 18)}`;
  sessionStorage.setItem('trunkline.device', made);
  return made;
})();
