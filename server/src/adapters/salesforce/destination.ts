/**
 * Calls and texts in Salesforce: who called is found by phone or created once as a lead or contact, and each
 * call is an activity of theirs, or a case. Built from its public reference; no live org has been used.
 */
import { z } from 'zod';
import { oauthConfigs } from '#contract/integrations/oauth-integrations/configs';
import type { Destination, Speech, Step, Steps, StepsVerdict } from '../../gateways/destination.ts';
import type { OutboundAnswer, OutboundRequest } from '../../gateways/outbound.ts';
import { readAnswer } from '../shared/answers.ts';
import { phoneOf } from '../shared/crm-call.ts';
import { crmDestination, sentAs } from '../shared/crm-destination.ts';
import { writeFields } from '../shared/write-fields.ts';
import {
  errorsOf,
  failed,
  isOrgHost,
  query,
  quoted,
  refusedFields,
  salesforceRequest,
} from './api.ts';
import { activityOf, personFields, type SalesforceConfig, salesforceConfig } from './records.ts';

const created = z.object({ id: z.string() });
const found = z.object({
  searchRecords: z.array(
    z.looseObject({
      Id: z.string(),
      attributes: z.object({ type: z.string() }),
      IsConverted: z.boolean().optional(),
      ConvertedContactId: z.string().nullish(),
    }),
  ),
});
const queried = z.object({ records: z.array(z.looseObject({ Id: z.string() })) });

type SalesforceSpeech = Speech<SalesforceConfig>;
/** A lead or contact, by Salesforce's ID; null: none is there. */
interface Person {
  id: string | null;
  /** The same where Salesforce had them before. */
  before?: string | undefined;
  last: OutboundAnswer | null;
  warning: string | undefined;
}

export const salesforceDestination: Destination<SalesforceConfig> = {
  ...crmDestination,
  name: 'salesforce',
  label: 'Salesforce',
  config: salesforceConfig,
  places(stored) {
    const { rules, match_by: _, ...config } = oauthConfigs.salesforce.parse(stored);
    if (config.instance === null || !isOrgHost(config.instance)) return [];
    return [{ key: 'org', name: config.instance, config, rules }];
  },
  // It searches by number alone.
  accepts: (facts) => phoneOf(facts) !== null,
  whyNot: (facts) => (phoneOf(facts) === null ? 'The caller’s number is hidden.' : null),
  records: ({ party, subject }) => ({
    party: `party:${party}`,
    activity: `${subject.type}:${subject.id}`,
  }),
  say: (speech) => ({ via: 'steps', steps: () => log(speech), pretend }),
};

/** How an org that knows no one would answer. */
function pretend({ url, method }: OutboundRequest): OutboundAnswer {
  const good = (status: number, body: object): OutboundAnswer => ({
    ...{ status, body: JSON.stringify(body), retryAfterSeconds: null },
  });
  if (url.includes('parameterizedSearch')) return good(200, { searchRecords: [] });
  if (url.includes('/query?')) return good(200, { records: [] });
  return good(method === 'PATCH' ? 204 : 201, { id: 'new' });
}

