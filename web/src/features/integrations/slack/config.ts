import type { BodyIn, slack } from '#contract';
import { deliveryEvents, type DeliveryEvent } from '#contract/integrations/rules';
import type { Account } from '../AccountActions.tsx';

export type Workspace = Account;
type Config = BodyIn<typeof slack.configureSlack>['config'];
export type Channel = NonNullable<Config['channels']>[number];

/** What is set of a workspace; nothing is before it is configured. */
export const configOf = ({ config }: Workspace): Config =>
  // Checked by the server when it was stored.
  config as Config;

/** A channel of a workspace; undefined: it isn't set up. */
export const channelOf = (workspace: Workspace, id: string): Channel | undefined =>
  configOf(workspace).channels?.find((one) => one.id === id);

/** The workspace's configuration with this channel, in the place of one with its ID. */
export function withChannel(workspace: Workspace, channel: Channel): Config {
  const { channels = [], ...config } = configOf(workspace);
  const isKnown = channels.some(({ id }) => id === channel.id);
  return {
    ...config,
    channels: isKnown
      ? channels.map((one) => (one.id === channel.id ? channel : one))
      : [...channels, channel],
  };
}

/** The workspace's configuration without a channel. */
export function withoutChannel(workspace: Workspace, id: string): Config {
  const { channels = [], ...config } = configOf(workspace);
  return { ...config, channels: channels.filter((one) => one.id !== id) };
}

/** What is posted to a channel. */
export const eventsOf = (channel: Channel | undefined): DeliveryEvent[] =>
  deliveryEvents.filter((event) => channel?.rules?.some((rule) => rule.event === event));
