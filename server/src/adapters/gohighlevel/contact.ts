/** Finding a person in GoHighLevel, creating who isn't there, and completing who is. */
import { z } from 'zod';
import { oauthConfigs } from '#contract/integrations/oauth-integrations/configs';
import type { CrmField } from '#contract/integrations/oauth-integrations/rules';
import type { DeliveryFacts, Speech, Step, StepsVerdict } from '../../gateways/destination.ts';
import type { OutboundAnswer, OutboundRequest } from '../../gateways/outbound.ts';
import { readAnswer } from '../shared/answers.ts';
import { nameOf, phoneOf } from '../shared/crm-call.ts';
import { crmFieldValues } from '../shared/crm-field-values.ts';
import {
  contact,
  contactAnswer,
  errorOf,
  failed,
  highLevelRequest,
  isMissing,
  queryOf,
  type HighLevelContact,
} from './api.ts';

export const highLevelConfig = oauthConfigs.gohighlevel.omit({ rules: true });
export type HighLevelConfig = z.infer<typeof highLevelConfig>;
export type HighLevelSpeech = Speech<HighLevelConfig>;

/** A contact that is there, and what wasn't taken of it. */
interface Found {
  id: string;
  last: OutboundAnswer;
  warning: string | undefined;
}
type Finding<T> = Generator<Step, T | StepsVerdict, OutboundAnswer>;
type CustomField = { id: string; field_value: string };

const pathOf = (id: string): string => `/contacts/${encodeURIComponent(id)}`;
const duplicate = z.looseObject({ contact: contact.nullish() });

/** Finds or creates the contact of a call or text, writes what it lacks, and tags it. */
export function* findContact(speech: HighLevelSpeech): Finding<Found> {
  const { config, known } = speech;
  const knownId = known['contact'] ?? known['party'];
  if (knownId !== undefined) {
    const answer = yield { request: highLevelRequest('GET', pathOf(knownId)) };
    const read = readAnswer(answer, contactAnswer);
    if (read) return yield* complete(read.contact, speech, answer);
    // Deleted there; whoever has the number now is found, or created.
    if (!isMissing(answer)) return failed(answer);
  }
  const found = yield* search(speech);
  if ('state' in found) return found;
  if (found.contact) return yield* complete(found.contact, speech, found.last);
  if (!config.create_contact)
    return { state: 'skipped', error: 'No contact in GoHighLevel has this number.' };
  return yield* create(speech);
}

/** By number, then by the email address. */
function* search({ facts, config }: HighLevelSpeech): Finding<{
  contact: HighLevelContact | null;
  last: OutboundAnswer;
}> {
  const [number, email] = [phoneOf(facts), facts.contact?.email];
  const by = [...(number ? [{ number }] : []), ...(email ? [{ email }] : [])];
  let last: OutboundAnswer = { status: null, error: 'There is nothing to search for.' };
  for (const one of by) {
    const query = queryOf({ locationId: config.location_id ?? '', ...one });
    last = yield { request: highLevelRequest('GET', `/contacts/search/duplicate?${query}`) };
    const read = readAnswer(last, duplicate);
    if (!read) return failed(last);
    if (read.contact) return { contact: read.contact, last };
  }
  return { contact: null, last };
}

