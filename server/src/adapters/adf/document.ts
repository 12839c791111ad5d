import { adfCommentLength, adfLeadType, adfServices } from '#contract/integrations/adf/rules';
import type { AdfConfig } from '#contract/integrations/adf/schemas';
import type { DeliveryFacts, Speech } from '../../gateways/destination.ts';
import { block, cdata, element, escaped, printable } from './xml.ts';

/**
 * A lead as an ADF 1.0 document (A16.4), its elements in the order that readers demand. ASCII
 * throughout.
 */
export function adfDocument(speech: Speech<AdfConfig>): string {
  const { facts, config, platform, thread } = speech;
  const id = (value: string, sequence?: number): string =>
    element('id', escaped(value), {
      ...(sequence !== undefined && { sequence: String(sequence) }),
      source: platform,
    });
  const prospect = block(
    'prospect',
    [
      id(String(thread.rootId), thread.no),
      element(
        'requestdate',
        localTime(facts.happenedAt, config.timezone ?? facts.company.timezone),
      ),
      vehicle(facts, config),
      customer(speech),
      vendor(config, id),
      provider(facts, config, id),
    ],
    { status: 'new' },
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<?adf version="1.0"?>\n${block('adf', [prospect])}\n`;
}

/** ISO-8601 with the zone's offset at that moment: 2026-11-21T09:15:04-05:00. */
function localTime(at: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', timeZoneName: 'longOffset' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  }).formatToParts(at);
  const of = (type: Intl.DateTimeFormatPartTypes): string =>
    parts.find((part) => part.type === type)?.value ?? '';
  const offset = of('timeZoneName').replace('GMT', '') || '+00:00';
  return `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}:${of('second')}${offset}`;
}

const interests = ['buy', 'lease', 'sell', 'trade-in', 'test-drive'];
/** Custom fields that describe a vehicle, by what they are called. */
const vehicleFields: Readonly<Record<string, RegExp>> = {
  year: /^(?:vehicle )?(?:model )?year$/i,
  make: /^(?:vehicle )?make$/i,
  model: /^(?:vehicle )?model$/i,
  vin: /^(?:vehicle )?vin(?: number)?$/i,
  stock: /^stock(?: number| no\.?| #)?$/i,
  trim: /^(?:vehicle )?trim$/i,
  odometer: /^(?:odometer|mileage|miles)$/i,
  comments: /^vehicle comments?$/i,
  interest: /^interest(?:ed in)?$/i,
  status: /^(?:vehicle )?(?:status|condition)$/i,
};

/** The vehicle asked for; year, make and model are there even when they are unknown. */
function vehicle(facts: DeliveryFacts, config: AdfConfig): string {
  const fields = config.vehicle_from === 'none' ? [] : facts.customFields;
  const of = (name: string): string =>
    fields.find((field) => vehicleFields[name]?.test(field.name.trim()))?.value ?? '';
  const optional = ['vin', 'stock', 'trim'].flatMap((name) =>
    of(name) ? [element(name, escaped(of(name)))] : [],
  );
  const odometer = of('odometer').replaceAll(/\D/g, '');
  const interest = of('interest')
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-');
  return block(
    'vehicle',
    [
      ...['year', 'make', 'model'].map((name) => element(name, escaped(of(name)))),
      ...optional,
      odometer && element('odometer', odometer, { units: 'miles' }),
      of('comments') && element('comments', cdata(of('comments').slice(0, adfCommentLength))),
    ],
    {
      interest: interests.includes(interest) ? interest : 'buy',
      status: /used/i.test(of('status')) ? 'used' : 'new',
    },
  );
}

function customer(speech: Speech<AdfConfig>): string {
  const { facts } = speech;
  const { contact, party } = facts;
  const formEmail = facts.form?.fields.find(({ value }) => /^[^\s@]+@[^\s@]+$/.test(value))?.value;
  const email = contact?.email || formEmail || '';
  const phone = /^\+\d+$/.test(party) ? party : '';
  const lines = [
    ...names(facts),
    email && element('email', escaped(email)),
    element('phone', escaped(phone), { type: 'voice', time: 'nopreference' }),
    contact && hasAddress(contact) ? homeAddress(contact) : '',
  ];
  return block('customer', [block('contact', lines), element('comments', cdata(comments(speech)))]);
}

/** First and last name of a person, or the whole of what isn't clearly one. */
function names({ contact, callerName }: DeliveryFacts): string[] {
  const name = printable(contact?.name || callerName || '').trim();
  if (!name && contact?.companyName) return [fullName(contact.companyName, 'business')];
  const [first, last, ...more] = name.split(/\s+/);
  if (contact && first && last && more.length === 0)
    return [
      element('name', escaped(first), { part: 'first' }),
      element('name', escaped(last), { part: 'last' }),
    ];
  return [fullName(name || 'Unknown Caller', 'individual')];
}
const fullName = (name: string, type: 'individual' | 'business'): string =>
  element('name', escaped(name), { part: 'full', type });

const hasAddress = ({ street, city, state, zip }: NonNullable<DeliveryFacts['contact']>) =>
  Boolean(street || city || state || zip);
const homeAddress = (contact: NonNullable<DeliveryFacts['contact']>): string =>
  block(
    'address',
    [
      contact.street && element('street', escaped(contact.street), { line: '1' }),
      contact.city && element('city', escaped(contact.city)),
      contact.state && element('regioncode', escaped(contact.state)),
      contact.zip && element('postalcode', escaped(contact.zip)),
      element('country', escaped(/^[A-Za-z]{2}$/.test(contact.country) ? contact.country : 'US')),
    ],
    { type: 'home' },
  );

const outcomes = { answered: 'Answered', missed: 'Missed', voicemail: 'Voicemail' } as const;

/** What people read of the lead, a fact a line. */
function comments({ facts, config: { include } }: Speech<AdfConfig>): string {
  const { source } = facts;
  const line = (label: string, value: string | null | undefined): string[] =>
    value ? [`${label}: ${value}`] : [];
  const wanted = include.custom_fields.map((name) => name.toLowerCase());
  const all = [
    ...line('Outcome', facts.outcome && outcomes[facts.outcome]),
    ...(facts.subject.type === 'call' ? [`Duration: ${facts.durationSeconds} s`] : []),
    ...line('Answered by', facts.answeredBy),
    ...(facts.party === 'anonymous' ? ['The caller withheld their number'] : []),
    ...(facts.outcomeTags.includes('appt_booked') ? ['Appointment: yes'] : []),
    ...(include.source
      ? [
          ...line(
            'Called number',
            [facts.number.label, facts.number.number].filter(Boolean).join(' '),
          ),
          ...line('Source', source?.label),
          ...line('Medium', source?.medium),
          ...line('Campaign', source?.campaign),
        ]
      : []),
    ...facts.customFields
      .filter(({ name }) => wanted.includes(name.toLowerCase()))
      .flatMap(({ name, value }) => line(name, value)),
    ...(facts.form?.fields ?? []).flatMap(({ name, value }) => line(name, value)),
    ...line('Text', facts.form ? null : facts.text),
    ...(include.summary ? line('Summary', facts.summary) : []),
    ...(include.recording_link && facts.hasRecording ? line('Recording', facts.link) : []),
    ...(include.transcript ? line('Transcript', facts.transcript) : []),
  ];
  return [...all.join('\n')].slice(0, adfCommentLength).join('');
}

/** An element with an ID at its source. */
type Identify = (value: string) => string;

function vendor({ dealer }: AdfConfig, id: Identify): string {
  const { street, city, region, postal_code: zip, country } = dealer.address;
  const contact = [
    element('name', escaped(dealer.name), { part: 'full' }),
    dealer.phone && element('phone', escaped(dealer.phone)),
    dealer.email && element('email', escaped(dealer.email)),
    street || city || region || zip
      ? block('address', [
          street && element('street', escaped(street), { line: '1' }),
          city && element('city', escaped(city)),
          region && element('regioncode', escaped(region)),
          zip && element('postalcode', escaped(zip)),
          element('country', country),
        ])
      : '',
  ];
  return block('vendor', [
    dealer.id && id(dealer.id),
    element('vendorname', escaped(dealer.name)),
    block('contact', contact),
  ]);
}

function provider(facts: DeliveryFacts, config: AdfConfig, id: Identify): string {
  const { name, service, url, email, phone } = config.provider;
  return block('provider', [
    id(String(facts.company.id)),
    element('name', escaped(name || facts.company.name), { part: 'full' }),
    element('service', escaped(service || adfServices[adfLeadType(facts.department)])),
    url && element('url', escaped(url)),
    email && element('email', escaped(email)),
    phone && element('phone', escaped(phone)),
  ]);
}
