/** A property of a card, as written: its value isn't decoded yet. */
export interface CardProperty {
  /** In capitals, without its group ("item1."). */
  name: string;
  /** In capitals, values without quotes; those without a name are types ("TEL;CELL:"). */
  parameters: { name: string; value: string }[];
  /** One character per byte of the file. */
  value: string;
}
/** The lines of one card. */
export interface Card {
  lines: string[];
}

const edge = /^\s*(BEGIN|END)\s*:\s*VCARD\s*$/i;
const agent = /^(?:[\w-]+\.)?AGENT(?:;[^:]*)?:\s*$/i;

/**
 * The cards of a file. One that doesn't end ends where the next begins; a card in a card (of an agent)
 * isn't a person of its own. `file`: one character per byte.
 */
export function splitCards(file: string): Card[] {
  const cards: Card[] = [];
  let card: Card | null = null;
  let isAgent = false;
  const lines = file.replace(/END:VCARD[ \t]+(?=BEGIN:VCARD)/gi, '$&\n').split(/\r\n?|\n/);
  for (const line of lines) {
    const which = edge.exec(line)?.[1]?.toUpperCase();
    if (which === 'BEGIN') {
      if (card && agent.test(card.lines.at(-1) ?? '')) isAgent = true;
      else {
        card = { lines: [] };
        cards.push(card);
        isAgent = false;
      }
    } else if (which === 'END') {
      if (!isAgent) card = null;
      isAgent = false;
    } else if (card && !isAgent) card.lines.push(line);
  }
  return cards.filter(({ lines: own }) => own.some((line) => line.trim() !== ''));
}

/** Where a property's value begins: at the first colon outside quotes; -1: nowhere. */
function colonOf(line: string): number {
  let isQuoted = false;
  for (let i = 0; i < line.length; i++) {
    if (line[i] === '"') isQuoted = !isQuoted;
    else if (line[i] === ':' && !isQuoted) return i;
  }
  return line.indexOf(':');
}
const known = new Set(
  (
    'ADR AGENT ANNIVERSARY BDAY CALADRURI CALURI CATEGORIES CLASS EMAIL FBURL FN GENDER GEO IMPP KEY KIND ' +
    'LABEL LANG LOGO MAILER MEMBER N NAME NICKNAME NOTE ORG PHOTO PRODID PROFILE RELATED REV ROLE ' +
    'SORT-STRING SOUND SOURCE TEL TITLE TZ UID URL VERSION XML'
  ).split(' '),
);

/** A longer name with parameters is no property of a person. */
const maxHeadCharacters = 1_000;
/** The property that a line begins; null: it begins none. */
function propertyOf(line: string): CardProperty | null {
  const colon = colonOf(line);
  if (colon < 1) return null;
  const [full = '', ...parameters] = line
    .slice(0, Math.min(colon, maxHeadCharacters))
    .split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/)
    .map((part) => part.trim());
  const name = full.replace(/^[\w-]+\./, '').toUpperCase();
  if (!known.has(name) && !/^X-[\w-]+$/.test(name)) return null;
  return {
    name,
    parameters: parameters.filter(Boolean).map((parameter) => {
      const [key = '', ...rest] = parameter.split('=');
      const value = rest.join('=').replaceAll('"', '').toUpperCase();
      return rest.length
        ? { name: key.toUpperCase(), value }
        : { name: bareNames.get(key.toUpperCase()) ?? 'TYPE', value: key.toUpperCase() };
    }),
    value: line.slice(colon + 1),
  };
}
/** What a parameter without a name is, if not a type. */
const bareNames = new Map([
  ['QUOTED-PRINTABLE', 'ENCODING'],
  ['BASE64', 'ENCODING'],
  ['8BIT', 'ENCODING'],
]);

/** The values of a property's parameter, in capitals. */
export const parameterOf = ({ parameters }: CardProperty, name: string): string[] =>
  parameters.flatMap((one) => (one.name === name ? one.value.split(',') : []));
/** Whether the value is written with `=C3=A9` for bytes. */
export const isQuotedPrintable = (property: CardProperty): boolean =>
  parameterOf(property, 'ENCODING').includes('QUOTED-PRINTABLE');
const isBinary = (property: CardProperty): boolean =>
  parameterOf(property, 'ENCODING').some((one) => /^(b|base64)$/i.test(one));

/** More are no person's. */
const maxProperties = 1_000;

/**
 * The properties of a card, with folded lines joined: by a space at the start of the next, by `=` at the
 * end in quoted-printable, or broken without a sign, as old programs do.
 */
export function propertiesOf({ lines }: Card): CardProperty[] {
  const properties: CardProperty[] = [];
  // Version 2.1 folds where the text has a space, later ones put one in.
  const keepsSpace = lines.some((line) => /^VERSION:\s*2/i.test(line));
  let last: CardProperty | null = null;
  let isSoft = false;
  for (const line of lines) {
    if (last && isSoft) last.value += line;
    else if (last && /^[ \t]/.test(line)) {
      if (!isBinary(last)) last.value += keepsSpace ? line : line.slice(1);
    } else if (line.trim() !== '') {
      const property = propertyOf(line);
      if (property && properties.length === maxProperties) break;
      if (property) properties.push((last = property));
      else if (last?.name === 'NOTE') last.value += `\\n${line}`;
      else if (last?.name === 'ADR') last.value += line;
    }
    isSoft = last !== null && isQuotedPrintable(last) && last.value.endsWith('=');
    if (last && isSoft) last.value = last.value.slice(0, -1);
  }
  return properties;
}
