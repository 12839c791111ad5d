/** Finding a person in HubSpot, and creating who isn't there. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { DeliveryFacts } from '../../gateways/destination.ts';
import type { OutboundRequest } from '../../gateways/outbound.ts';
import { nameOf, phoneOf } from '../shared/crm-call.ts';
import { crmFieldValues } from '../shared/crm-field-values.ts';
import { hubspotRequest, type HubspotObject } from './api.ts';
import type { HubspotConfig } from './config.ts';

const contacts = '/crm/v3/objects/contacts';
/** Contacts of one number that are looked at. */
const MOST_FOUND = 10;

/** HubSpot compares phone numbers without their country. */
const withoutCountry = (phone: string): string =>
  parsePhoneNumberFromString(phone)?.nationalNumber ?? phone.replaceAll(/\D/g, '');
/** Everyone with the number or the email address. */
export function searchContacts(facts: DeliveryFacts, config: HubspotConfig): OutboundRequest {
  const phone = phoneOf(facts);
  const email = facts.contact?.email;
  const equals = (propertyName: string, value: string) => ({
    filters: [{ propertyName, operator: 'EQ', value }],
  });
  return hubspotRequest('POST', `${contacts}/search`, {
    // Any of them.
    filterGroups: [
      ...(phone
        ? [
            equals('phone', phone),
            equals('mobilephone', phone),
            equals('hs_searchable_calculated_phone_number', withoutCountry(phone)),
            equals('hs_searchable_calculated_mobile_number', withoutCountry(phone)),
          ]
        : []),
      ...(email ? [equals('email', email)] : []),
    ],
    properties: propertiesRead(facts, config),
    sorts: ['createdate'],
    limit: MOST_FOUND,
    after: '0',
  });
}

/** Of several the one with the email address, then the oldest. Undefined: there is none. */
export function bestOf(found: readonly HubspotObject[], facts: DeliveryFacts) {
  const email = facts.contact?.email.toLowerCase();
  const oldest = found.toSorted((a, b) => (a.createdAt ?? '').localeCompare(b.createdAt ?? ''));
  return (
    oldest.find(({ properties }) => email && properties['email']?.toLowerCase() === email) ??
    oldest[0]
  );
}

/** Reads a contact by HubSpot's ID; one that was merged answers with the ID it has now. */
export function readContact(id: string, facts: DeliveryFacts, config: HubspotConfig) {
  const query = new URLSearchParams({ properties: propertiesRead(facts, config).join(',') });
  return hubspotRequest('GET', `${contacts}/${encodeURIComponent(id)}?${query.toString()}`);
}

/** Creates a contact; HubSpot refuses (409) an email address that another has. */
export const createContact = (properties: Properties): OutboundRequest =>
  hubspotRequest('POST', contacts, { properties, associations: [] });
/** Changes properties of a contact. */
export const updateContact = (id: string, properties: Properties): OutboundRequest =>
  hubspotRequest('PATCH', `${contacts}/${encodeURIComponent(id)}`, { properties });

export type Properties = Readonly<Record<string, string>>;

/** What is known of the person, by HubSpot's names. What isn't known is left out. */
export function contactProperties(facts: DeliveryFacts, config: HubspotConfig): Properties {
  const { contact } = facts;
  const { first: firstname, last: lastname } = nameOf(facts);
  const known = {
    phone: phoneOf(facts) ?? '',
    firstname,
    lastname,
    email: contact?.email ?? '',
    company: contact?.companyName ?? '',
    lifecyclestage: config.lifecycle_stage ?? '',
    hubspot_owner_id: ownerOf(facts, config) ?? '',
    ...mappedProperties(facts, config),
  };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== ''));
}

function mappedProperties(facts: DeliveryFacts, { field_map: map }: HubspotConfig): Properties {
  const values = crmFieldValues(facts);
  return Object.fromEntries(
    Object.entries(map).map(([field, property]) => [
      property,
      values[field as keyof typeof values],
    ]),
  );
}

/** The owner in HubSpot of who answered; null: no one did, or no owner was chosen for them. */
export const ownerOf = ({ answeredById: id }: DeliveryFacts, config: HubspotConfig) =>
  (id !== null && config.owner_map[String(id)]) || null;

/** What HubSpot has no value of yet. An address that others may have, and who owns it, stay theirs. */
export function missingProperties(
  { properties: there }: HubspotObject,
  facts: DeliveryFacts,
  config: HubspotConfig,
): Properties {
  const properties = contactProperties(facts, config);
  // Half a name isn't completed: it may be the whole of another one.
  const isNamed = Boolean(there['firstname'] || there['lastname']);
  const kept = new Set([
    ...['email', 'lifecyclestage', 'hubspot_owner_id'],
    ...(isNamed ? ['firstname', 'lastname'] : []),
  ]);
  return Object.fromEntries(
    Object.entries(properties).filter(([name]) => !kept.has(name) && !there[name]),
  );
}

const propertiesRead = (facts: DeliveryFacts, config: HubspotConfig): string[] => [
  ...new Set(['email', ...Object.keys(contactProperties(facts, config))]),
];
