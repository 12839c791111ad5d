import type { DeliveryFacts } from '../../../gateways/destination.ts';
import { dots, hiddenNumber } from '#contract/integrations/rules';

const hidden = (text: string): string => (text ? dots : '');
const orNull = (text: string | null): string | null => text && dots;

/**
 * The same facts without what tells who it is or what they said. What a provider says of them is what
 * the log shows: no contact detail is stored a second time.
 */
export const redactFacts = (facts: DeliveryFacts): DeliveryFacts => ({
  ...facts,
  party: hiddenNumber(facts.party),
  callerName: orNull(facts.callerName),
  contact: facts.contact && {
    ...facts.contact,
    name: hidden(facts.contact.name),
    companyName: hidden(facts.contact.companyName),
    email: hidden(facts.contact.email),
    street: hidden(facts.contact.street),
    city: hidden(facts.contact.city),
    zip: hidden(facts.contact.zip),
  },
  cookies: {},
  clicks: facts.clicks.map((click) => ({
    ...click,
    ids: Object.fromEntries(Object.keys(click.ids).map((name) => [name, dots])),
    cookies: {},
  })),
  summary: orNull(facts.summary),
  transcript: orNull(facts.transcript),
  text: orNull(facts.text),
  customFields: facts.customFields.map(({ name, value }) => ({ name, value: hidden(value) })),
  form: facts.form && {
    name: facts.form.name,
    fields: facts.form.fields.map(({ name, value }) => ({ name, value: hidden(value) })),
  },
});
