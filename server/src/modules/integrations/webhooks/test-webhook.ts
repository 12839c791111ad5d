import type { Answer, webhooks as contract } from '#contract';
import type { DeliveryEvent } from '#contract/integrations/rules';
import { audit } from '../../../platform/audit.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import type { Destination } from '../../../gateways/destination.ts';
import { sampleFacts } from '../deliveries/sample-facts.ts';
import { shownAs, speechOf } from '../deliveries/speech.ts';
import { withoutCredentials } from '../deliveries/without-credentials.ts';
import { verdictOf, withoutDetails } from '../rules.ts';
import { destinationRow } from '../store.ts';

/**
 * Sends a made-up event to an endpoint, also while it is turned off, and says what came back. Fails
 * with `not_found`.
 * @param ctx outside a transaction
 */
export async function testWebhook(
  ctx: Ctx,
  id: number,
  event: DeliveryEvent,
): Promise<Answer<typeof contract.testWebhook>> {
  const { kind, outgoing, shown } = await ctx.transaction((t) => sampleFor(t, id, event));
  if (outgoing.via !== 'https') return notFound();
  const began = performance.now();
  const sent = await ctx.gateways.outbound.send(outgoing.request);
  const answer = withoutCredentials(sent, outgoing.request);
  const verdict = (kind.read ?? verdictOf)(answer);
  return {
    data: {
      taken: verdict.state === 'sent',
      response_code: answer.status,
      response_excerpt: answer.status === null ? null : withoutDetails(answer.body),
      error: verdict.state === 'sent' ? null : verdict.error,
      duration_ms: Math.round(performance.now() - began),
      request: shown,
    },
  };
}

async function sampleFor(t: TxCtx, id: number, event: DeliveryEvent) {
  const row = await destinationRow(t.tx, t.companyId, id);
  const kind: Destination | undefined = t.gateways.destinations.get('webhooks');
  if (row?.provider !== 'webhooks' || !kind) return notFound();
  await audit(t, 'integration.tested', `destination:${id}`, {
    after: { provider: 'webhooks', name: row.name, event },
  });
  const facts = { ...sampleFacts(t.clock()), event };
  const thread = { thread_key: null, thread_root: 1, thread_no: 1 };
  const speech = await speechOf(t, {
    ...{ destination: row, kind, rule: { event }, thread, facts },
    id: null,
    isTest: true,
  });
  return {
    kind,
    outgoing: kind.say(speech),
    shown: shownAs(kind.say({ ...speech, secret: null })),
  };
}
