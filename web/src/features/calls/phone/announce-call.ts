import { t } from '#ui';
import type { Line } from '#ui/phone/media-client.ts';
import { phone } from './phone-state.ts';
import { startRinging } from '#ui/phone/ringer.ts';

let stopRinging: (() => void) | null = null;

/** Rings for an inbound call, and notifies when the page is hidden. */
export function announceCall(line: Line, inCall: boolean): void {
  // Our own line of a call placed here answers automatically; a second call is offered without a
  // sound.
  if (phone.get().dialling || inCall) return;
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
/** Stops the ringing of this browser; the call goes on. */
export function silenceRinger(): void {
  stopRinging?.();
  stopRinging = null;
}
