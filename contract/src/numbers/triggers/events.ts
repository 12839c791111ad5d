import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

export const triggersChanged = event<typeof payloads.triggersChanged>({
  name: 'number.triggers_changed',
  channel: 'companies',
  invalidates: ['getNumber', 'listNumbers'],
  about: ['numberId'],
});

/** A keyword rule matched an inbound text; contacts and notifications subscribe. */
export const keywordMatched = event<typeof payloads.keywordMatched>({
  name: 'keyword.heard',
  channel: 'companies',
  about: ['numberId'],
  invalidates: ['getNumber'],
});

/** The same, on the channel of each person who is notified. */
export const keywordNotification = event<typeof payloads.keywordNotification>({
  name: 'keyword-heard',
  channel: 'users',
  about: ['userId'],
});
