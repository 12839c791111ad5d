import * as calls from '../modules/calls/index.ts';
import * as campaigns from '../modules/campaigns/index.ts';
import * as integrations from '../modules/integrations/index.ts';
import type { OutboxNotifier, Services } from '../platform/context.ts';
import type { Leases } from '../platform/lease.ts';
import { startOutboxRelay, type Subscriber } from '../platform/outbox-relay.ts';
import { databaseUrlOf } from '../platform/settings.ts';

/** What a worker does besides jobs: the outbox relay, call timers, campaigns and deliveries. */
export function startPromptWork(
  services: Services,
  notifier: OutboxNotifier,
  leases: Leases,
  options: { subscribers: readonly Subscriber[]; unthrottled?: boolean },
) {
  const { settings, log } = services;
  const relay = startOutboxRelay(databaseUrlOf(settings), log, options.subscribers);
  const callTimers = calls.startCallClock(services, notifier);
  const dispatch = campaigns.startDispatcher(services, notifier, leases, options);
  const deliveries = integrations.startDeliveries(services, notifier);
  return {
    isDelivering: deliveries.isDelivering,
    stop: async () => {
      await deliveries.stop();
      await dispatch.stop();
      await callTimers.stop();
      await relay.stop();
    },
  };
}
