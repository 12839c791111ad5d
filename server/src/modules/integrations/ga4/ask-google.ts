import { z } from 'zod';
import type { Ga4Config, Ga4Message } from '#contract/integrations/ga4/schemas';
import type { Ctx } from '../../../platform/context.ts';
import { sampleSpeech } from '../deliveries/sample-facts.ts';

const validation = z.object({
  validationMessages: z.array(
    z.object({ fieldPath: z.string().optional(), description: z.string() }),
  ),
});
const warning = (text: string): Ga4Message => ({ field: null, text, level: 'warning' });

/**
 * What Google says of a sample of every event, asked at its validation address: the live one says yes
 * to everything. With warnings of ours.
 * @param ctx outside a transaction
 */
export async function askGoogle(
  ctx: Ctx,
  config: Ga4Config,
  secret: string,
): Promise<Ga4Message[]> {
  const kind = ctx.gateways.destinations.get('ga4');
  const messages = new Map<string, Ga4Message>();
  const add = (message: Ga4Message) => messages.set(message.text, message);
  if (config.clientIdPolicy === 'generate')
    add(
      warning(
        'People without Google’s cookie get an ID that we make, so their sessions don’t join.',
      ),
    );
  for (const event of new Set(config.events.map(({ trigger }) => trigger))) {
    const request = kind?.check?.(sampleSpeech(ctx.now, event, { config, secret }));
    if (!request) continue;
    const answer = await ctx.gateways.outbound.send(request);
    if (answer.status === null || answer.status >= 300) {
      add(warning('Google Analytics couldn’t be asked whether this is right.'));
      continue;
    }
    for (const one of readMessages(answer.body)) add(one);
  }
  return [...messages.values()];
}

/** The messages of an answer; none where nothing was asked, as in the demo. */
function readMessages(body: string): Ga4Message[] {
  try {
    const read = validation.safeParse(z.json().parse(JSON.parse(body)));
    return (read.data?.validationMessages ?? []).map(({ fieldPath, description }) => ({
      field: fieldPath ?? null,
      text: description.slice(0, 500),
      level: 'error',
    }));
  } catch {
    return [];
  }
}
