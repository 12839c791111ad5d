/** How a call and its person are told to a CRM. */
import type { DeliveryFacts } from '../../gateways/destination.ts';

/** The person's number; null: it is hidden, or a sender's name. */
export const phoneOf = ({ party }: DeliveryFacts): string | null =>
  party.startsWith('+') ? party : null;

/** Our ID of a call, by which a CRM finds it again. */
export const externalIdOf = ({ company, subject }: DeliveryFacts): string =>
  `trunkline-${company.id}-${subject.id}`;

/** First and last name as far as they are known; empty: not known. */
export function nameOf({ contact, callerName }: DeliveryFacts): { first: string; last: string } {
  const [first = '', ...rest] = (contact?.name || callerName || '').trim().split(/\s+/);
  return { first, last: rest.join(' ') };
}

const outcomes = { answered: 'answered', missed: 'missed', voicemail: 'with a voicemail' } as const;
/** What an activity of a call is called. */
export const callTitle = ({ outbound, outcome }: DeliveryFacts): string =>
  `${outbound ? 'Outbound' : 'Inbound'} call${outcome ? ` ${outcomes[outcome]}` : ''}`;

/** What an activity says of a call, by label; what isn't known is left out. */
export function callLines(facts: DeliveryFacts): [label: string, value: string][] {
  const { source, summary, number } = facts;
  const lines: [string, string | null | undefined][] = [
    ['Line', number.label],
    ['Answered by', facts.answeredBy],
    ['Source', source?.label],
    ['Campaign', source?.campaign],
    ['Outcome', facts.outcomeTags.join(', ')],
    ['Qualified', facts.qualified ? 'Yes' : null],
    ['Summary', summary],
  ];
  return lines.flatMap(([label, value]) => (value ? [[label, value] as const] : [])) as [
    string,
    string,
  ][];
}
