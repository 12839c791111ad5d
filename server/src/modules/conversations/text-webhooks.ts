import type { Services, OutboxNotifier } from '../../platform/context.ts';
import type { IncomingText } from '../../gateways/messaging.ts';
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
