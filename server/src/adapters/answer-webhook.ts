import type { Log } from '../platform/log.ts';
import type { WebhookResponse, CarrierEventSink } from '../gateways/carrier.ts';
import type { LegId, VoiceEvent } from '../gateways/voice.ts';
import type { LegInstruction } from './leg-instruction.ts';
import type { CarrierLeg, CarrierLegStore } from './carrier-leg-store.ts';
import { syncLeg, type UpdateCarrierLeg } from './sync-leg.ts';
import type { LegMutex } from './leg-mutex.ts';

/** Longest a caller's document waits for what the engine decides. What comes later is told by request. Milliseconds. */
const decisionTimeoutMs = 4000;

interface LegWebhook {
  /** What the carrier says of the leg; a function when finding out changes what others think of the leg. */
  events: VoiceEvent[] | (() => Promise<VoiceEvent[]>);
  sink: CarrierEventSink;
  writeAnswer: (
    row: CarrierLeg<LegInstruction>,
    instruction: LegInstruction,
  ) => Promise<WebhookResponse>;
  updateLeg: UpdateCarrierLeg;
  /** What the leg has just done and must not do again. */
  isFinished?: ((instruction: LegInstruction) => boolean) | undefined;
}

/**
 * Hear, then answer with what the leg should do now. Commands that the engine gives meanwhile to this leg become this
 * answer; those to others go by request. What comes while the answer is on its way is told when it has left.
 */
export async function answerWebhook(
  client: { store: CarrierLegStore<LegInstruction>; legMutex: LegMutex; log: Log },
  leg: LegId,
  { events, sink, writeAnswer: write, updateLeg: ask, isFinished: over = () => false }: LegWebhook,
): Promise<WebhookResponse> {
  let decide!: () => void;
  const decided = new Promise<void>((resolve) => {
    decide = resolve;
  });
  const lock = client.legMutex.acquire(leg, decide);
  let timer: NodeJS.Timeout | undefined;
  try {
    const reported = typeof events === 'function' ? await events() : events;
    if (reported.length) {
      const { performed } = await sink.onVoiceEvents(reported);
      await Promise.race([
        decided,
        performed,
        new Promise<void>((resolve) => {
          timer = setTimeout(resolve, decisionTimeoutMs);
        }),
      ]);
    }
    await lock.wait(decisionTimeoutMs);
    const row = await client.store.read(leg);
    if (row) await client.store.markDelivered(leg, row.doingN);
    const answer = row
      ? await write(row, over(row.doing) ? { kind: 'wait' } : row.doing)
      : await write(unknownLeg(leg), { kind: 'hangup' });
    const afterAnswer = async () => {
      if (row)
        await syncLeg(client.store, leg, row.doingN, ask).catch((error: unknown) =>
          client.log.warn(
            { err: error, leg },
            'a leg did not get its next instruction after its answer',
          ),
        );
      lock.release();
    };
    return { ...answer, afterSend: afterAnswer };
  } catch (error) {
    lock.release();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** A leg we know nothing of (any more). */
export const unknownLeg = (leg: LegId): CarrierLeg<LegInstruction> => ({
  leg,
  call: leg,
  ref: leg,
  from: null,
  to: null,
  inbound: true,
  state: 'ended',
  cause: null,
  doing: { kind: 'hangup' },
  doingN: 0,
  toldN: 0,
  facts: {},
  createdAt: new Date(0),
  askedAt: null,
});
