/** People of HubSpot, read back: whoever changed, and those that a call or text was logged with. */
import { z } from 'zod';
import { oauthConfigs } from '#contract/integrations/oauth-integrations/configs';
import type {
  CrmOwner,
  CrmPerson,
  CrmProblem,
  CrmReader,
  CrmReading,
} from '../../gateways/crm-reader.ts';
import type { OutboundAnswer } from '../../gateways/outbound.ts';
import { readAnswer } from '../shared/answers.ts';
import { settledBefore } from '../shared/crm-cursor.ts';
import { errorOf, hubspotObject, hubspotRequest, waitSeconds, type HubspotObject } from './api.ts';

const contacts = '/crm/v3/objects/contacts';
const PAGE = 100;
/** HubSpot's search names no more results of one question. */
const MOST_FOUND = 10_000;
/** Pages of owners that are read at most. */
const OWNER_PAGES = 10;

const properties = [
  ...['firstname', 'lastname', 'company', 'phone', 'mobilephone'],
  ...['hubspot_owner_id', 'lastmodifieddate'],
];

/** `since`: when the last one read was changed, ms. `after`: HubSpot's place in those of that moment. */
const cursorShape = z.object({ since: z.number(), after: z.string().nullable() });
const paging = z.object({ next: z.object({ after: z.string() }).optional() }).optional();
const page = z.object({ results: z.array(hubspotObject), paging });
const owners = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      email: z.string().nullish(),
      firstName: z.string().nullish(),
      lastName: z.string().nullish(),
    }),
  ),
  paging,
});

export const hubspotReader: CrmReader<z.infer<typeof oauthConfigs.hubspot>> = {
  provider: 'hubspot',
  config: oauthConfigs.hubspot,
  *changed(_, { cursor, now }) {
    const from = cursor === null ? start : cursorShape.parse(JSON.parse(cursor));
    const answer = yield hubspotRequest('POST', `${contacts}/search`, {
      filterGroups: [
        {
          filters: [
            { propertyName: 'lastmodifieddate', operator: 'GTE', value: String(from.since) },
          ],
        },
      ],
      properties,
      sorts: ['lastmodifieddate'],
      limit: PAGE,
      after: from.after ?? '0',
    });
    const read = readAnswer(answer, page);
    if (!read) return problem(answer);
    const people = yield* withOwners(read.results);
    if ('state' in people) return people;
    const next = read.paging?.next?.after ?? null;
    const to = follow(from, read.results, next, now);
    return { state: 'read', people, cursor: JSON.stringify(to), more: next !== null };
  },
  *byIds(_, ids) {
    const answer = yield hubspotRequest('POST', `${contacts}/batch/read`, {
      properties,
      propertiesWithHistory: [],
      inputs: ids.map((id) => ({ id })),
    });
    const read = readAnswer(answer, page);
    if (!read) return problem(answer);
    const people = yield* withOwners(read.results);
    return 'state' in people ? people : { state: 'read', people };
  },
};

type Cursor = z.infer<typeof cursorShape>;
const start: Cursor = { since: 0, after: null };

/**
 * Where to go on after a page. By time, as those that change meanwhile leave their places; within one
 * moment, of which there are more than a page, by place.
 */
function follow(
  from: Cursor,
  found: readonly HubspotObject[],
  next: string | null,
  now: Date,
): Cursor {
  const last = Math.max(
    from.since,
    ...found.map(({ properties: { lastmodifieddate } }) => Date.parse(lastmodifieddate ?? '') || 0),
  );
  if (next === null) return { since: Math.max(from.since, settledBefore(last, now)), after: null };
  if (last > from.since) return { since: last, after: null };
  return Number(next) < MOST_FOUND
    ? { since: last, after: next }
    : { since: last + 1, after: null };
}

/** People with their owners, who are asked for where someone has one. */
function* withOwners(found: readonly HubspotObject[]): CrmReading<CrmPerson[]> {
  const byId = new Map<string, CrmOwner>();
  const isOwned = found.some(({ properties: { hubspot_owner_id: id } }) => id);
  let after: string | undefined;
  for (let n = 0; isOwned && n < OWNER_PAGES; n++) {
    const query = new URLSearchParams({ limit: '100', archived: 'false', ...(after && { after }) });
    const answer = yield hubspotRequest('GET', `/crm/v3/owners?${query.toString()}`);
    const read = readAnswer(answer, owners);
    if (!read) return problem(answer);
    for (const { id, email, firstName, lastName } of read.results) {
      const name = [firstName, lastName].filter(Boolean).join(' ');
      byId.set(id, { name: name || email || id, email: email ?? null });
    }
    after = read.paging?.next?.after;
    if (after === undefined) break;
  }
  return found.map(({ id, properties: of }) => ({
    id,
    phones: [of['phone'], of['mobilephone']].flatMap((phone) => phone || []),
    name: [of['firstname'], of['lastname']].flatMap((word) => word?.trim() || []).join(' '),
    companyName: of['company']?.trim() ?? '',
    owner: byId.get(of['hubspot_owner_id'] ?? '') ?? null,
  }));
}

function problem(answer: OutboundAnswer): CrmProblem {
  if (answer.status === null) return { state: 'retry', error: answer.error };
  if (answer.status === 429)
    return { state: 'wait', seconds: waitSeconds(answer), error: 'HubSpot asked to wait.' };
  if (answer.status === 403)
    return {
      state: 'refused',
      error: 'HubSpot doesn’t allow it. Connect the account again to give access.',
    };
  const { category = '' } = errorOf(answer);
  if (answer.status === 400)
    return { state: 'refused', error: `HubSpot refused it: ${category || answer.status}.` };
  return { state: 'retry', error: `HubSpot answered with status ${answer.status}.` };
}
