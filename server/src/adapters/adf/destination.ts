import { z } from 'zod';
import { adfFirstContactDays, adfLeadType } from '#contract/integrations/adf/rules';
import { adfAuth, adfConfig, type AdfConfig } from '#contract/integrations/adf/schemas';
import { deliveryEvents } from '#contract/integrations/rules';
import type { Destination } from '../../gateways/destination.ts';
import { adfDocument } from './document.ts';

/** Leads as ADF XML, by email or HTTPS (A16.4). */
export const adfDestination: Destination<AdfConfig> = {
  name: 'adf',
  label: 'ADF XML',
  config: adfConfig,
  events: deliveryEvents,
  inboundOnly: true,
  firstContactDays: adfFirstContactDays,
  accepts: ({ department }, config) => config.lead_types[adfLeadType(department)],
  // One document a lead, whatever led to it.
  dedupeKey: ({ subject }) => `${subject.type}:${subject.id}`,
  thread: {
    days: adfFirstContactDays,
    key: ({ party }) => (party.startsWith('+') ? party : null),
  },
  say: (speech) => {
    const { config, secret } = speech;
    const xml = adfDocument(speech);
    if (config.delivery === 'https')
      return {
        via: 'https',
        request: {
          url: config.url ?? '',
          method: 'POST',
          headers: { 'content-type': 'application/x-adf+xml', ...authorization(secret) },
          body: xml,
        },
      };
    const isAttached = config.placement === 'attachment';
    return {
      via: 'mail',
      to: config.to,
      cc: config.cc,
      subject: subjectOf(config),
      text: isAttached ? '' : xml,
      attachments: isAttached
        ? [{ name: 'lead.xml', contentType: 'application/x-adf+xml', text: xml }]
        : [],
    };
  },
};

/** The subject always has the dealer's name in it. */
function subjectOf({ subject_template: template, dealer }: AdfConfig): string {
  const subject = template.replaceAll('{dealer}', () => dealer.name);
  return subject.includes(dealer.name) ? subject : `${dealer.name}: ${subject}`;
}

function authorization(secret: string | null): Record<string, string> {
  if (secret === null) return {};
  const auth = adfAuth.parse(z.json().parse(JSON.parse(secret)));
  if (auth.type === 'bearer') return { authorization: `Bearer ${auth.token}` };
  if (auth.type === 'header') return { [auth.name.toLowerCase()]: auth.value };
  const pair = Buffer.from(`${auth.username}:${auth.password}`).toString('base64');
  return { authorization: `Basic ${pair}` };
}
