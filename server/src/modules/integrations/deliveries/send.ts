import { UndeliverableError } from '../../../gateways/mail.ts';
import type { Destination, Outgoing, Verdict } from '../../../gateways/destination.ts';
import type { OutboundRequest } from '../../../gateways/outbound.ts';
import type { Ctx } from '../../../platform/context.ts';
import { sendWithAccount } from '../accounts/send-with-account.ts';
import { verdictOf, withoutDetails } from '../rules.ts';
import { factsOf, type Outcome, type Reply, type Taken } from './outcome.ts';
import { runSteps } from './run-steps.ts';
import { shownAs } from './speech.ts';
import { withoutCredentials } from './without-credentials.ts';

/** Sends a delivery and says what came of it. Throws only what is unexpected. */
export async function send(ctx: Ctx, taken: Taken): Promise<Outcome> {
  const { outgoing, kind, redacted, destination } = taken;
  const { connection_id: connectionId } = destination;
  const sentBy = (request: OutboundRequest): Promise<Reply> =>
    connectionId === null
      ? sendPlainly(ctx, request)
      : sendAs(ctx, { connectionId, kind }, request);
  if (outgoing.via === 'steps') return runSteps(ctx, taken, sentBy);
  const request = shownAs(redacted);
  if (outgoing.via === 'mail')
    return {
      ...{ request, code: null, excerpt: null, waitSeconds: null },
      verdict: await sendMail(ctx, outgoing, taken.row.id),
    };
  const { answer, unusable } = await sentBy(outgoing.request);
  return {
    ...{ request, verdict: unusable ?? (kind.read ?? verdictOf)(answer), ...factsOf(answer) },
    excerpt: answer.status === null ? null : withoutDetails(answer.body),
  };
}

async function sendPlainly(ctx: Ctx, request: OutboundRequest): Promise<Reply> {
  const sent = await ctx.gateways.outbound.send(request);
  return { answer: withoutCredentials(sent, request), unusable: null };
}

/** Sends it with a connected account. */
async function sendAs(
  ctx: Ctx,
  { connectionId, kind }: { connectionId: number; kind: Destination },
  request: OutboundRequest,
): Promise<Reply> {
  const sent = await sendWithAccount(ctx, connectionId, request, (answer) =>
    Boolean(kind.isUnauthorized?.(answer)),
  );
  if (!sent.unusable) return { answer: sent.answer, unusable: null };
  const verdicts: Record<typeof sent.unusable, Verdict & { error: string }> = {
    // Who connects it again within a day misses nothing.
    needs_reconnect: { state: 'retry', error: 'Access has ended. Connect the account again.' },
    away: { state: 'retry', error: 'The provider didn’t renew access.' },
    disconnected: { state: 'refused', error: 'The account was disconnected.' },
  };
  const unusable = verdicts[sent.unusable];
  return { answer: { status: null, error: unusable.error }, unusable };
}

async function sendMail(
  ctx: Ctx,
  outgoing: Extract<Outgoing, { via: 'mail' }>,
  deliveryId: number,
): Promise<Verdict> {
  if (!ctx.settings.canMail) return { state: 'retry', error: 'This server can’t send email yet.' };
  try {
    await ctx.gateways.mail.send({
      to: outgoing.to.join(', '),
      cc: outgoing.cc,
      subject: outgoing.subject,
      text: outgoing.text,
      html: '',
      plain: true,
      key: `delivery-${deliveryId}`,
      attachments: outgoing.attachments.map(({ name, contentType, text }) => ({
        ...{ name, contentType },
        bytes: Buffer.from(text),
      })),
    });
    return { state: 'sent' };
  } catch (error) {
    const isRefused = error instanceof UndeliverableError;
    ctx.log.warn({ err: error, delivery: deliveryId }, 'a delivery could not be mailed');
    return isRefused
      ? { state: 'refused', error: 'The address doesn’t take email.' }
      : { state: 'retry', error: 'The mail server didn’t take the email.' };
  }
}
