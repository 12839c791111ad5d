import ICAL from 'ical.js';
import type { Contact } from '#contract/contacts/schemas';

/** The contact as a vCard 3.0, which every phone and mail program reads. */
export function vcardOf(c: Contact): string {
  const card = new ICAL.Component('vcard');
  const add = (name: string, value: string | string[], parameters: Record<string, string> = {}) => {
    const property = new ICAL.Property(name, card);
    property.setValue(value as string);
    for (const [key, text] of Object.entries(parameters)) property.setParameter(key, text);
    card.addProperty(property);
  };
  const words = c.name.trim().split(/\s+/);
  add('version', '3.0');
  add('fn', c.name || c.companyName || c.number);
  add('n', [
    words.length > 1 ? (words.at(-1) ?? '') : '',
    words.length > 1 ? words.slice(0, -1).join(' ') : (words[0] ?? ''),
    '',
    '',
    '',
  ]);
  for (const other of c.alternativeNames) add('nickname', other);
  add('tel', c.number, { type: 'CELL' });
  for (const other of c.otherNumbers) add('tel', other);
  for (const email of [c.email, ...c.secondaryEmails].filter(Boolean)) add('email', email);
  if (c.companyName) add('org', [c.companyName]);
  if (c.title) add('title', c.title);
  if (c.address1 || c.city || c.state || c.zip || c.country)
    add('adr', ['', c.address2, c.address1, c.city, c.state, c.zip, c.country]);
  if (c.notes) add('note', c.notes);
  if (c.labels.length) add('categories', c.labels.map((l) => l.label).join(','));
  return card.toString();
}