/** Finds or creates the person, and logs the call or text. */
function* log(speech: SalesforceSpeech): Steps {
  const { facts, config, known } = speech;
  const host = config.instance ?? '';
  const person = yield* findPerson(speech, host);
  if ('state' in person) return person;
  const remember: Record<string, string> = person.id === null ? {} : { party: person.id };
  const activity = activityOf(facts, config, person.id);
  const more = { warning: person.warning, person: person.before };
  if (!activity) {
    if (person.last === null || person.id === null)
      return { state: 'skipped', error: 'Nothing is logged of it, as this account is set up.' };
    return sentAs(person.id, remember, more);
  }
  let id = known['activity'];
  if (id === undefined && speech.isRetry) {
    // What an earlier try may have made.
    const { type, key } = activity;
    const soql = `SELECT Id FROM ${type} WHERE ${key.field} = ${quoted(key.value)} LIMIT 1`;
    const answer = yield { request: query(host, soql), remember };
    const read = readAnswer(answer, queried);
    if (!read) return failed(answer);
    id = read.records[0]?.Id;
  }
  const path = `/sobjects/${activity.type}`;
  if (id !== undefined) {
    const of = `${path}/${encodeURIComponent(id)}`;
    const answer = yield {
      request: salesforceRequest(host, 'PATCH', of, activity.fields),
      remember,
    };
    if (isGood(answer)) return sentAs(id, { ...remember, activity: id }, more);
    // Deleted there meanwhile: that was someone's decision.
    if (answer.status === 404) return { state: 'skipped', error: 'It was deleted in Salesforce.' };
    return failed(answer);
  }
  const answer = yield {
    request: salesforceRequest(host, 'POST', path, activity.fields),
    remember,
  };
  // Deleted, merged or converted meanwhile: whoever has the number now is found, or created.
  if (
    known['party'] !== undefined &&
    errorsOf(answer).some(({ errorCode }) => gone.has(errorCode ?? ''))
  )
    return yield* log({ ...speech, known: {} });
  const made = readAnswer(answer, created);
  return made ? sentAs(made.id, { ...remember, activity: made.id }, more) : failed(answer);
}

/** Codes of a record that a task can't be of any more. */
const gone = new Set([
  'ENTITY_IS_DELETED',
  'INVALID_CROSS_REFERENCE_KEY',
  'CANNOT_UPDATE_CONVERTED_LEAD',
]);

const isGood = ({ status }: OutboundAnswer): boolean =>
  status !== null && status >= 200 && status < 300;

type Finding = Generator<Step, Person | StepsVerdict, OutboundAnswer>;

function* findPerson(speech: SalesforceSpeech, host: string): Finding {
  const { facts, config, known } = speech;
  const knownId = known['party'];
  if (knownId !== undefined)
    return { id: knownId, before: knownId, last: null, warning: undefined };
  const request = salesforceRequest(host, 'POST', '/parameterizedSearch', {
    // Any spelling of the number, without its country.
    q: (phoneOf(facts) ?? '').replace(/^\+1/, '').replaceAll(/\D/g, ''),
    in: 'PHONE',
    sobjects: [
      { name: 'Contact', fields: ['Id'], limit: 5 },
      { name: 'Lead', fields: ['Id', 'IsConverted', 'ConvertedContactId'], limit: 5 },
    ],
  });
  const answer = yield { request };
  const read = readAnswer(answer, found);
  if (!read) return failed(answer);
  const { searchRecords: people } = read;
  // A contact is a customer already; a lead that became one counts as that contact.
  const contact = people.find(({ attributes }) => attributes.type === 'Contact');
  const lead = people.find(({ attributes }) => attributes.type === 'Lead');
  const id = contact?.Id ?? (lead?.IsConverted ? (lead.ConvertedContactId ?? lead.Id) : lead?.Id);
  if (id !== undefined) return { id, before: id, last: answer, warning: undefined };
  if (config.object !== 'Lead' && config.object !== 'Contact')
    return { id: null, last: answer, warning: undefined };
  if (!config.create_if_missing)
    return { state: 'skipped', error: 'No one in Salesforce has this number.' };
  return yield* createPerson(speech, host);
}

function* createPerson({ facts, config }: SalesforceSpeech, host: string): Finding {
  const path = `/sobjects/${config.object}`;
  const { answer, warning } = yield* writeFields(
    'Salesforce',
    personFields(facts, config),
    (fields) => salesforceRequest(host, 'POST', path, fields),
    refusedFields,
  );
  const made = readAnswer(answer, created);
  // A duplicate rule of the org found who it is.
  const [duplicate] = errorsOf(answer).flatMap(
    ({ duplicateResult }) =>
      duplicateResult?.matchResults.flatMap(({ matchRecords }) =>
        matchRecords.map(({ record }) => record.Id),
      ) ?? [],
  );
  const id = made?.id ?? duplicate;
  return id === undefined ? failed(answer) : { id, last: answer, warning };
}
