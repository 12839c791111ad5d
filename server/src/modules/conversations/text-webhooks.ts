import type { Services, OutboxNotifier } from '../../platform/context.ts';
import type { DeliveryReport, IncomingText } from '../../gateways/messaging.ts';
import { receiveReceipt } from './receive-receipt.ts';
import { receiveText } from './receive-texts.ts';

/** Texts a carrier brought; resolves when all are stored. */
export async function receiveTexts(
  services: Services,
  notifier: OutboxNotifier,
  carrier: string,
  texts: readonly IncomingText[],
): Promise<void> {
  await Promise.all(texts.map((text) => receiveText(services, notifier, carrier, text)));
}
/** Receipts, of which several may be of one text; resolves when all are stored. */
export async function receiveReceipts(
  services: Services,
  notifier: OutboxNotifier,
  carrier: string,
  reports: readonly DeliveryReport[],
): Promise<void> {
  await Promise.all(reports.map((report) => receiveReceipt(services, notifier, carrier, report)));
}
