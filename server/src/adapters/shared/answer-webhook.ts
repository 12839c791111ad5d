import type { Log } from '../../platform/log.ts';
import type { WebhookResponse, CarrierEventSink } from '../../gateways/carrier.ts';
import type { LegId, VoiceEvent } from '../../gateways/voice.ts';
import type { LegInstruction } from './leg-instruction.ts';
import type { CarrierLeg, CarrierLegStore } from './carrier-leg-store.ts';
import { syncLeg, type UpdateCarrierLeg } from './sync-leg.ts';
import type { LegMutex } from './leg-mutex.ts';

/**
 * Longest a response waits for the engine's decision. A later decision is sent by request.
 * Milliseconds.
 */
const decisionTimeoutMs = 4000;

interface LegWebhook {
  /**
   * What the carrier reports. A function when reading it changes the leg, so that it has to wait
   * its turn.
   */
  events: VoiceEvent[] | (() => Promise<VoiceEvent[]>);
  sink: CarrierEventSink;
  writeAnswer: (
    row: CarrierLeg<LegInstruction>,
    instruction: LegInstruction,
  ) => Promise<WebhookResponse>;
  updateLeg: UpdateCarrierLeg;
  /** Whether the leg has just finished this instruction and must not run it again. */
  isFinished?: ((instruction: LegInstruction) => boolean) | undefined;
}

/**
 * Reports the events, then answers the webhook with the leg's instruction. Commands that the engine
 * gives this leg meanwhile become part of the response; those to other legs go by request. What
 * changes after the response was written is sent once it has left. Fails when the events can't be
 * stored, so that the carrier sends the webhook again.
 */
export async function answerWebhook(
  client: { store: CarrierLegStore<LegInstruction>; legMutex: LegMutex; log: Log },
  leg: LegId,
  { events, sink, writeAnswer, updateLeg, isFinished = () => false }: LegWebhook,
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
      ? await writeAnswer(row, isFinished(row.doing) ? { kind: 'wait' } : row.doing)
      : await writeAnswer(unknownLeg(leg), { kind: 'hangup' });
    const afterAnswer = async () => {
      if (row)
        await syncLeg(client.store, leg, row.doingN, updateLeg).catch((error: unknown) =>
          client.log.warn(
            { err: error, leg },
            'a leg’s new instruction could not be sent after the webhook response',
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

/** The row of a leg that is not in the store: it has ended. */
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
