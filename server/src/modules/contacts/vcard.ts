import ICAL from 'ical.js';
import type { Contact } from '#contract/contacts/schemas';

/** A contact as a vCard 3.0, which every phone and mail program reads. */
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
    words.length > 1 ? words.at(-1)! : '',
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

/** Old phones write vCard 2.1: bare kinds (`TEL;CELL:`) and quoted-printable text. As 3.0 has it. */
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

/** The cards of a file, each from its BEGIN to the next END: found in one walk, however many begin and never end. */
function splitCards(file: string): string[] {
  const cards: string[] = [];
  let startIndex = -1;
  for (const edge of file.matchAll(/(BEGIN|END):VCARD/gi)) {
    const begins = edge[1]!.toUpperCase() === 'BEGIN';
    if (begins && startIndex < 0) startIndex = edge.index;
    if (!begins && startIndex >= 0) {
      cards.push(file.slice(startIndex, edge.index + edge[0].length));
      startIndex = -1;
    }
  }
  return cards;
}

/**
 * Cards of a file as rows to write, or why not: it holds none that can be read, or more than `most`. Of a card with several
 * numbers the first that is a mobile's is kept, else the first. Runs in a thread (`readVcards`).
 */
export function parseVcards({
  file,
  most,
}: {
  file: string;
  most: number;
}): Record<string, unknown>[] | 'unreadable' | 'too_many' {
  // Some programs leave out the fold's space or write bare LF; cards are read one by one, so that a broken one costs only itself.
  const cards = splitCards(file.replace(/\r\n?/g, '\n'));
  if (cards.length > most) return 'too_many';
  const rows: Record<string, unknown>[] = [];
  for (const cardText of cards) {
    try {
      const card = new ICAL.Component(
        ICAL.parse(
          (/^VERSION:2/im.test(cardText) ? convertToVersion3(cardText) : cardText).replace(
            /\n/g,
            '\r\n',
          ),
        ),
      );
      const all = (name: string) => card.getAllProperties(name);
      const first = (name: string) => {
        const property = card.getFirstProperty(name);
        return property ? propertyText(property.getValues()) : '';
      };
      const kinds = (p: { getParameter(name: string): unknown }) =>
        [p.getParameter('type')].flat().map((k) => String(k ?? '').toLowerCase());
      const phones = all('tel').map((p) => ({
        number: propertyText(p.getFirstValue()).replace(/^tel:/i, ''),
        kinds: kinds(p),
      }));
      const phone = phones.find((p) => p.kinds.includes('cell')) ?? phones[0];
      const emails = all('email')
        .map((p) => propertyText(p.getFirstValue()))
        .filter((e) => e.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(e));
      const n = card.getFirstPropertyValue('n') as unknown;
      const adr = card.getFirstPropertyValue('adr') as unknown;
      const part = (list: unknown, i: number) => (Array.isArray(list) ? propertyText(list[i]) : '');
      const name = first('fn') || [part(n, 1), part(n, 0)].filter(Boolean).join(' ');
      const row: Record<string, unknown> = {
        number: phone?.number ?? '',
        name,
        companyName: first('org'),
        title: first('title'),
        email: emails[0] ?? '',
        notes: first('note'),
        address1: part(adr, 2),
        address2: part(adr, 1),
        city: part(adr, 3),
        state: part(adr, 4),
        zip: part(adr, 5),
        country: part(adr, 6),
      };
      const nicknames = all('nickname')
        .map((p) => propertyText(p.getFirstValue()))
        .filter(Boolean);
      if (nicknames.length) row['alternativeNames'] = nicknames.slice(0, 20);
      if (emails.length > 1) row['secondaryEmails'] = emails.slice(1, 21);
      // What a card does not say does not empty what is known.
      rows.push(
        Object.fromEntries(
          Object.entries(row).filter(([key, value]) => key === 'number' || value !== ''),
        ),
      );
    } catch {
      rows.push({});
    }
  }
  return rows.some((r) => 'number' in r) ? rows : 'unreadable';
}
