import type { calls, EventData } from '#contract';
import { currentLines, removeCallInfo } from './phone-connection.ts';
import { phone } from './phone-state.ts';

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
