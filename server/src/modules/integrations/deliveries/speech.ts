import { deliveryRule } from '#contract/integrations/schemas';
import type {
  DeliveryFacts,
  Destination,
  Outgoing,
  Speech,
} from '../../../gateways/destination.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { shownRequest, pretendedSteps } from './steps.ts';
import { unseal } from '../../../platform/secrets.ts';
import type { DestinationRow } from '../store.ts';
import { knownRecords } from '../store-records.ts';
import { rootReference, type DeliveryRow } from '../store-deliveries.ts';

/** What a provider speaks with. Throws for a configuration that it can't read. */
export async function speechOf(
  t: TxCtx,
  {
    destination,
    kind,
    rule,
    thread,
    facts,
    id,
    isTest = false,
  }: {
    destination: DestinationRow;
    kind: Destination;
    rule: unknown;
    thread: Pick<DeliveryRow, 'thread_key' | 'thread_root' | 'thread_no'>;
    facts: DeliveryFacts;
    /** The delivery's ID; null: it isn't one. */
    id: number | null;
    isTest?: boolean;
  },
): Promise<Speech<unknown>> {
  const { company_id, id: destination_id, secret_sealed: sealed } = destination;
  return {
    facts,
    config: kind.config.parse(destination.config),
    secret: sealed === null ? null : unseal(t.settings.appSecrets, sealed),
    rule: deliveryRule.parse(rule),
    thread: {
      no: thread.thread_no,
      rootId: thread.thread_root ?? facts.subject.id,
      rootRef: await rootReference(t.tx, { company_id, destination_id, ...thread }),
    },
    platform: 'Trunkline',
    now: t.clock(),
    id: id === null ? 'msg_none' : `msg_${id}`,
    isTest,
    known: await knownRecords(t, { destination, kind }, facts),
    isRetry: false,
  };
}

/** What was sent, as the log shows it. */
export function shownAs(outgoing: Outgoing): string {
  if (outgoing.via === 'https') return shownRequest(outgoing.request);
  if (outgoing.via === 'steps') return pretendedSteps(outgoing).map(shownRequest).join('\n\n');
  return [
    `To: ${outgoing.to.join(', ')}`,
    ...(outgoing.cc.length ? [`Cc: ${outgoing.cc.join(', ')}`] : []),
    `Subject: ${outgoing.subject}`,
    '',
    outgoing.text || outgoing.attachments.map(({ text }) => text).join('\n'),
  ].join('\n');
}
