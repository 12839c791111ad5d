import type { CarrierWebhook } from '../../gateways/carrier.ts';
import { isAuthentic, webhookPath, type BandwidthClient } from './client.ts';
import { fetchReport } from './porting-orders.ts';

/**
 * `/registrations`: toll-free verifications (JSON), by number. `/orders`: the Dashboard's
 * notifications of port-ins (XML). Both only name what changed; its status is fetched.
 */
export function registrationWebhooks(client: BandwidthClient): CarrierWebhook[] {
  return [
    {
      path: webhookPath('registrations'),
      handle: async (request, sink) => {
        if (!isAuthentic(client, request)) return { status: 403 };
        const refs = new Set<string>();
        for (const number of new Set(request.body.toString('utf8').match(/\+1\d{10}/g) ?? []))
          for (const key of await client.store.keysMentioning('registration', number))
            refs.add(key);
        await sink.onRegistrationChanges([...refs]);
        return { status: 204 };
      },
    },
    {
      path: webhookPath('orders'),
      handle: async (request, sink) => {
        if (!isAuthentic(client, request)) return { status: 403 };
        const ref = /<OrderId>\s*([\w-]{1,60})\s*<\/OrderId>/.exec(
          request.body.toString('utf8'),
        )?.[1];
        const report = ref && (await fetchReport(client, ref));
        if (report) await sink.onPortReports([report]);
        return { status: 204 };
      },
    },
  ];
}
