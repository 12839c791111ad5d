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

const propertyText = (value: unknown): string =>
  (Array.isArray(value)
    ? value.map(propertyText).filter(Boolean).join(' ')
    : typeof value === 'string'
      ? value
      : ''
  ).trim();

/**
 * Converts a vCard 2.1 of an old phone (bare types such as `TEL;CELL:`, quoted-printable text) to
 * 3.0.
 */
function convertToVersion3(card: string): string {
  const unfolded = card.replace(/=\n(?=[^\n]*)/g, (soft, at: number) =>
    /ENCODING=QUOTED-PRINTABLE[^\n]*$/i.test(card.slice(card.lastIndexOf('\n', at - 1) + 1, at))
      ? ''
      : soft,
  );
  return unfolded
    .split('\n')
    .map((line) => {
      const colon = line.indexOf(':');
      if (colon < 0 || /^\s/.test(line)) return line;
      const [name, ...parameters] = line.slice(0, colon).split(';');
      const quoted = parameters.some((p) => /^(ENCODING=)?QUOTED-PRINTABLE$/i.test(p));
      const kept = parameters
        .filter((p) => !/^(ENCODING=)?QUOTED-PRINTABLE$/i.test(p) && !/^CHARSET=/i.test(p))
        .map((p) => (p.includes('=') ? p : `TYPE=${p}`));
      const value = quoted
        ? Buffer.from(
            line
              .slice(colon + 1)
              .replace(/=([0-9A-F]{2})/gi, (_, hex: string) =>
                String.fromCharCode(parseInt(hex, 16)),
              ),
            'latin1',
          )
            .toString('utf8')
            .replace(/\r?\n/g, '\\n')
        : line.slice(colon + 1);
      return `${[name, ...kept].join(';')}:${value}`;
    })
    .join('\n');
}

/**
 * The cards of a file, each from its BEGIN to the next END. Linear, also with many cards that never
 * end.
 */
function splitCards(file: string): string[] {
  const cards: string[] = [];
  let startIndex = -1;
  for (const edge of file.matchAll(/(BEGIN|END):VCARD/gi)) {
    const begins = edge[0].toUpperCase().startsWith('BEGIN');
    if (begins && startIndex < 0) startIndex = edge.index;
    if (!begins && startIndex >= 0) {
      cards.push(file.slice(startIndex, edge.index + edge[0].length));
      startIndex = -1;
    }
  }
  return cards;
}

/**
 * The cards of a file as rows to write; `unreadable` when none can be read, `too_many` beyond `most`. Of
 * several numbers the first mobile number is taken, else the first. Runs in a thread (`readVcards`).
 */
export function parseVcards({
  file,
  most,
}: {
  file: string;
  most: number;
}): Record<string, unknown>[] | 'unreadable' | 'too_many' {
  // Some programs break the folding of lines. Cards are parsed one by one, so that a broken one
  // costs
  // only itself.
  const cards = splitCards(file.replace(/\r\n?/g, '\n'));
  if (cards.length > most) return 'too_many';
  const rows = cards.map(parseCard);
  return rows.some((row) => 'number' in row) ? rows : 'unreadable';
}

const partOf = (list: unknown, i: number): string =>
  Array.isArray(list) ? propertyText(list[i]) : '';
/** A card as a row; empty when it can't be parsed. */
function parseCard(text: string): Record<string, unknown> {
  try {
    const version3 = /^VERSION:2/im.test(text) ? convertToVersion3(text) : text;
    return rowOfCard(new ICAL.Component(ICAL.parse(version3.replace(/\n/g, '\r\n'))));
  } catch {
    return {};
  }
}
function rowOfCard(card: ICAL.Component): Record<string, unknown> {
  const firstText = (name: string) => {
    const property = card.getFirstProperty(name);
    return property ? propertyText(property.getValues()) : '';
  };
  const allTexts = (name: string) =>
    card.getAllProperties(name).map((property) => propertyText(property.getFirstValue()));
  const emails = allTexts('email').filter(
    (email) => email.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email),
  );
  const name = card.getFirstPropertyValue('n') as unknown;
  const address = card.getFirstPropertyValue('adr') as unknown;
  const row: Record<string, unknown> = {
    number: numberOfCard(card),
    name: firstText('fn') || [partOf(name, 1), partOf(name, 0)].filter(Boolean).join(' '),
    companyName: firstText('org'),
    title: firstText('title'),
    email: emails[0] ?? '',
    notes: firstText('note'),
    address1: partOf(address, 2),
    address2: partOf(address, 1),
    city: partOf(address, 3),
    state: partOf(address, 4),
    zip: partOf(address, 5),
    country: partOf(address, 6),
  };
  const nicknames = allTexts('nickname').filter(Boolean);
  if (nicknames.length) row['alternativeNames'] = nicknames.slice(0, 20);
  if (emails.length > 1) row['secondaryEmails'] = emails.slice(1, 21);
  // A property that is missing leaves the contact's value unchanged.
  return Object.fromEntries(
    Object.entries(row).filter(([key, value]) => key === 'number' || value !== ''),
  );
}
function numberOfCard(card: ICAL.Component): string {
  const phones = card.getAllProperties('tel').map((property) => ({
    number: propertyText(property.getFirstValue()).replace(/^tel:/i, ''),
    types: [property.getParameter('type')].flat().map((type) => String(type ?? '').toLowerCase()),
  }));
  return (phones.find(({ types }) => types.includes('cell')) ?? phones[0])?.number ?? '';
}
