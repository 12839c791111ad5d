/** Calls and texts on a contact's timeline. */
import type { DeliveryFacts } from '../../gateways/destination.ts';
import type { OutboundRequest } from '../../gateways/outbound.ts';
import { escapeHtml } from '../../platform/html.ts';
import { callLines, callTitle, externalIdOf } from '../shared/crm-call.ts';
import { hubspotRequest } from './api.ts';
import { ownerOf, type Properties } from './contact.ts';
import type { HubspotConfig } from './config.ts';

/** HubSpot's numbers for "of this contact". */
const associationType = { calls: 194, communications: 81 } as const;
/** Characters of a text that HubSpot keeps of an activity. */
const LONGEST = 60_000;

interface Activity {
  type: keyof typeof associationType;
  properties: Properties;
}

/** What is logged of it; null: nothing, as the account is set up or because it isn't one of them. */
export function activityOf(facts: DeliveryFacts, config: HubspotConfig): Activity | null {
  if (facts.subject.type === 'call')
    return config.log_call ? { type: 'calls', properties: callProperties(facts, config) } : null;
  if (facts.form !== null || facts.text === null || !config.log_sms) return null;
  return {
    type: 'communications',
    properties: {
      hs_timestamp: facts.happenedAt.toISOString(),
      hs_communication_channel_type: 'SMS',
      hs_communication_logged_from: 'CRM',
      hs_communication_body: escapeHtml(facts.text).slice(0, LONGEST),
      ...owner(facts, config),
    },
  };
}

const owner = (facts: DeliveryFacts, config: HubspotConfig): Properties => {
  const id = ownerOf(facts, config);
  return id ? { hubspot_owner_id: id } : {};
};

function callProperties(facts: DeliveryFacts, config: HubspotConfig): Properties {
  const { outbound, outcome, number, party } = facts;
  const [from, to] = outbound ? [number.number, party] : [party, number.number];
  return {
    hs_timestamp: facts.happenedAt.toISOString(),
    hs_call_title: callTitle(facts),
    hs_call_body: bodyOf(facts).slice(0, LONGEST),
    hs_call_direction: outbound ? 'OUTBOUND' : 'INBOUND',
    hs_call_duration: String(facts.durationSeconds * 1000),
    hs_call_from_number: from,
    hs_call_to_number: to,
    hs_call_status: outcome === 'missed' ? 'NO_ANSWER' : 'COMPLETED',
    hs_call_external_id: externalIdOf(facts),
    ...owner(facts, config),
  };
}

/** HubSpot reads HTML here. Never a link to a recording: the link leads to the app, which asks who one is. */
function bodyOf(facts: DeliveryFacts): string {
  const shown = callLines(facts).map(([label, value]) => `${label}: ${escapeHtml(value)}`);
  return [...shown, `<a href="${escapeHtml(facts.link)}">Open in Trunkline</a>`].join('<br>');
}

/** Logs it on a contact's timeline. */
export const createActivity = ({ type, properties }: Activity, contactId: string) =>
  hubspotRequest('POST', `/crm/v3/objects/${type}`, {
    properties,
    associations: [
      {
        to: { id: contactId },
        types: [
          { associationCategory: 'HUBSPOT_DEFINED', associationTypeId: associationType[type] },
        ],
      },
    ],
  });

/** Changes what was logged. */
export const updateActivity = ({ type, properties }: Activity, id: string): OutboundRequest =>
  hubspotRequest('PATCH', `/crm/v3/objects/${type}/${encodeURIComponent(id)}`, { properties });

/** The activity that an earlier try may have created: a call by our ID, a text by its moment and contact. */
export function searchActivity({ type }: Activity, facts: DeliveryFacts, contactId: string) {
  const is = (propertyName: string, value: string) => ({ propertyName, operator: 'EQ', value });
  const filters =
    type === 'calls'
      ? [is('hs_call_external_id', externalIdOf(facts))]
      : [
          is('hs_timestamp', String(facts.happenedAt.getTime())),
          is('associations.contact', contactId),
        ];
  return hubspotRequest('POST', `/crm/v3/objects/${type}/search`, {
    ...{ filterGroups: [{ filters }], properties: ['hs_timestamp'], sorts: [], limit: 1 },
    after: '0',
  });
}
