import { z } from 'zod';
import type { OutboundAnswer } from '../../gateways/outbound.ts';

/** Slack's origin; the sandbox answers there in the demo. */
export const slackApi = 'https://slack.com/api';

const said = z.looseObject({ ok: z.boolean(), error: z.string().optional() });
type SlackSaid = z.infer<typeof said>;

/** What Slack says: it answers 200 to nearly everything. Null: not in its words. */
export function saidBySlack(answer: OutboundAnswer): SlackSaid | null {
  if (answer.status === null) return null;
  try {
    return said.safeParse(z.json().parse(JSON.parse(answer.body))).data ?? null;
  } catch {
    return null;
  }
}

const tokenErrors = new Set([
  'invalid_auth',
  'not_authed',
  'token_expired',
  'token_revoked',
  'account_inactive',
]);

/** Whether Slack says that the token isn't taken. */
export const isUnauthorized = (answer: OutboundAnswer): boolean =>
  tokenErrors.has(saidBySlack(answer)?.error ?? '');
