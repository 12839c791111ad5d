import type { CarrierWebhook } from '../../ports/carrier.ts';
import { isGenuine, webhookPath, type Desk } from './desk.ts';
import { lookAt } from './porting.ts';

/** `/registrations`: toll-free verifications, in JSON, by number. `/orders`: the Dashboard's notifications of port-ins, in XML. Both only name what moved. */
export function papersWebhooks(desk: Desk): CarrierWebhook[] {
  return [
    {
      path: webhookPath('registrations'),
      answer: async (request, hear) => {
        if (!isGenuine(desk, request)) return { status: 403 };
        const refs = new Set<string>();
        for (const number of new Set(request.body.toString('utf8').match(/\+1\d{10}/g) ?? []))
          for (const key of await desk.book.keysMentioning('registration', number)) refs.add(key);
        await hear.registrations([...refs]);
        return { status: 204 };
      },
    },
    {
      path: webhookPath('orders'),
      answer: async (request, hear) => {
        if (!isGenuine(desk, request)) return { status: 403 };
        const ref = /<OrderId>\s*([\w-]{1,60})\s*<\/OrderId>/.exec(
          request.body.toString('utf8'),
        )?.[1];
        const report = ref && (await lookAt(desk, ref));
        if (report) await hear.ports([report]);
        return { status: 204 };
      },
    },
  ];
}
