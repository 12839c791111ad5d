/**
 * Calls and texts in GoHighLevel: who called is found or created once, tagged, and put into a pipeline, and
 * each call is a note of theirs. Contacts and tokens are checked against GoHighLevel's own documents, the rest follows its public
 * reference; no live account has been used.
 */
import { z } from 'zod';
import { oauthConfigs } from '#contract/integrations/oauth-integrations/configs';
import type {
  DeliveryFacts,
  Destination,
  Step,
  Steps,
  StepsVerdict,
} from '../../gateways/destination.ts';
import type { OutboundAnswer, OutboundRequest } from '../../gateways/outbound.ts';
import { readAnswer } from '../shared/answers.ts';
import { callLines, callTitle, externalIdOf, phoneOf } from '../shared/crm-call.ts';
import { crmDestination, personRecords, sentAs } from '../shared/crm-destination.ts';
import { failed, highLevelRequest, isMissing, queryOf } from './api.ts';
import {
  findContact,
  highLevelConfig,
  type HighLevelConfig,
  type HighLevelSpeech,
} from './contact.ts';

/** Characters of a note. */
const LONGEST = 5000;

export const highLevelDestination: Destination<HighLevelConfig> = {
  ...crmDestination,
  name: 'gohighlevel',
  label: 'GoHighLevel',
  config: highLevelConfig,
  places(stored) {
    const { rules, ...config } = oauthConfigs.gohighlevel.parse(stored);
    if (config.location_id === null) return [];
    return [{ key: 'location', name: 'Contacts and opportunities', config, rules }];
  },
  records: (facts) => ({
    ...personRecords(facts),
    opportunity: `opportunity:${facts.party}`,
    note: `${facts.subject.type}:${facts.subject.id}`,
  }),
  say: (speech) => ({ via: 'steps', steps: () => log(speech), pretend }),
};

/** How a location that knows no one would answer. */
function pretend({ url, method }: OutboundRequest): OutboundAnswer {
  const body = url.includes('/search')
    ? { contact: null, opportunities: [] }
    : url.endsWith('/notes')
      ? { note: { id: 'new' }, notes: [] }
      : { contact: { id: 'new' }, opportunity: { id: 'new', status: 'open' } };
  return {
    status: method === 'POST' ? 201 : 200,
    body: JSON.stringify(body),
    retryAfterSeconds: null,
  };
}

/** Finds or creates the contact, puts it into the pipeline, and writes the note of a call. */
function* log(speech: HighLevelSpeech): Steps {
  const person = yield* findContact(speech);
  if ('state' in person) return person;
  const { id, warning } = person;
  const remember: Record<string, string> = { party: id, contact: id };
  const opportunity = yield* findOpportunity(speech, id, remember);
  if (opportunity !== null && 'state' in opportunity) return opportunity;
  if (opportunity) remember['opportunity'] = opportunity.id;
  const { facts, config } = speech;
  const isLogged = config.log_call && facts.subject.type === 'call';
  const note = isLogged ? yield* writeNote(speech, id, remember) : null;
  if (note !== null && 'state' in note) return note;
  return sentAs(id, { ...remember, ...(note && { note: note.id }) }, { warning });
}

type Made = Generator<Step, { id: string } | StepsVerdict | null, OutboundAnswer>;
const opportunity = z.looseObject({ id: z.string(), status: z.string().nullish() });
const opportunityAnswer = z.object({ opportunity });
const opportunities = z.object({ opportunities: z.array(opportunity) });

/** One open opportunity of a person in the pipeline. Where a person moved it, it stays. */
function* findOpportunity(
  { facts, config, known, isRetry }: HighLevelSpeech,
  contactId: string,
  remember: Record<string, string>,
): Made {
  const { pipeline_id: pipeline, stage_id: stage, location_id: location } = config;
  if (pipeline === null || stage === null) return null;
  const knownId = known['opportunity'];
  if (knownId !== undefined) {
    const path = `/opportunities/${encodeURIComponent(knownId)}`;
    const answer = yield { request: highLevelRequest('GET', path), remember };
    const read = readAnswer(answer, opportunityAnswer)?.opportunity;
    if (read && (read.status === 'open' || isRetry)) return read;
    if (!read && !isMissing(answer)) return failed(answer);
  } else {
    const query = queryOf({
      ...{ location_id: location ?? '', contact_id: contactId, pipeline_id: pipeline },
      status: 'open',
    });
    const answer = yield {
      request: highLevelRequest('GET', `/opportunities/search?${query}`),
      remember,
    };
    const read = readAnswer(answer, opportunities);
    if (!read) return failed(answer);
    if (read.opportunities[0]) return read.opportunities[0];
  }
  const answer = yield {
    request: highLevelRequest('POST', '/opportunities/', {
      ...{ locationId: location, pipelineId: pipeline, pipelineStageId: stage, contactId },
      name: facts.contact?.name || facts.callerName || phoneOf(facts) || 'Call',
      status: 'open',
      ...(facts.valueCents !== null && { monetaryValue: facts.valueCents / 100 }),
    }),
    remember,
  };
  const made = readAnswer(answer, opportunityAnswer)?.opportunity;
  if (made) return made;
  const verdict = failed(answer);
  // The pipeline or its stage was deleted.
  return answer.status === 400 || answer.status === 422
    ? { ...verdict, error: 'GoHighLevel refused the opportunity. Choose the stage again.' }
    : verdict;
}

const note = z.looseObject({ id: z.string(), body: z.string().nullish() });
const noteAnswer = z.object({ note });
const notes = z.object({ notes: z.array(note) });

/** Never a link to a recording: the link leads to the app, which asks who one is. */
const bodyOf = (facts: DeliveryFacts): string =>
  [
    callTitle(facts),
    ...callLines(facts).map(([label, value]) => `${label}: ${value}`),
    `Open in Trunkline: ${facts.link}`,
    `Reference: ${externalIdOf(facts)}`,
  ]
    .join('\n')
    .slice(-LONGEST);

/** Writes the note of a call, or changes the one that is there. */
function* writeNote(
  { facts, known, isRetry }: HighLevelSpeech,
  contactId: string,
  remember: Record<string, string>,
): Made {
  const path = `/contacts/${encodeURIComponent(contactId)}/notes`;
  const body = { body: bodyOf(facts) };
  let id = known['note'];
  if (id === undefined && isRetry) {
    // What an earlier try may have made.
    const answer = yield { request: highLevelRequest('GET', path), remember };
    const read = readAnswer(answer, notes);
    if (!read) return failed(answer);
    id = read.notes.find((one) => one.body?.endsWith(`Reference: ${externalIdOf(facts)}`))?.id;
  }
  if (id === undefined) {
    const answer = yield { request: highLevelRequest('POST', path, body), remember };
    return readAnswer(answer, noteAnswer)?.note ?? failed(answer);
  }
  const answer = yield {
    request: highLevelRequest('PUT', `${path}/${encodeURIComponent(id)}`, body),
    remember,
  };
  if (readAnswer(answer, z.looseObject({}))) return { id };
  // Deleted there meanwhile: that was someone's decision.
  return isMissing(answer)
    ? { state: 'skipped', error: 'It was deleted in GoHighLevel.' }
    : failed(answer);
}