/** What is known of the person, by GoHighLevel's names. What isn't known is left out. */
function fieldsOf(facts: DeliveryFacts): Record<string, string> {
  const { contact: own, source } = facts;
  const { first, last } = nameOf(facts);
  const fields = {
    ...{ firstName: first, lastName: last },
    phone: phoneOf(facts) ?? '',
    email: own?.email ?? '',
    ...{ address1: own?.street ?? '', city: own?.city ?? '', state: own?.state ?? '' },
    ...{ postalCode: own?.zip ?? '', source: source?.label ?? '' },
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}

/** Custom fields by what of ours fills them. */
function customFieldsOf(facts: DeliveryFacts, config: HighLevelConfig) {
  const values = crmFieldValues(facts);
  return Object.entries(config.field_map).flatMap(([ours, id]) => {
    const value = values[ours as CrmField];
    return value && id ? [{ ours, id, field_value: value }] : [];
  });
}

function* create({ facts, config }: HighLevelSpeech): Finding<Found> {
  const company = facts.contact?.companyName;
  const { answer, warning } = yield* write(customFieldsOf(facts, config), (customFields) =>
    highLevelRequest('POST', '/contacts/', {
      locationId: config.location_id,
      ...fieldsOf(facts),
      ...(company && { companyName: company }),
      ...(config.tags.length > 0 && { tags: config.tags }),
      ...(customFields.length > 0 && { customFields }),
    }),
  );
  const made = readAnswer(answer, contactAnswer);
  // The location takes no two of one number or address, and names who has it.
  const id = made?.contact.id ?? errorOf(answer).contactId;
  return id === undefined ? failed(answer) : { id, last: answer, warning };
}

/** Writes what GoHighLevel doesn't know of a contact; what a person typed stays. */
function* complete(
  there: HighLevelContact,
  { facts, config }: HighLevelSpeech,
  last: OutboundAnswer,
): Finding<Found> {
  const { id } = there;
  const found: Found = { id, last, warning: undefined };
  const has = new Set((there.customFields ?? []).flatMap((one) => (one.value ? [one.id] : [])));
  const isNamed = Boolean(there.firstName || there.lastName);
  const fields = Object.fromEntries(
    Object.entries(fieldsOf(facts)).filter(
      // An address that others may have stays theirs.
      ([name]) => !there[name] && name !== 'email' && !(isNamed && /^(first|last)Name$/.test(name)),
    ),
  );
  const custom = customFieldsOf(facts, config).filter((one) => !has.has(one.id));
  if (Object.keys(fields).length > 0 || custom.length > 0) {
    const { answer, warning } = yield* write(custom, (customFields) =>
      highLevelRequest('PUT', pathOf(id), {
        ...fields,
        ...(customFields.length > 0 && { customFields }),
      }),
    );
    if (!readAnswer(answer, z.looseObject({}))) return failed(answer);
    Object.assign(found, { last: answer, warning });
  }
  const tagged = new Set((there.tags ?? []).map((tag) => tag.toLowerCase()));
  const tags = config.tags.filter((tag) => !tagged.has(tag.toLowerCase()));
  if (tags.length === 0) return found;
  const answer = yield { request: highLevelRequest('POST', `${pathOf(id)}/tags`, { tags }) };
  return readAnswer(answer, z.looseObject({})) ? { ...found, last: answer } : failed(answer);
}

/**
 * Writes custom fields with the rest, and the rest alone where they are refused. A field that was deleted
 * is dropped without a word: what the answer lacks wasn't taken.
 */
function* write(
  custom: readonly (CustomField & { ours: string })[],
  request: (customFields: readonly CustomField[]) => OutboundRequest,
): Generator<Step, { answer: OutboundAnswer; warning: string | undefined }, OutboundAnswer> {
  const sent = custom.map(({ id, field_value }) => ({ id, field_value }));
  const answer = yield { request: request(sent) };
  const notTaken = (names: readonly string[]) =>
    names.length > 0 ? `GoHighLevel didn’t take ${names.join(', ')}. Check the fields.` : undefined;
  const isRefused =
    (answer.status === 400 || answer.status === 422) && errorOf(answer).contactId === undefined;
  if (isRefused && custom.length > 0)
    return {
      answer: yield { request: request([]) },
      warning: notTaken(custom.map((one) => one.ours)),
    };
  const there = readAnswer(answer, contactAnswer)?.contact.customFields;
  const lost = there
    ? custom.filter((one) => !there.some(({ id }) => id === one.id)).map((one) => one.ours)
    : [];
  return { answer, warning: notTaken(lost) };
}
