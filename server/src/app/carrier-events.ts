import type { CarrierEventSink } from '../gateways/carrier.ts';
import * as calls from '../modules/calls/index.ts';
import * as campaigns from '../modules/campaigns/index.ts';
import * as compliance from '../modules/compliance/index.ts';
import * as conversations from '../modules/conversations/index.ts';
import * as messaging from '../modules/messaging/index.ts';
import * as porting from '../modules/porting/index.ts';
import type { OutboxNotifier, Services } from '../platform/context.ts';

/** The tables with messages that delivery receipts are about. */
const textTables = [campaigns.recipientReceipts, conversations.itemReceipts];

/** Passes what carriers report to the modules that store it. */
export const carrierEventSinks =
  (services: Services, notifier: OutboxNotifier) =>
  (carrier: string): CarrierEventSink => ({
    onVoiceEvents: (events) => calls.receiveVoice(services, notifier, carrier, events),
    onTexts: (texts) => conversations.receiveTexts(services, notifier, carrier, texts),
    onDeliveryReports: (reports) =>
      messaging.receiveReceipts(services, notifier, textTables, carrier, reports),
    onRegistrationChanges: (refs) => compliance.receiveReviews(services, notifier, carrier, refs),
    onPortReports: (reports) => porting.receivePorts(services, notifier, carrier, reports),
    onTranscripts: (arrived) => calls.receiveWords(services, notifier, carrier, arrived),
  });

/**
 * Gives each carrier its event sink, for events that arrive without a webhook. Once per process.
 */
export function attachCarrierEvents(services: Services, notifier: OutboxNotifier): void {
  const sinkOf = carrierEventSinks(services, notifier);
  for (const carrier of services.gateways.carriers.all)
    carrier.attachEventSink?.(sinkOf(carrier.name));
}
