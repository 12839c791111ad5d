import { z } from 'zod';
import type { Lookup } from '../../gateways/lookup.ts';
import { isUnauthorized, saidBySlack, slackApi } from './answers.ts';

const page = z.object({
  channels: z.array(
    z.object({ id: z.string(), name: z.string(), is_private: z.boolean().optional() }),
  ),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

/** The channels of a workspace that can be posted to. */
export const slackChannels: Lookup = {
  provider: 'slackbot',
  kind: 'channels',
  ask({ cursor }) {
    const query = new URLSearchParams({
      types: 'public_channel,private_channel',
      exclude_archived: 'true',
      limit: '200',
      ...(cursor !== null && { cursor }),
    });
    const url = `${slackApi}/conversations.list?${query.toString()}`;
    return { url, method: 'GET', headers: {}, body: '' };
  },
  read(answer) {
    const read = saidBySlack(answer);
    if (isUnauthorized(answer)) return { state: 'unauthorized', text: String(read?.error) };
    if (!read || read.error === 'ratelimited')
      return { state: 'away', text: answer.status === null ? answer.error : String(answer.status) };
    const found = read.ok ? page.safeParse(read).data : undefined;
    if (!found) return { state: 'refused', text: read.error ?? 'no channels' };
    return {
      state: 'found',
      items: found.channels.map(({ id, name, is_private: isPrivate }) => ({
        ...{ id, name },
        detail: isPrivate ? 'private' : null,
      })),
      next: found.response_metadata?.next_cursor || null,
    };
  },
};
