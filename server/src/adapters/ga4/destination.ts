import { createHash } from 'node:crypto';
import { ga4EventName, ga4Limits, type Ga4Field } from '#contract/integrations/ga4/rules';
import { ga4Config, type Ga4Config } from '#contract/integrations/ga4/schemas';
import { deliveryEvents } from '#contract/integrations/rules';
import type { DeliveryFacts, Destination, Speech } from '../../gateways/destination.ts';

const origin = 'https://www.google-analytics.com';
const MINUTE_MS = 60_000;

/** Calls and texts as events of Google Analytics 4 (A16.3). */
export const ga4Destination: Destination<Ga4Config> = {
  name: 'ga4',
  label: 'Google Analytics 4',
  config: ga4Config,
  events: deliveryEvents,
  inboundOnly: true,
  firstContactDays: null,
  accepts: (facts, { clientIdPolicy }) =>
    clientIdPolicy === 'generate' || clientIdOf(facts) !== null,
  whyNot: (facts, { clientIdPolicy }) =>
    clientIdPolicy === 'generate' || clientIdOf(facts) !== null
      ? null
      : 'No cookie of Google Analytics was captured at the visit.',
  dedupeKey: ({ event, subject }) => `${event}:${subject.type}:${subject.id}`,
  say: (speech) => ({ via: 'https', request: measurement(speech, '/mp/collect') }),
  // Its live address says 2xx to everything; what it can't read was refused when it was set.
  check: (speech) => measurement(speech, '/debug/mp/collect'),
};

function measurement(speech: Speech<Ga4Config>, path: string) {
  const { config, secret } = speech;
  const query = new URLSearchParams({
    measurement_id: config.measurementId,
    api_secret: secret ?? '',
  });
  return {
    url: `${origin}${path}?${query.toString()}`,
    method: 'POST' as const,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(payload(speech)),
  };
}

/** The cookie `_ga` ends in the ID by which Google knows the browser; null: it isn't known. */
const clientIdOf = ({ cookies }: DeliveryFacts): string | null =>
  /^GA\d\.\d\.(\d+\.\d+)$/.exec(cookies['_ga'] ?? '')?.[1] ?? null;

/** The cookie of the property holds the ID of the session; null: it isn't known. */
function sessionIdOf({ cookies }: DeliveryFacts, measurementId: string): string | null {
  const cookie = cookies[`_ga_${measurementId.slice(2)}`] ?? '';
  return /^GS\d\.\d\.s?(\d+)/.exec(cookie)?.[1] ?? null;
}

/** A browser of no one: the same for all that is known of one person's calls here. */
function generatedClientId({ company, party, subject }: DeliveryFacts): string {
  const who = party.startsWith('+') ? party : String(subject.id);
  const hash = createHash('sha256').update(`ga4:${company.id}:${who}`).digest();
  return `${hash.readUInt32BE(0)}.${hash.readUInt32BE(4)}`;
}

function payload({ facts, config, now }: Speech<Ga4Config>) {
  const oldest = now.getTime() - ga4Limits.hoursBack * 3_600_000 + MINUTE_MS;
  const at = Math.max(facts.happenedAt.getTime(), oldest);
  const { contact, company } = facts;
  const events = config.events
    .filter(({ trigger }) => trigger === facts.event)
    .slice(0, ga4Limits.eventsPerRequest);
  return {
    client_id: clientIdOf(facts) ?? generatedClientId(facts),
    ...(config.sendUserIdHash &&
      contact && {
        user_id: createHash('sha256').update(`${company.id}:${contact.id}`).digest('hex'),
      }),
    timestamp_micros: at * 1000,
    ...(config.nonPersonalizedAds && { non_personalized_ads: true }),
    consent: config.consent,
    user_properties: Object.fromEntries(
      named(config.userProperties, facts, config).map(([name, value]) => [name, { value }]),
    ),
    events: events.map((event) => ({
      name: event.eventName ?? ga4EventName(event.trigger),
      params: {
        ...Object.fromEntries(named(config.parameters, facts, config)),
        ...(event.sendValue &&
          facts.valueCents !== null && { value: facts.valueCents / 100, currency: event.currency }),
        ...(config.debugMode && { debug_mode: true }),
      },
    })),
  };
}

/** Facts under the names that were chosen for them; what isn't known is left out. */
function named(
  names: Partial<Record<Ga4Field, string>>,
  facts: DeliveryFacts,
  config: Ga4Config,
): [string, string | number][] {
  const values = valuesOf(facts, config);
  return Object.entries(names).flatMap(([field, name]) => {
    const value = values[field as Ga4Field];
    if (!name || value === null || value === '') return [];
    return [[name, typeof value === 'string' ? value.slice(0, ga4Limits.value) : value] as const];
  }) as [string, string | number][];
}

/** Our facts by their names. Neither the caller's number nor their name is among them. */
function valuesOf(
  facts: DeliveryFacts,
  config: Ga4Config,
): Record<Ga4Field, string | number | null> {
  const { source, number } = facts;
  const isCall = facts.subject.type === 'call';
  return {
    call_id: isCall ? String(facts.subject.id) : null,
    tracking_number: number.number,
    call_outcome: facts.outcome,
    call_duration: isCall ? facts.durationSeconds : null,
    source: source?.label ?? null,
    medium: source?.medium ?? null,
    campaign: source?.campaign ?? null,
    term: source?.keyword ?? null,
    content: facts.adContent,
    landing_page: source?.landingUrl ?? null,
    department: facts.department === 'unknown' ? null : facts.department,
    first_time_caller: String(facts.firstContact),
    engagement_time_msec: Math.max(1, facts.talkSeconds * 1000),
    session_id: config.sendSessionId ? sessionIdOf(facts, config.measurementId) : null,
    qualified: String(facts.qualified),
    outcome_tags: facts.outcomeTags.join(','),
    number_label: number.label,
  };
}
