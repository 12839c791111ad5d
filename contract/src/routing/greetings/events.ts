import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

export const greetingChanged = event<typeof payloads.greetingChanged>({
  name: 'greeting.changed',
  channel: 'companies',
  invalidates: ['listGreetings', 'getGreeting'],
});
