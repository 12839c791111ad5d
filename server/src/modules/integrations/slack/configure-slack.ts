import type { Answer, Body, slack as contract } from '#contract';
import { slackConfig } from '#contract/integrations/oauth-integrations/configs';
import type { Ctx } from '../../../platform/context.ts';
import { fail, invalid, notFound } from '../../../platform/errors.ts';
import { connectedAccount } from '../../connections/index.ts';
import { lookUp } from '../accounts/look-up.ts';
import { labelOf } from '../accounts/present-account.ts';
import { sendWithAccount } from '../accounts/send-with-account.ts';
import { updateAccount } from '../accounts/set-account.ts';
import { accountRows } from '../accounts/store-accounts.ts';
import { sampleSpeech } from '../deliveries/sample-facts.ts';

const PROVIDER = 'slackbot';
type Input = Body<typeof contract.configureSlack>;

/** A company’s workspace. Fails with `not_found`, for accounts of other providers too. */
async function requireWorkspace(ctx: Ctx, id: number): Promise<void> {
  const { provider } = await ctx.transaction((t) => connectedAccount(t, id));
  if (provider !== PROVIDER) notFound();
}

/**
 * The channels that can be posted to. Fails with `not_found`, and with why they can't be read.
 * @param ctx outside a transaction
 */
export async function listChannels(
  ctx: Ctx,
  id: number,
): Promise<Answer<typeof contract.listSlackChannels>> {
  await requireWorkspace(ctx, id);
  const { data } = await lookUp(ctx, id, { kind: 'channels', parent: undefined });
  return {
    data: data.map(({ id: channel, name, detail }) => ({
      ...{ id: channel, name },
      is_private: detail === 'private',
    })),
  };
}

/**
 * Sets what is posted where, once the test messages arrived. Fails with `not_found`, with a field
 * error for a channel that Slack refuses, and with why Slack can't be asked.
 * @param ctx outside a transaction
 */
export async function configureSlack(
  ctx: Ctx,
  id: number,
  { config, test_channels: chosen }: Input,
): Promise<Answer<typeof contract.configureSlack>> {
  await requireWorkspace(ctx, id);
  const known = await ctx.transaction(async (t) => {
    const row = (await accountRows(t.tx, t.companyId)).get(id);
    return new Set(slackConfig.parse(row?.config ?? {}).channels.map((one) => one.id));
  });
  const ids = config.channels.map((one) => one.id);
  const twice = ids.findIndex((one, at) => ids.indexOf(one) !== at);
  if (twice >= 0) invalid({ [`config.channels.${twice}.id`]: 'This channel is listed twice.' });
  for (const [at, { id: channel }] of config.channels.entries())
    if (chosen ? chosen.includes(channel) : !known.has(channel))
      await testChannel(ctx, id, { at, config });
  return ctx.transaction((t) => updateAccount(t, id, config));
}

async function testChannel(
  ctx: Ctx,
  id: number,
  { at, config }: { at: number; config: Input['config'] },
): Promise<void> {
  const kind = ctx.gateways.destinations.get(PROVIDER);
  const place = kind?.places?.(config)[at];
  const request =
    place &&
    kind.check?.(
      sampleSpeech(ctx.now, 'call.missed', {
        config: kind.config.parse(place.config),
        secret: null,
      }),
    );
  if (!request) return;
  const sent = await sendWithAccount(ctx, id, request, (answer) =>
    Boolean(kind.isUnauthorized?.(answer)),
  );
  const provider = labelOf(PROVIDER);
  if (sent.unusable)
    fail(sent.unusable === 'away' ? 'integration.away' : 'integration.reconnect', { provider });
  const verdict = kind.read?.(sent.answer) ?? { state: 'sent' as const };
  if (verdict.state === 'refused') invalid({ [`config.channels.${at}.id`]: verdict.error });
  if (verdict.state === 'retry') fail('integration.away', { provider });
}
