import { slackConfig } from '#contract/integrations/oauth-integrations/configs';
import { deliveryEvents } from '#contract/integrations/rules';
import type { Destination, Speech, Verdict } from '../../gateways/destination.ts';
import type { OutboundAnswer } from '../../gateways/outbound.ts';
import { isUnauthorized, saidBySlack, slackApi } from './answers.ts';
import { channelConfig, type SlackChannelConfig } from './channel-config.ts';
import { messageOf, newsMessage } from './message.ts';
import { quietUntil } from './quiet-hours.ts';

/** Calls, texts and forms as messages in a channel (A16.2). */
export const slackDestination: Destination<SlackChannelConfig> = {
  name: 'slackbot',
  label: 'Slack',
  config: channelConfig,
  events: deliveryEvents,
  inboundOnly: true,
  firstContactDays: null,
  places(account) {
    const { channels, mention, thread_by_conversation, quiet_hours } = slackConfig.parse(account);
    return channels.map(({ id, name, rules, template, alerts }) => ({
      key: id,
      name: `#${name}`,
      config: { channel: id, template, alerts, mention, thread_by_conversation, quiet_hours },
      rules,
    }));
  },
  dedupeKey: ({ event, subject }) => `${event}:${subject.type}:${subject.id}`,
  thread: {
    days: 30,
    // A conversation is a number and a person. Its ID may not be known yet: a call's conversation is
    // found beside this delivery.
    key: ({ number, party }) => `${number.id}:${party}`,
  },
  notBefore: ({ quiet_hours: quiet }, now, timezone) => quietUntil(quiet, now, timezone),
  say: (speech) => ({ via: 'https', request: post(speech, messageOf(speech)) }),
  news: {
    isWanted: ({ alerts }) => alerts,
    say: (config, news) => post({ config, thread: noThread }, newsMessage(news, config)),
  },
  check: (speech) => post(speech, { text: testMessage }),
  isUnauthorized,
  read: verdictOf,
};

const testMessage =
  'This is a test message. Trunkline posts calls, texts and forms here, as you set it up.';

const noThread = { no: 1, rootId: 0, rootRef: null };

function post(
  { config, thread }: Pick<Speech<SlackChannelConfig>, 'config' | 'thread'>,
  message: { text: string },
) {
  return {
    url: `${slackApi}/chat.postMessage`,
    method: 'POST' as const,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({
      channel: config.channel,
      ...message,
      unfurl_links: false,
      ...(config.thread_by_conversation &&
        thread.rootRef !== null && { thread_ts: thread.rootRef }),
    }),
  };
}

/** What Slack refuses however often it is asked, and what to do about it. */
const refusals: Readonly<Record<string, string>> = {
  channel_not_found: 'Slack doesn’t know the channel. Choose another one.',
  is_archived: 'The channel is archived. Choose another one.',
  not_in_channel: 'The app isn’t in the channel. Invite it in Slack.',
  restricted_action: 'The workspace doesn’t let apps post in the channel.',
  msg_too_long: 'The message is too long.',
  invalid_blocks: 'Slack couldn’t read the message.',
  no_text: 'The message was empty.',
};

/** What an answer of Slack means. */
function verdictOf(answer: OutboundAnswer): Verdict {
  if (answer.status === null) return { state: 'retry', error: answer.error };
  const read = saidBySlack(answer);
  if (read?.ok)
    return { state: 'sent', ...(typeof read['ts'] === 'string' && { externalRef: read['ts'] }) };
  const code = read?.error ?? '';
  const refusal = refusals[code];
  if (refusal) return { state: 'refused', error: refusal };
  if (code === 'ratelimited' || answer.status === 429)
    return {
      state: 'wait',
      seconds: answer.retryAfterSeconds ?? 30,
      error: 'Slack asked to wait.',
    };
  return { state: 'retry', error: `Slack says ${code || `status ${answer.status}`}.` };
}
