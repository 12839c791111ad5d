import { createHash } from 'node:crypto';
import { formatPhone, porting as contract } from '#contract';
import { addressOf } from './rules.ts';
import type { PortNumberRecord, PortRecord } from './store.ts';

/** The letter's text; `facts` are pairs of label and value. */
export interface Letter {
  title: string;
  paragraphs: string[];
  facts: [string, string][];
}

/**
 * The contents of the letter of authorization. The same request always gives the same text, so its
 * hash tells whether a signature is still valid.
 */
export function letterOf(
  row: PortRecord,
  numbers: readonly Pick<PortNumberRecord, 'number'>[],
  company: string,
): Letter {
  const address = addressOf(row.service_address);
  const person = `${row.authorized_first_name} ${row.authorized_last_name}`.trim();
  return {
    title: 'Letter of authorization',
    facts: [
      ['Numbers to port', numbers.map((n) => formatPhone(n.number)).join(', ')],
      ['Service', contract.portServices[row.service]],
      ['Current carrier', row.losing_carrier],
      ['Account number', row.account_number],
      [
        'Main number on the account',
        row.billing_telephone_number ? formatPhone(row.billing_telephone_number) : '',
      ],
      [
        row.customer_type === 'business' ? 'Company on the account' : 'Name on the account',
        row.entity_name,
      ],
      ['Authorized person', person],
      [
        'Email and phone',
        [row.authorized_email, row.authorized_phone ? formatPhone(row.authorized_phone) : '']
          .filter(Boolean)
          .join(', '),
      ],
      [
        'Service address',
        [
          address.line1,
          address.line2,
          [address.city, [address.state, address.zip].filter(Boolean).join(' ')]
            .filter(Boolean)
            .join(', '),
          address.country,
        ]
          .filter(Boolean)
          .join('; '),
      ],
      ['Requested date', row.requested_date ?? 'Earliest possible'],
      [
        'Extent',
        row.partial
          ? 'Some of the numbers on the account; the others stay'
          : 'All numbers on the account',
      ],
    ],
    paragraphs: [
      `I am authorized to act for the account named above, and I authorize ${company} and its carriers to port the telephone numbers listed here from the current carrier and to act as my agent in everything needed to do so.`,
      'I understand that the current carrier may charge fees under its contract, that services bundled with these numbers may end when they are ported, and that I should not cancel the account before the port is complete.',
      'This authorization is valid for 30 days from the date of the signature.',
    ],
  };
}
/** SHA-256 of the letter in hex; identifies the text that was signed. */
export const hashOfLetter = (letter: Letter): string =>
  createHash('sha256').update(JSON.stringify(letter)).digest('hex');
/** The whole signed text as one string; stored with the signature. */
export const textOfLetter = (letter: Letter): string =>
  [
    letter.title,
    ...letter.facts.map(([name, value]) => `${name}: ${value}`),
    ...letter.paragraphs,
  ].join('\n');

/** Whether two names are equal, ignoring spacing, case and Unicode composition. */
export const isSameName = (one: string, other: string): boolean =>
  normalizeName(one) === normalizeName(other);
const normalizeName = (name: string): string =>
  name.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
/**
 * The user who was signed in when the letter was signed; null if unknown (signed on paper) or
 * unsigned.
 */
export const signedInAs = (
  row: Pick<PortRecord, 'loa_state' | 'loa_signature'>,
): { name: string; email: string } | null =>
  (row.loa_state === 'signed' && row.loa_signature?.by) || null;
