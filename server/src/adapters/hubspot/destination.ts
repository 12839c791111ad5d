import { hubspotConfig as accountConfig } from '#contract/integrations/oauth-integrations/configs';
import type { Destination, Speech, Step, Steps, StepsVerdict } from '../../gateways/destination.ts';
import type { OutboundAnswer, OutboundRequest } from '../../gateways/outbound.ts';
import { activityOf, createActivity, searchActivity, updateActivity } from './activity.ts';
import { readAnswer } from '../shared/answers.ts';
import { crmDestination, personRecords, sentAs } from '../shared/crm-destination.ts';
import { writeFields } from '../shared/write-fields.ts';
import { errorOf, hubspotObject, hubspotPage, refusedProperties, waitSeconds } from './api.ts';
import { hubspotConfig, type HubspotConfig } from './config.ts';
import {
  bestOf,
  contactProperties,
  createContact,
  missingProperties,
  readContact,
  searchContacts,
  updateContact,
  type Properties,
} from './contact.ts';

/** Calls and texts on the timelines of contacts, who are created where they are new (A16.2). */
export const hubspotDestination: Destination<HubspotConfig> = {
  ...crmDestination,
  name: 'hubspot',
  label: 'HubSpot',
  config: hubspotConfig,
  places(account) {
    const { rules, portal_id: _, ...config } = accountConfig.parse(account);
    return [{ key: 'account', name: 'Contacts and timelines', config, rules }];
  },
  records: (facts) => ({
    ...personRecords(facts),
    activity: `${facts.subject.type}:${facts.subject.id}`,
  }),
  say: (speech) => ({ via: 'steps', steps: () => log(speech), pretend }),
};

type HubspotSpeech = Speech<HubspotConfig>;

/** How an account without contacts would answer. */
function pretend({ url }: OutboundRequest): OutboundAnswer {
  const body = url.endsWith('/search') ? { results: [], total: 0 } : { id: 'new', properties: {} };
  return {
    status: url.endsWith('/search') ? 200 : 201,
    body: JSON.stringify(body),
    retryAfterSeconds: null,
  };
}

/** Finds or creates the contact, completes it, and logs the call or text. */
function* log(speech: HubspotSpeech): Steps {
  const { facts, config, known } = speech;
  const person = yield* findContact(speech);
  if ('state' in person) return person;
  const { id } = person;
  const more = { warning: person.warning, person: person.before };
  const remember = { party: id, contact: id };
  const activity = activityOf(facts, config);
  if (!activity) return sentAs(id, remember, more);
  let activityId = known['activity'];
  if (activityId === undefined && speech.isRetry) {
    const answer = yield { request: searchActivity(activity, facts, id), remember };
    const page = readAnswer(answer, hubspotPage);
    if (!page) return failed(answer);
    activityId = page.results[0]?.id;
  }
  if (activityId !== undefined) {
    const answer = yield { request: updateActivity(activity, activityId), remember };
    if (readAnswer(answer, hubspotObject))
      return sentAs(activityId, { ...remember, activity: activityId }, more);
    // Deleted there meanwhile: that was someone's decision.
    if (answer.status === 404) return { state: 'skipped', error: 'It was deleted in HubSpot.' };
    return failed(answer);
  }
  const answer = yield { request: createActivity(activity, id), remember };
  const created = readAnswer(answer, hubspotObject);
  if (!created) return failed(answer);
  return sentAs(created.id, { ...remember, activity: created.id }, more);
}

interface FoundContact {
  id: string;
  /** The same where HubSpot had them before. */
  before: string | undefined;
  last: OutboundAnswer;
  warning: string | undefined;
}
type Finding<T> = Generator<Step, T | StepsVerdict, OutboundAnswer>;

function* findContact(speech: HubspotSpeech): Finding<FoundContact> {
  const { facts, config, known } = speech;
  const knownId = known['contact'] ?? known['party'];
  if (knownId !== undefined) {
    const answer = yield { request: readContact(knownId, facts, config) };
    const contact = readAnswer(answer, hubspotObject);
    if (contact) return yield* complete(contact, speech, answer);
    // Deleted there; whoever has the number now is found, or created.
    if (answer.status !== 404) return failed(answer);
  }
  const answer = yield { request: searchContacts(facts, config) };
  const page = readAnswer(answer, hubspotPage);
  if (!page) return failed(answer);
  const contact = bestOf(page.results, facts);
  if (contact) return yield* complete(contact, speech, answer);
  if (!config.create_contact)
    return { state: 'skipped', error: 'No contact in HubSpot has this number.' };
  return yield* create(contactProperties(facts, config));
}

function* create(properties: Properties): Finding<FoundContact> {
  const { answer, warning } = yield* write(properties, createContact);
  const created = readAnswer(answer, hubspotObject);
  // The address is taken: HubSpot names who has it.
  const id = created?.id ?? (answer.status === 409 ? existingId(answer) : undefined);
  return id === undefined
    ? failed(answer)
    : { id, before: created ? undefined : id, last: answer, warning };
}

const existingId = (answer: OutboundAnswer): string | undefined =>
  /Existing ID: (\d+)/.exec(errorOf(answer).message ?? '')?.[1];

/** Writes what HubSpot doesn't know of a contact. */
function* complete(
  contact: { id: string; properties: Record<string, string | null> },
  { facts, config }: HubspotSpeech,
  last: OutboundAnswer,
): Finding<FoundContact> {
  const missing = missingProperties(contact, facts, config);
  const { id } = contact;
  if (Object.keys(missing).length === 0) return { id, before: id, last, warning: undefined };
  const { answer, warning } = yield* write(missing, (properties) => updateContact(id, properties));
  if (
    answer.status === null ||
    answer.status === 429 ||
    answer.status === 401 ||
    answer.status >= 500
  )
    return failed(answer);
  return { id, before: id, last: answer, warning };
}

const write = (properties: Properties, request: (properties: Properties) => OutboundRequest) =>
  writeFields('HubSpot', properties, request, refusedProperties);

/** What an answer means that isn't a good one. Nothing of it is shown but HubSpot's category. */
function failed(answer: OutboundAnswer): StepsVerdict {
  if (answer.status === null) return { state: 'retry', error: answer.error };
  const { category = '' } = errorOf(answer);
  const shown = JSON.stringify({ category, properties: refusedProperties(answer) });
  if (answer.status === 429)
    return { state: 'wait', seconds: waitSeconds(answer), error: 'HubSpot asked to wait.', shown };
  if (answer.status === 403)
    return {
      state: 'refused',
      error: 'HubSpot doesn’t allow it. Connect the account again to give access.',
      shown,
    };
  if (answer.status === 400 || answer.status === 409 || answer.status === 422)
    return { state: 'refused', error: `HubSpot refused it: ${category || answer.status}.`, shown };
  return { state: 'retry', error: `HubSpot answered with status ${answer.status}.`, shown };
}
