import { z } from 'zod';
import { slackConfig } from '#contract/integrations/oauth-integrations/configs';

const channel = slackConfig.shape.channels.unwrap().element.shape;

/** One channel, with what is set of the workspace. */
export const channelConfig = z.object({
  channel: z.string(),
  template: channel.template,
  alerts: channel.alerts,
  mention: slackConfig.shape.mention,
  thread_by_conversation: slackConfig.shape.thread_by_conversation,
  quiet_hours: slackConfig.shape.quiet_hours,
});
export type SlackChannelConfig = z.infer<typeof channelConfig>;
