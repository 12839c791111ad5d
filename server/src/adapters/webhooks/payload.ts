import type { WebhookConfig } from '#contract/integrations/webhooks/schemas';
import type { DeliveryFacts, Speech } from '../../gateways/destination.ts';

/** What is sent of an event: its type, its time, and the object it is about. */
export const payload = ({ facts, isTest }: Speech<WebhookConfig>) => ({
  type: facts.event,
  timestamp: facts.happenedAt.toISOString(),
  ...(isTest && { test: true }),
  data: {
    object: facts.form ? 'form' : facts.subject.type === 'call' ? 'call' : 'message',
    id: facts.subject.id,
    company_id: facts.company.id,
    conversation_id: facts.conversationId,
    direction: facts.outbound ? 'outbound' : 'inbound',
    number: { id: facts.number.id, number: facts.number.number, label: facts.number.label },
    party: facts.party,
    caller_name: facts.callerName,
    contact: contactOf(facts),
    ...(facts.subject.type === 'call' && callOf(facts)),
    ...(facts.text !== null && { text: facts.text }),
    ...(facts.form && { form: facts.form }),
    source: sourceOf(facts),
    link: facts.link,
  },
});

const contactOf = ({ contact }: DeliveryFacts) =>
  contact && {
    id: contact.id,
    name: contact.name,
    company_name: contact.companyName,
    email: contact.email,
  };

const callOf = (facts: DeliveryFacts) => ({
  outcome: facts.outcome,
  answered_by: facts.answeredBy,
  duration_seconds: facts.durationSeconds,
  talk_seconds: facts.talkSeconds,
  first_contact: facts.firstContact,
  qualified: facts.qualified,
  lead: facts.lead,
  outcome_tags: facts.outcomeTags,
  department: facts.department,
  value_cents: facts.valueCents,
  summary: facts.summary,
  has_recording: facts.hasRecording,
  custom_fields: facts.customFields,
});

const sourceOf = ({ source }: DeliveryFacts) =>
  source && {
    key: source.key,
    label: source.label,
    medium: source.medium,
    campaign: source.campaign,
    keyword: source.keyword,
    landing_url: source.landingUrl,
  };
