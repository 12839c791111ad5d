import { createHash } from 'node:crypto';
import type { WebhookRequest, CarrierWebhook } from '../../gateways/carrier.ts';
import { sdk } from './api.ts';
import { webhookPath, type TwilioClient } from './client.ts';
import { fetchReport } from './port-reports.ts';
import { readSignedForm } from './signature.ts';

/** Everything in a webhook that looks like a Twilio id. */
const idsIn = (text: string): string[] => [
  ...new Set(text.match(/\b(?:BU|BN|QE|CM|HH|KW|PU)[0-9a-fA-F]{32}\b/g) ?? []),
];

/** JSON is signed by its URL, which has a hash of the body. Null: the signature is wrong. */
function readSignedJson(request: WebhookRequest, authToken: string): string | null {
  const given = request.headers['x-twilio-signature'];
  const hash = request.query.get('bodySHA256');
  if (
    typeof given !== 'string' ||
    !hash ||
    createHash('sha256').update(request.body).digest('hex') !== hash.toLowerCase()
  )
    return null;
  return sdk().validateRequest(authToken, given, request.url, {})
    ? request.body.toString('utf8')
    : null;
}
function readSignedReport(request: WebhookRequest, authToken: string): string | null {
  const form = readSignedForm(request, authToken);
  return form ? Object.values(form).join(' ') : readSignedJson(request, authToken);
}

/**
 * `/registrations`: bundles by form; brands, campaigns and verifications by event streams.
 * `/ports`: the porting webhook. Both only name what changed; its status is fetched.
 */
export function registrationWebhooks(client: TwilioClient): CarrierWebhook[] {
  return [
    {
      path: webhookPath('registrations'),
      handle: async (request, sink) => {
        const said = readSignedReport(request, client.settings.authToken);
        if (said === null) return { status: 403 };
        const named = request.query.get('registration');
        const refs = new Set(named ? [named] : []);
        for (const id of idsIn(said))
          for (const key of await client.store.keysMentioning('registration', id)) refs.add(key);
        await sink.onRegistrationChanges([...refs]);
        return { status: 204 };
      },
    },
    {
      path: webhookPath('ports'),
      handle: async (request, sink) => {
        const said = readSignedReport(request, client.settings.authToken);
        if (said === null) return { status: 403 };
        for (const id of idsIn(said).filter((sid) => sid.startsWith('KW'))) {
          const report = await fetchReport(client, id);
          if (report) await sink.onPortReports([report]);
        }
        return { status: 204 };
      },
    },
  ];
}
