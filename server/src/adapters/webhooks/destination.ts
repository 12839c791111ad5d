import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { deliveryEvents } from '#contract/integrations/rules';
import { webhookOffAfterDays } from '#contract/integrations/webhooks/rules';
import {
  webhookConfig,
  webhookSecrets,
  type WebhookConfig,
} from '#contract/integrations/webhooks/schemas';
import type { Destination, Speech, Verdict } from '../../gateways/destination.ts';
import type { OutboundAnswer } from '../../gateways/outbound.ts';
import { payload } from './payload.ts';

/** Events as signed JSON, by the Standard Webhooks convention (decision 0177). */
export const webhookDestination: Destination<WebhookConfig> = {
  name: 'webhooks',
  label: 'Webhooks',
  config: webhookConfig,
  events: deliveryEvents,
  inboundOnly: false,
  firstContactDays: null,
  dedupeKey: ({ event, subject }) => `${event}:${subject.type}:${subject.id}`,
  orderKey: ({ subject, conversationId }) =>
    subject.type === 'call' ? `call:${subject.id}` : `conversation:${conversationId ?? subject.id}`,
  offAfterDays: webhookOffAfterDays,
  say(speech) {
    const body = JSON.stringify(payload(speech));
    const { url } = speech.config;
    return {
      via: 'https',
      request: {
        url: speech.secret === null ? withoutQuery(url) : url,
        method: 'POST',
        headers: headersOf(speech, body),
        body,
      },
    };
  },
  read: verdictOf,
};

/** An address as the log shows it: receivers put keys into the query. */
function withoutQuery(address: string): string {
  const url = new URL(address);
  return `${url.origin}${url.pathname}${url.search && '?•••'}`;
}

/** The convention's headers, signed with each secret that is valid; without a secret: unsigned. */
function headersOf({ id, now, secret }: Speech<WebhookConfig>, body: string) {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const secrets = secret === null ? [] : webhookSecrets.parse(z.json().parse(JSON.parse(secret)));
  const signatures = secrets
    .filter(({ until }) => until === null || new Date(until) > now)
    .map((one) => {
      const key = Buffer.from(one.secret.replace(/^whsec_/, ''), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
    });
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }),
  };
}

/** Everything but 2xx is tried again: a receiver that is being repaired also says 400 or 404. */
function verdictOf(answer: OutboundAnswer): Verdict {
  if (answer.status === null) return { state: 'retry', error: answer.error };
  if (answer.status >= 200 && answer.status < 300) return { state: 'sent' };
  return {
    state: answer.status === 410 ? 'refused' : 'retry',
    error: `The receiver answered with status ${answer.status}.`,
  };
}
